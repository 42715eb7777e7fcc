import { commandNames, developerTools, use, usesOf } from '../../knowledge/commands.ts';
import { createFinder } from '../../text/char-finder.ts';
import { isGluedTo, standsBesideValue } from '../../text/place.ts';
import type { Grammar } from '../grammar.ts';
import { type Command, fit, programReaders, readCommand } from './command.ts';
import { goesOnAsSentence } from './sentence.ts';
import { type CommandHead, readHeads } from './shell.ts';
import { carrierBetween } from './shell-carrier.ts';
import { wordTrait } from './shell-character.ts';
import { introducer } from './shell-introducer.ts';

/** The commands of a text, judged once for all rules. */
export const commands: Grammar<Commands> = { name: 'commands', read };

interface Commands {
  readonly list: readonly Command[];
  /** A head that is a variable with a value from the same text: `x=id;$x`. */
  readonly assembled: CommandHead | undefined;
  /** False when the text was not read to its end. */
  readonly complete: boolean;
}

/** An attack is among the first; more of them are a script, or meant to keep us busy. */
const commandsMax = 4_096;

function read(text: string): Commands {
  const list: Command[] = [];
  let assembled: CommandHead | undefined;
  let redirection = -1;
  const chain = new Chain(text);
  const quotes = new QuoteCount(text);
  const visit = (head: CommandHead): boolean => {
    const isFed = chain.feeds(head, redirection);
    if (redirection < head.nameEnd) redirection = nextRedirection(text, head.nameEnd);
    if (goesOnAsSentence(text, head, redirection)) return true;
    const closed = closedBefore(text, head);
    const closes = closed !== '' && isClosedFor(text, head, closed, quotes);
    const isOwn = (head.traits & wordTrait.structured) !== 0 || closes;
    const goesOn = chain.reaches(head);
    const structured = isOwn || (goesOn && chain.structured) || isFed;
    const command = readCommand(text, head, goesOn ? chain.start : head.start, structured, closes);
    if (assembled === undefined && isAssembled(head, goesOn)) assembled = head;
    const ends = closes && isWayOut(head, closed);
    if (chain.mayTake(head, ends) && isLink(text, head, command, isOwn)) {
      chain.link(head, command, { structured, closes: ends });
    }
    if (command === undefined) return true;
    if (head.introducer === introducer.start) chain.beginsAsCommand = true;
    list.push(command);
    return list.length < commandsMax;
  };
  const complete = readHeads(text, {
    nameBetween: commandNames.wordBetween,
    assignmentsTo: prefixMax + chainMax,
    visit,
  });
  return { list, assembled, complete };
}

/**
 * Commands one behind the other, the first of which stands beside a value: what follows a command
 * stands where the command stands.
 */
class Chain {
  start = -1;
  structured = false;
  /** The first word of the text is a command already. */
  beginsAsCommand = false;
  private end = -1;
  /** The last command says a text of its own. */
  private says = false;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  reaches(head: CommandHead): boolean {
    return (
      this.start >= 0 && head.start <= this.end + gapMax && head.start <= this.start + chainMax
    );
  }

  /** `;echo x | python3`, `;cat <<E | sh`: a shell or the like reads a program that the script holds. */
  feeds(head: CommandHead, redirection: number): boolean {
    if (head.introducer !== introducer.pipe || !this.reaches(head)) return false;
    if ((usesOf(head.name) & programReaders) === 0) return false;
    return this.says || hereDocument.test(this.text.slice(redirection, head.start));
  }

  /** `ends`: the application's literal ends in front of it. */
  mayTake(head: CommandHead, ends: boolean): boolean {
    const by = head.introducer;
    const startMax = by >= introducer.substitution ? chainMax : prefixMax;
    return this.reaches(head) || ends || head.start <= startMax;
  }

  link(
    head: CommandHead,
    command: Command | undefined,
    { structured, closes }: { readonly structured: boolean; readonly closes: boolean },
  ): void {
    // Every line begins with a word; only what no prose has begins a script there, nor is it one
    // that is announced. A search for a whole pipeline is no value that a script stands beside.
    const isLine = head.introducer === introducer.lineBreak;
    const mayOpen = structured || (isLine ? this.opensLine(head) : !this.beginsAsCommand);
    if (!this.reaches(head)) {
      this.start = closes || (mayOpen && this.opensAt(head)) ? head.start : -1;
    }
    if (this.start < 0) return;
    this.structured = structured;
    this.end = command?.end ?? head.nameEnd;
    this.says = ((command?.uses ?? 0) & use.text) !== 0;
  }

  private opensLine(head: CommandHead): boolean {
    if (!takesScript(this.text, head) || this.text[head.start - 1] === ':') return false;
    // Words and a line that shows how to use `xargs`.
    return !says.has(head.name) || !twoWords.test(this.text.slice(0, head.start));
  }

  /** In the first line of the value, which is no comment, heading or bracket of a listing. */
  private opensAt({ start, introducer: by }: CommandHead): boolean {
    // Languages without blanks put code in backticks right behind a word.
    const isOpen = by > introducer.backtick || by === introducer.substitution;
    const isAscii = this.text.charCodeAt(start - 1) < 128;
    if ((isOpen || (by === introducer.backtick && isAscii)) && isGluedTo(this.text, start))
      return true;
    if (start > prefixMax || code.test(this.text.slice(Math.max(0, start - 1), start + 1)))
      return false;
    const prefix = this.text.slice(0, start).trim();
    return !listing.test(prefix) && !prefix.includes('\n') && standsBesideValue(this.text, start);
  }
}

/** Code in a sentence, as Markdown marks it. */
const code = /^\s`/;
/** How the first line of a script, a configuration or a document begins. */
const listing = /^(?:[#({[>]|```|\/[/*]|[A-Za-z_]\w{0,31}=)/;

/** What may stand between two commands of one script: more commands that are not known. */
const gapMax = 80;
const chainMax = 400;

/** A command that no sentence holds, and that no list of build steps begins with. */
function isLink(
  text: string,
  head: CommandHead,
  command: Command | undefined,
  structured: boolean,
): boolean {
  if (head.introducer === introducer.start) return false;
  if (structured || idle.test(head.name) || takesScript(text, head)) return true;
  if (command === undefined || command.fit <= fit.weak) return false;
  if (developerTools.has(command.name)) return false;
  return head.introducer >= introducer.substitution || (command.uses & use.english) === 0;
}

/** `trap '$(id)' EXIT`, `read a <<E`, `cat <<E`, `echo id|sh` */
function takesScript(text: string, { name, nameEnd }: CommandHead): boolean {
  if (name === 'trap') return script.test(text.slice(nameEnd, nameEnd + 16));
  if (says.has(name)) return isRunBehind(text.slice(nameEnd, nameEnd + pipeMax));
  return takesDocument.has(name) && input.test(text.slice(nameEnd, nameEnd + 40));
}

const says: ReadonlySet<string> = new Set(['echo', 'printf']);
const twoWords = /\p{L}\s+\p{L}/u;
/** What is said goes through a pipe, or several, to a shell or to what runs its arguments. */
function isRunBehind(rest: string): boolean {
  const [, shell, name = ''] = runner.exec(rest) ?? [];
  return shell !== undefined || usesOf(name) !== 0 || carrierBetween(name, 0, name.length) !== '';
}

const pipeMax = 320;
const runner =
  /^[^;&\n]{1,280}\|[ \t]{0,4}(?:\d?[<>]&?[\w./]{1,40}[ \t]{1,4})?(?:(?:[({][ \t]{0,4}){1,3}(?::[ \t]{0,4}[)}]?[ \t]{0,4};[ \t]{0,4})?)?(?:(?:exec|command|builtin|env|nohup|busybox)[ \t]{1,4}){0,2}(?:((?:\/(?:usr\/)?bin\/)?(?:sh|bash|ash|dash|zsh)(?=(?:[ \t]{1,4}-\w{0,4})?[ \t]{0,4}(?:$|[;&|)}#`\r\n])))|(?:eval[ \t]{1,4}['"]{1,2})?(?:\/(?:usr\/)?bin\/)?xargs(?:[ \t]{1,4}-\S{1,12}(?:[ \t]{1,4}\d)?){0,3}[ \t]{1,4}(\w{2,12}))/;
const script = /^[ \t]{1,8}(?:--[ \t])?['"][$`]/;
const takesDocument: ReadonlySet<string> = new Set(['read', 'cat', 'tee']);
const input = /^[\w \t-]{0,32}<<[<\w'" \t-]/;

/** What closes something right in front of the separator: a quote, two brackets; `''` without. */
function closedBefore(text: string, { start, introducer: by }: CommandHead): string {
  if (by < introducer.semicolon || by > introducer.lineBreak) return '';
  return closer.exec(text.slice(Math.max(0, start - closerMax), start))?.[1] ?? '';
}

/**
 * Nothing but shell: a quote or a bracket of the application is closed before the command, and opened
 * again, or the rest made a comment. How much the application's literal holds before says nothing.
 */
function isClosedFor(text: string, head: CommandHead, closed: string, quotes: QuoteCount): boolean {
  const rest = text.slice(head.nameEnd, head.nameEnd + restMax + 1);
  if (closed === '))') return rest.includes('$((');
  if (!quotes.isOdd(closed, head.start)) return false;
  if (closed === '`') return rest.includes('`');
  // Quotes in a substitution pair up anew: `echo "$a" | …` in backticks.
  if (quotes.isOdd('`', head.start)) return false;
  // The same in `"$(cd "$(dirname "$0")" && pwd)"`; within single quotes nothing is substituted.
  if (closed === '"' && quotes.substitutions > 0) return false;
  return isComment(text, head.nameEnd) || reopens(rest, closed);
}

/** The literal of a value that is no document, whose lines and marks of code close quotes, too. */
function isWayOut({ start, introducer: by }: CommandHead, closed: string): boolean {
  return closed !== '`' && by !== introducer.lineBreak && start <= chainMax;
}

const prefixMax = 80;

/** Counts quotes along a text, for one command behind the other. */
class QuoteCount {
  private readonly text: string;
  private at = 0;
  /** A bit for each of `countedQuotes`. */
  private odd = 0;
  /** Apostrophes within words: an odd number makes of each pair behind them one that opens. */
  private apostrophes = 0;
  /** How many `$(` are open at the last offset. */
  substitutions = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether the quote stands an odd number of times before an offset: the last of them closes. */
  isOdd(quote: string, until: number): boolean {
    const { text } = this;
    for (let at = nextQuote(text, this.at); at < until; at = nextQuote(text, at + 1)) {
      const one = text.charAt(at);
      if (one === '(') {
        if (opening.test(text.slice(Math.max(0, at - 2), at))) this.substitutions++;
        continue;
      }
      if (one === ')') {
        if (this.substitutions > 0) this.substitutions--;
        continue;
      }
      this.odd ^= 1 << countedQuotes.indexOf(one);
      if (one === "'" && inWord.test(text.slice(Math.max(0, at - 1), at + 2))) this.apostrophes++;
    }
    this.at = Math.max(this.at, until);
    const isOdd = (this.odd & (1 << countedQuotes.indexOf(quote))) !== 0;
    return isOdd && (quote !== "'" || this.apostrophes % 2 === 0);
  }
}

const countedQuotes = '\'"`';
const inWord = /^\p{L}'\p{L}/u;
const nextQuote = createFinder(/['"`()]/g);
/** The dollar of `$(`, unless it is escaped. */
const opening = /(?:^|[^\\])\$$/;
const closerMax = 8;
const closer = /(['"`]|\)\))[\s;&|]{0,6}$/;

/** One more quote of the kind stands in the rest. */
function reopens(rest: string, quote: string): boolean {
  return rest.length <= restMax && rest.split(quote).length % 2 === 0;
}

function isComment(text: string, from: number): boolean {
  return comment.test(text.slice(Math.max(from, text.length - commentMax)));
}

const commentMax = 40;
const restMax = 400;
const comment = /[\s;]#[^\n'"]{0,20}$/;

/** An assignment, or a command that does nothing. */
const idle =
  /^(?:[a-z_]\w{0,31}=|:$|\[{1,2}$|umask$|unalias$|shopt$|popd$|test$|true$|false$|set$|alias$|eval$)/;

const hereDocument = /^<<-?[ \t]{0,4}['"\\]?\w{1,32}['"]?[ \t]{0,4}$/;

const nextRedirection = createFinder(/[<>]/g);

/** Right behind a separator, or further on in a script that stands beside a value. */
function isAssembled(head: CommandHead, goesOn: boolean): boolean {
  if (head.introducer === introducer.start || (head.traits & wordTrait.own) === 0) return false;
  if (goesOn) return true;
  return head.introducer !== introducer.lineBreak && (head.traits & wordTrait.structured) === 0;
}
