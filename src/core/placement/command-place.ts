import { type Command, fit } from '../grammars/shell/command.ts';
import type { CommandHead } from '../grammars/shell/shell.ts';
import { introducer } from '../grammars/shell/shell-introducer.ts';
import { columnNames, developerTools, headings, use, usesOf } from '../knowledge/commands.ts';
import { wordSet } from '../text/words.ts';

/** A command in the body of a script that the text shows: its loop begins the text. */
export function isShownLoop(text: string, { start, nameStart }: CommandHead): boolean {
  return loopWord.test(text.slice(start, nameStart)) && script.test(text);
}

const loopWord = /^[;\n]\s{0,8}(?:do|then|else)\s/;
const script = /^\s{0,4}(?:for|while|until|if|select)\s/;

/** `/usr/lib/sysusers.d/*.conf`: files that are no programs. */
export function isSettings(text: string, { nameStart, nameEnd }: CommandHead): boolean {
  return settings.test(text.slice(nameStart, nameEnd));
}

const settings = /^\/[\w.*/-]{3,120}\.(?:conf|d|service|socket|rules|list|json|ya?ml|md)\/?[,:;]?$/;

/** The word before a separator, lower case. */
function wordBefore(text: string, start: number): string {
  return lastWord.exec(text.slice(Math.max(0, start - 40), start).trim())?.[0].toLowerCase() ?? '';
}

/**
 * True when nothing but the end of a command, a comment or a closing quote is left after
 * `end`.
 */
export function endsText(text: string, end: number): boolean {
  const rest = text.slice(end, end + prefixMax);
  if (quietEnd.test(rest)) return true;
  const next = nextCommand.exec(rest);
  if (next === null) return false;
  const uses = usesOf((next[1] ?? '').toLowerCase());
  if (uses === 0) return false;
  return (uses & use.english) === 0 || quietEnd.test(rest.slice(next[0].length));
}

/**
 * True when the text from start to end names a file that only an attacker wants to see, or to
 * run.
 */
export function namesSecret(text: string, start: number, end: number): boolean {
  return secret.test(text.slice(start, Math.min(end, start + 300)));
}

const secret =
  /\/etc\/(?:passwd|shadow|hosts|group|issue|crontab)|\/proc\/self|\/\.ssh|id_rsa|\/dev\/tcp|(?:win|boot)\.ini|\\sam\b|\/tmp\/|-rf? \//i;
const prefixMax = 80;
const lastWord = /[A-Za-z0-9_]{1,40}$/;
/** What follows further separators. */
const nextCommand =
  /^[\s'"`)}]{0,6}[;|&]{1,2}[\s'"`)}]{0,4}([A-Za-z][A-Za-z0-9_-]{1,20})(?![A-Za-z0-9_=.:-])/;
const quietEnd =
  /^[\s;|&'"`)}\]\\]{0,12}(?:(?:(?:(?<=[;&|\n]\s{0,4})(?::|true|exit)[\s;'"]{0,4}){1,3}$)|(?<=[;&|\n]\s{0,4})(?:if|while|until) :;|\(?['"]?$|(?<=[;|&'"` ])\.[a-z]{3,4}$|#|\/\/|--(?!-)|::|%00|\0|rem\b|<!--)/i;

/**
 * `It came too late;curl http://…`: a sentence without a command, and another command glued to it or
 * behind `&&`, and nothing but commands to the end of the text. A command that is shown is set apart,
 * or the one in front is shown too.
 */
export function endsSentence(text: string, head: CommandHead, end: number): boolean {
  const isDouble = head.introducer === introducer.and || head.introducer === introducer.or;
  const isGlued = text.charCodeAt(head.start - 1) > 32 && text.charCodeAt(head.nameStart - 1) > 32;
  if (!(isDouble || isGlued) || head.start > sentenceMax || !endsText(text, end)) return false;
  const before = text.slice(0, head.start);
  return (isGlued ? line : sentence).test(before) && before.split(wordEnd).every(isNoCommand);
}

function isNoCommand(word: string): boolean {
  const uses = usesOf(word.toLowerCase());
  return (uses === 0 || (uses & use.english) !== 0) && !developerTools.has(word.toLowerCase());
}

const sentenceMax = 400;
const sentence = /^(?:[\p{L}\d'’,-]{1,30}[.!?]?\s){3,80}[\p{L}\d'’,-]{1,30}[.!?]?\s?$/u;
/** The same with any signs, but for those of programs: options, paths, what shows code. */
const line = /^(?:(?![-./[$@]{1,2}[\w/])[^\s`<>{}\\]{1,40}[ \t]){3,80}[^\s`<>{}\\]{1,40}$/;
const wordEnd = /[^\p{L}\d_-]+/u;

/** `10.0.0.1 & ver`: nothing but an address in front; behind a name the word may be a title's. */
export function isBehindHost(text: string, head: CommandHead): boolean {
  if (isBehindAddress(text, head)) return true;
  const front = text.slice(0, Math.min(head.start, hostCharsMax)).trim();
  const name = text.slice(head.nameStart, head.nameEnd);
  return hostName.test(front) && name === name.toLowerCase() && !headings.has(name);
}

/** The same, and the address is in digits or the machine itself. */
export function isBehindAddress(text: string, { start }: CommandHead): boolean {
  return hostAddress.test(text.slice(0, Math.min(start, hostCharsMax)).trim());
}

const hostCharsMax = 80;
const hostAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|localhost)$/i;
const hostName = /^(?:[a-z\d-]{1,40}\.){1,4}[a-z]{2,12}$/i;

/**
 * `RUN a && b` in a Dockerfile. No shell goes on behind the `&&`: it knows no command `RUN`, which
 * is why this can be no attack, and why nothing but such a chain is let through.
 */
export function isImageStep(text: string, { start, introducer: by }: CommandHead): boolean {
  if (by !== introducer.and || !imageRecipe.test(text.slice(0, start).slice(0, recipeCharsMax)))
    return false;
  const before = text.slice(Math.max(0, start - stepCharsMax), start);
  const run = before.lastIndexOf('\nRUN ');
  if (run < 0) return false;
  const step = before.slice(run + 1).replaceAll('&&', '');
  return !otherChain.test(step) && !lineEnd.test(step);
}

/** What a shell goes on behind, whether it knew the command in front or not. */
const otherChain = /[;|&`()]/;
/** The end of a line that the next one does not continue. */
const lineEnd = /(?:^|[^\\\r])\r?\n/;

const imageRecipe =
  /(?:^|\n```\w{0,12}\n)(?:#[^\n]{0,80}\n)?FROM [\w./:-]{1,80}(?: AS \w{1,20})?\r?\n/i;

const recipeCharsMax = 2_000;
const stepCharsMax = 400;

/** `apt install linux-headers-$(uname -r)`, `DIR=$(…)`: of a command line that a sentence shows. */
export function isArgumentOfCommand(text: string, start: number): boolean {
  const words = text
    .slice(Math.max(0, start - argumentCharsMax), start)
    .split(blanks)
    .slice(1);
  return words.slice(-argumentWordsMax).some((word, index, near) => {
    if (assigned.test(word)) return index === near.length - 1;
    const uses = usesOf(word.replace(opening, ''));
    return uses !== 0 && ((uses & use.english) === 0 || option.test(near[index + 1] ?? ''));
  });
}

const argumentCharsMax = 100;
const argumentWordsMax = 5;
const blanks = /\s{1,8}/;
const opening = /^["'(]{1,2}/;
const option = /^-{1,2}\w/;
const assigned = /^[A-Z][A-Z_]{1,30}=["']?(?:\$\(|$)/;

/** `(cat|dir)`: words of a regular expression. */
export function isAlternative(text: string, { head, end, fit: found }: Command): boolean {
  if (head.introducer !== introducer.pipe || found === fit.full) return false;
  return (
    text.charCodeAt(end) === 41 &&
    alternatives.test(text.slice(Math.max(0, head.start - 40), head.start))
  );
}

const alternatives = /\((?:\?:)?(?:[\w.-]{1,20}\|){0,12}[\w.-]{1,20}$/;

/**
 * `a sentence'$(id)'`: between the quote that ends the application's literal, right behind a word of
 * it, and the one that opens it again. Around code that is quoted stand blanks.
 */
export function isBetweenQuotes(text: string, start: number, end: number): boolean {
  const quote = text.charAt(start - 1);
  if (quote === '' || !quotes.includes(quote) || text.charAt(end) !== quote) return false;
  return lastOfWord.test(text.slice(Math.max(0, start - 3), start - 1));
}

const lastOfWord = /[\p{L}\d.!?]$/u;

const quotes = '"\'';

/**
 * `useState<boolean>(true)`, `find<User>(id)`: a function of TypeScript, C++ or Java with its types. To
 * bash a file is read and a command gets what is written, one of those that only say something.
 */
export function isTypedCall(text: string, start: number): boolean {
  const argument = typedArgument.exec(text.slice(start, start + 12));
  return argument !== null && typed.test(text.slice(Math.max(0, start - 60), start));
}

const typedArgument =
  /^>\((?:true|false|id|date|time|test|file|type|sort|find|node|size|users|last)\)/;
const typed = /[A-Za-z]<[A-Za-z][\w$.]{0,30}(?:, ?[A-Za-z][\w$.]{0,30}|\[\]| \| [a-z]{1,12}){0,4}$/;

/** The command follows its separator without a blank. */
export function isTight(text: string, head: CommandHead): boolean {
  const before = text.charCodeAt(head.nameStart - 1);
  return before !== 32 && before !== 10;
}

/** `name;id`, `a;b;id`, `?x=1&id`, `ego & id`: items of a list, words of a title. */
export function isListItem(text: string, command: Command): boolean {
  const { head } = command;
  if (command.structured) return false;
  if (columnNames.has(wordBefore(text, head.start))) return true;
  const prefix = text.slice(Math.max(0, head.start - 40), head.start);
  if (isBehindStatement(text, head.start, prefix)) return false;
  if (assignedApart.test(prefix)) return true;
  const isAmpersand = head.introducer === introducer.ampersand;
  if (anyQuote.test(prefix)) return false;
  if (prefix.trim().length > 1 && prefix.includes(text.charAt(head.start), 1)) return true;
  if (isAmpersand && prefix.includes('=')) return true;
  if (valueMark.test(prefix.slice(-20))) return false;
  const isLoose = text.charCodeAt(head.start - 1) === 32 && !isTight(text, head);
  return isLoose && isAmpersand && head.start > 1;
}

/** `x;hash -r;id`, `x;[ a ];id`, `10.0.0.1;wait;id`: no item of a list, but a statement of a shell. */
function isBehindStatement(text: string, start: number, prefix: string): boolean {
  const item = prefix
    .slice(Math.max(...separators.map((one) => prefix.lastIndexOf(one))) + 1)
    .trim();
  const [name = '', ...words] = item.replace(groupMarks, '').split(blanks);
  if (!builtins.has(name)) return formal.test(item);
  const isProgram = declaration.test(text);
  if (words.some((word) => builtinWord.test(word) && !(isProgram && word.includes('='))))
    return true;
  const first = text.slice(0, Math.min(start, hostCharsMax)).split(listEnd, 1)[0] ?? '';
  return hostAddress.test(first) || hostName.test(first);
}

const separators = [';', '|', '&', '\n'];
const listEnd = /[;|&\n]/;
/** What a shell does by itself, and which says nothing. */
const builtins: ReadonlySet<string> = wordSet(
  'cd pushd popd dirs unset export readonly local declare typeset set hash ulimit alias unalias',
  'umask shift type let wait times trap test true false return break continue bind shopt',
);
const builtinWord = /^(?:[-+]\w|-$|\.\.|[/~]|[A-Za-z_]\w{0,31}=)/;
/** `const a = 1;let b=2;`: of JavaScript. */
const declaration = /^\s{0,4}(?:var|const|let)\s/;
const groupMarks = /^[({\s!]{1,8}|[)}\s]{1,8}$/g;
const formal =
  /^[({\s!]{0,8}(?::(?: \S{1,24})?|\[ .{1,32} \]|\[\[ .{1,32} \]\]|\(\(.{1,32}\)\))[)}\s]{0,8}$/;

/** `x = a || id` */
const assignedApart = /\s=\s/;
const anyQuote = /['"`]/;
/** Digits, full stops, quotes: a value, not the words of a title. */
const valueMark = /[\d.'"/@]/;
