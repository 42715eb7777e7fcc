import { takesText } from './field-role.ts';
import type { Subject } from './subject.ts';

/**
 * A line of commands that a message shows, `cd .. && ls`, `npm ci; npm test`: it begins with a
 * command of its own, where a value that is put into a command line begins with data and goes on
 * behind a separator. What follows there is on a short list, since that is what an injection would
 * run; the beginning, which none would, may be much more.
 */
export function isOwnLine(text: string, start: number): boolean {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const end = text.indexOf('\n', start);
  const lineStart = Math.max(from, start - lineMax);
  const shown = text.slice(lineStart, end < 0 ? text.length : end);
  const tidy = shown.replace(tidying, '');
  const line = tidy.replace(filter, 'sort');
  if (line.length > 2 * lineMax || harmful.test(line)) return false;
  // Among other quotes its own may end one and begin the next.
  if (line !== tidy && quotes.test(line)) return false;
  if (isInSpan(shown, start - lineStart)) return line.split(ticks).every(isShownPart);
  const [first = '', ...steps] = line.split(separators);
  return opening.test(first) && steps.every(isPlainStep);
}

/** The end of a step of a Dockerfile. */
const tidying =
  /(?:&&|;) {0,2}rm -rf \/var\/(?:lib\/apt\/lists|cache\/apk)\/\*(?=\s{0,8}(?:[;&|]|$))/g;

/**
 * `awk '{print $2}'`, `perl -pe 's/a/b/'`: a program that only prints what it reads. Without parentheses and
 * redirections awk calls nothing and writes no file; without braces and `@` a pattern of Perl computes nothing.
 * Where the text stands in quotes of the application's, a separator in the program would begin a command, and an
 * option behind it may be another program.
 */
const filter =
  /(?<![\w./-])(?:awk(?: -F ?(?:'[:,;|]'|[:,]))? '(?:[\w $,+*/={}!:."%-]|; ?(?=(?:print|next)\b)){1,100}'|(?:perl -[lan]{0,3}[np]e|sed(?: -[En])?) '(?:(?:print if )?\/[\w .,:^$\\+*?-]{1,60}\/[ip]?|s(?:\/[\w .,:^$\\+*?-]{0,60}){2}\/[gi]{0,2}|print)')(?![^;|&]{0,300}\s-)/g;
const quotes = /['"\\]/;

/** ``see `ls | wc -l` ``: the separator stands in marks of code, which end behind it. */
function isInSpan(line: string, at: number): boolean {
  const before = line.slice(0, at).split(ticks).length;
  return before % 2 === 0 && line.includes('`', at);
}

/** Parts of a line in turn: words, and what stands in marks of code. */
function isShownPart(part: string, index: number): boolean {
  return index % 2 === 0 ? !signs.test(part) : part.split(separators).every(isPlainStep);
}

const ticks = '`';
const signs = /[;|&$(]/;

/** The same in marks of code, behind words: ``just run `rm -rf dist && npm i` ``. */
export function isOwnSpan(text: string, start: number): boolean {
  if (
    text.charCodeAt(start) !== backtick ||
    !words.test(text.slice(Math.max(0, start - wordsMax), start))
  ) {
    return false;
  }
  const end = text.indexOf('`', start + 1);
  if (end < 0 || end - start > lineMax) return false;
  return text
    .slice(start + 1, end)
    .split(separators)
    .every(isPlainStep);
}

/**
 * ``Was macht `df -h`?``, ``使用`date`命令``, ``` `date`が動かない```: in a text that a user writes a command
 * of a project, at the end of a question or among words of a script without blanks.
 */
export function isSaidCommand({ text, member }: Subject, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 60), start);
  const behind = text.slice(end, end + 8);
  const isIn = wideWords.test(behind) || (wideBefore.test(before) && wideAfter.test(behind));
  if (!isIn && !(asks.test(before) && question.test(text.slice(end)))) return false;
  const line = text.slice(start + 1, end - 1);
  return (
    takesText(member) && line.split(separators).every((one) => idle.test(one) || isPlainStep(one))
  );
}

/** Says what everybody may know. */
const idle = /^(?:cal|clear|date|df|du|free|history|jobs|top|uptime)(?: --?[\w-]{1,12}){0,2}$/;
const question = /^ ?[?？]$/;
const asks = /\p{L}{1,20} \p{L}{2,20}:? $/u;
const wideBefore = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]{2}$/u;
const wideAfter = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]{2}/u;
const wideWords = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]{4}/u;

/** A command of a project whose words hide nothing and reach no other place. */
function isPlainStep(text: string): boolean {
  const command = text.trim();
  return command === '' || plainSteps.some((step) => step.test(command));
}

const plainSteps = [
  /^(?:cd|mkdir)(?: -p)? [\w.-][\w./-]{0,80}$/,
  // Where images of containers have the application.
  /^cd \/app$/,
  /^(?:ls(?: -\w{1,5})?|pwd|(?:sudo )?make(?: -j ?\d{0,3}| [a-z]{1,20}){0,4})[.!?]?$/,
  /^(?:npm|yarn|pnpm|cargo|go|composer|bundle|poetry|mvn|gradle|dotnet|rake|pm2|cmake|brew)(?: [a-z][a-z:-]{0,30}){0,2}(?: \.)?[.!?]?$/,
  /^\.\/(?:configure|autogen\.sh)(?: --[a-z][\w=-]{0,40}){0,4}$/,
  /^git (?:pull|fetch|status|push|add|commit|stash|log|diff)(?: [\w.-]{1,40}){0,3}$/,
  /^tar x\w{0,4} [\w.-]{1,60}$/,
  /^(?:sudo )?apt(?:-get)? (?:update|upgrade|install)(?: -y| --no-install-recommends| [a-z][a-z\d.+-]{0,30}){0,20}$/,
  /^docker[ -]compose (?:pull|up|down|restart|build|ps|logs)(?: [\w.-]{1,40}){0,4}$/,
  // No secret, no settings of another place, and nothing that comes from there.
  /^kubectl (?:get|describe|logs|top|rollout)(?: (?:-[a-z]|--(?:all-namespaces|watch)|(?!secret)[a-z][\w./-]{0,60})){0,6}$/,
  /^kubectl apply(?: -n [\w-]{1,40})? -f [\w-][\w./-]{0,60}$/,
  /^(?:terraform (?:init|plan|validate|fmt|apply(?: -auto-approve)?)|helm (?:list|status|lint)(?: [\w-]{1,40}){0,2})$/,
  /^helm upgrade(?: --install)? [\w-]{1,40} \.\/[\w./-]{1,60}$/,
  /^pip3? install -r (?:requirements\/)?[\w-]{1,40}\.txt$/,
  /^export (?:LANG|LC_\w{2,12}|TZ|NODE_ENV)(?:=[\w.:/-]{0,80})?$/,
  /^cut(?: -[df] ?(?:[\w,:.-]{1,4}|'[ ,:;|]'|"[ ,:;|]")){1,2}$/,
  /^(?:sudo )?systemctl (?:daemon-reload|(?:status|restart) [\w.-]{1,40})$/,
  /^(?:chmod \+x [\w-]{1,40}\.sh|du -\w{1,3}(?: \*)?|df(?: -h)?|tail -f [\w-]{1,40}\.log)$/,
  // Behind the mark of a prompt, which is the name of no command.
  /^\$ [\w./= *-]{1,80}$/,
  /^rm -rf (?:dist|build|node_modules|target|out|coverage)$/,
  // Filters of what comes through a pipe; with -r and -f grep reads files.
  /^(?:wc -[lwc]|sort(?: -[a-z]{1,4})?|uniq(?: -c)?|(?:head|tail)(?: -(?:n ?)?\d{1,4})?|less|more|grep(?: -[EFciosvwx]{1,4})? [\w.:@=][\w.:@=-]{0,39})$/,
];

const backtick = 96;
const lineMax = 300;
const wordsMax = 60;
/** Two words, and colons at most. */
const words = /\p{L}{1,20}:? \p{L}{2,20}:? $/u;
const separators = /[;|&]+/;

/** A command of a project at the end of what stands in front of the first separator. */
const opening =
  /(?:^|[\s:>$])(?:sudo )?(?:cd|ls|pwd|npm|npx|yarn|pnpm|git|docker(?:-compose)?|kubectl|helm|make|cmake|cargo|go|pip3?|poetry|conda|apt(?:-get)?|brew|dnf|yum|systemctl|tar|unzip|mkdir|chmod|cp|mv|rm|touch|grep|find|ps|cat|sort|tail|du|df|netstat|ss|lsof|free|gem|set|terraform|ansible-playbook|mvn|gradle|dotnet|composer|bundle|rake|pm2|\.\/(?:configure|autogen\.sh|gradlew|mvnw))(?: [^\s;|&`$<>(){}\\]{1,80}){0,8} ?$/;

/**
 * Reaches another machine, runs code, names what only an attacker wants, or destroys what is none of
 * a project.
 */
const harmful =
  /(?<![\w.-])(?:curl|wget|nc|ncat|telnet|ssh|scp|ping|nslookup|dig|whoami|id|uname|env|printenv|base64|crontab|eval|exec|nohup|reboot|shutdown|halt|mkfs|dd|passwd|useradd|(?:ba|z|k)?sh|perl|ruby|php|python\d?|node|sleep|kill|sudo su)(?![\w.-])|:\/\/|\/(?:etc|proc|dev|root|home|tmp|bin|usr)\b|\brm (?:-\w{1,4} ){0,4}['"]?[/~*.]|[<>\\]|\$[({]|[`'"]{2}|-exec\b|(?<![\w.-])(?:ls|cat|find|grep|head|tail|less|more)(?: [^\s;|&]{1,40}){0,6} \//i;
