import { use, usesOf } from '../../knowledge/commands.ts';
import { isAlnum } from '../../text/char-class.ts';
import { wordList, wordSet } from '../../text/words.ts';
import { hiding, isArgument, isPlainWord, isShellWord, isSureArgument } from './argument-form.ts';
import type { CommandHead } from './shell.ts';
import { Arguments, readArguments, type ShellWord } from './shell-arguments.ts';
import { wordTrait } from './shell-character.ts';
import { matchesPattern } from './shell-expansion.ts';
import { resolvePath } from './shell-fold.ts';
import { introducer } from './shell-introducer.ts';

/** How well a head and what follows it fit a command line. */
export const fit = {
  /** Not a command, or its name in a sentence. */
  none: 0,
  /** A command's name with words that it might take. */
  weak: 1,
  /** A name that can stand alone, alone; a word of the language too. */
  aloneWord: 2,
  /** The same, and the name is short but no usual word: `id`, `ls`. */
  alone: 3,
  /** The same, and the name is no word at all: `whoami`. */
  sureAlone: 4,
  /** Name and arguments in the form that the command takes. */
  full: 5,
} as const;

type Fit = (typeof fit)[keyof typeof fit];

/** A head that was found to be a command. */
export interface Command {
  readonly head: CommandHead;
  readonly fit: Fit;
  /** `use` bits of its name. */
  readonly uses: number;
  readonly end: number;
  /** Offset of the introducer with which the script begins that the command is part of. */
  readonly chain: number;
  /** Only a shell reads what stands in front of it. */
  readonly structured: boolean;
  /** A quote or a bracket of the application is closed in front of it, and opened again or cut off. */
  readonly closes: boolean;
  /** The name is hidden by quotes, escapes, wildcards or variables. */
  readonly hidden: boolean;
  /** An argument is. */
  readonly hidesArgument: boolean;
  /** Its name without folder and extension. */
  readonly name: string;
  /** An argument, or a redirection, is of a kind that no sentence has. */
  readonly isSure: boolean;
  /** The last argument is a plain word. */
  readonly endsPlain: boolean;
}

/**
 * Judges one head; undefined when its word names no command. `chain` and `structured` are those of
 * the script that it is part of.
 */
export function readCommand(
  text: string,
  head: CommandHead,
  chain: number = head.start,
  structured: boolean = (head.traits & wordTrait.structured) !== 0,
  closes = false,
): Command | undefined {
  if ((head.traits & wordTrait.call) !== 0) return undefined;
  const path = resolvePath(firstField(head));
  const name = usesOf(path) !== 0 ? path : commandName(path);
  const named = usesOf(name);
  const isKnown = named !== 0 && isCaseOf(text, head, name);
  const isVariable = !isKnown && isShellVariable(head);
  const isGlob = isGlobPath(head);
  if (!isKnown && !isVariable && !isGlob && !isProgramPath(path)) return undefined;
  const uses = isKnown ? named : usesOfUnknown;
  const given = argumentsOf(text, head);
  const { words } = given;
  const inProgramPath = isKnown && name !== path && isProgramPath(path);
  const hidden = isVariable || isGlob || isHidden(head, name);
  const own = fitOf(text, head, uses, given, structured);
  const found = fitByName(own, words, inProgramPath, hidden, isKnown);
  return {
    head,
    chain,
    structured,
    closes,
    fit: found,
    uses,
    end: given.end,
    hidden,
    hidesArgument: found === fit.full && words.some((word) => (word.traits & hiding) !== 0),
    name,
    isSure: given.redirect || given.substitution || words.some(isSureArgument),
    endsPlain: endsPlain(uses, words),
  };
}

function argumentsOf(text: string, head: CommandHead): Arguments {
  const isWhole = (head.traits & wordTrait.whole) !== 0;
  return isWhole ? new Arguments(head.nameEnd) : readArguments(text, head);
}

/** `python3 <<E`: it runs what comes in. */
function readsProgram(text: string, head: CommandHead, uses: number): boolean {
  const { introducer: by, start, nameEnd } = head;
  if ((uses & programReaders) === 0 || by === introducer.start) return false;
  if (by === introducer.lineBreak && text[start - 1] === ':') return false;
  return programInput.test(text.slice(nameEnd, nameEnd + inputMax));
}

/** Run a program that they are given. */
export const programReaders = use.program | use.interpreter;
const inputMax = 60;
const programInput = /^(?:[ \t]{1,4}-)?[ \t]{0,4}<<-?[ \t]{0,4}['"\\]?\w{1,32}['"]?[ \t]{0,4}\n/;

const usesOfUnknown = use.options | use.paths | use.hosts | use.sureAlone;

/** A name that no sentence has needs less of its arguments. */
function fitByName(
  own: Fit,
  words: readonly ShellWord[],
  inProgramPath: boolean,
  hidden: boolean,
  isKnown: boolean,
): Fit {
  if (words.length === 0) return inProgramPath || (hidden && isKnown) ? fit.sureAlone : own;
  if (inProgramPath && words.every(isShellWord)) return fit.full;
  return own === fit.weak && hidden ? fit.full : own;
}

function endsPlain(uses: number, words: readonly ShellWord[]): boolean {
  const last = words[words.length - 1];
  return last !== undefined && !isShellWord(last) && !isArgument(uses & ~use.text, last, 0);
}

/** A variable may hold the name and its arguments. */
function firstField({ name, traits }: CommandHead): string {
  if ((traits & (wordTrait.own | wordTrait.assembled)) === 0) return name;
  const end = name.indexOf(' ');
  return end < 0 ? name : name.slice(0, end);
}

/** Lower-case name without its folder and extension. */
function commandName(word: string): string {
  let slash = word.length - 1;
  while (slash >= 0 && !isSlash(word.charCodeAt(slash))) slash--;
  const isFile = slash >= 0 && (isProgramPath(word) || word.charCodeAt(0) === 37);
  const name = isFile ? word.slice(slash + 1) : word;
  if (name === '%comspec%' || name === '$shell') return 'cmd';
  const isProgram = name.charCodeAt(name.length - 4) === 46 && programEnd.test(name);
  return isProgram ? name.slice(0, -4) : name;
}

function isSlash(code: number): boolean {
  return code === 47 || code === 92;
}

const programEnd = /\.(?:exe|com)$/;

const programFolders: readonly string[] = wordList(
  '/bin/ /sbin/ /lib/ld- /lib64/ld- /usr/bin/ /usr/sbin/ /usr/local/bin/ /usr/local/sbin/ usr/bin/ bin/',
);
const windowsFolder = /^(?:[a-z]:|%[a-z]{4,12}%)?[\\/](?:windows|winnt)[\\/]|\\system32\\/;

/** A folder of the search path is no program: `C:\Tools;C:\Windows\System32`. */
const folderEnd = /[\\/](?:windows|winnt|system32|syswow64|sysnative|wbem|v1\.0|temp)?[\\/]?$/;

/** `/usr/bin/id`, `c:\windows\system32\cmd.exe`, `./exploit`. */
function isProgramPath(word: string): boolean {
  if (!word.includes('/') && !word.includes('\\')) return false;
  if (word.startsWith('./')) {
    const isName = isAlnum(word.charCodeAt(2)) && isAlnum(word.charCodeAt(word.length - 1));
    return isName && word.length > 4 && !word.includes('/', 2);
  }
  if (windowsFolder.test(word)) return !folderEnd.test(word);
  return programFolders.some((folder) => word.startsWith(folder) && word.length > folder.length);
}

/** `/???/c?t`, `/bin/c*`: a path that only a shell would complete. */
function isGlobPath(head: CommandHead): boolean {
  if ((head.traits & wordTrait.glob) === 0 || head.name.charCodeAt(0) !== 47) return false;
  const slash = head.name.indexOf('/', 1);
  if (slash < 0) return false;
  const folder = head.name.slice(1, slash);
  if (folder.length < 3 || folder.length > 16 || folder.startsWith('*')) return false;
  return rootFolders.some((one) => matchesPattern(folder, one));
}

const rootFolders: readonly string[] = ['bin', 'usr', 'sbin'];

/** `$a$b`, `$CMD`, `${x}`: a command out of a variable. */
function isShellVariable(head: CommandHead): boolean {
  if ((head.traits & wordTrait.expansion) === 0 || head.introducer === introducer.start)
    return false;
  return shellVariable.test(head.name);
}

const shellVariable = /^\$(?:cmd|command|shell|0|bash|sh)$/;

function isHidden(head: CommandHead, name: string): boolean {
  const traits = head.traits;
  if ((traits & wordTrait.caret) !== 0 && name.length < 3) return false;
  return (traits & (hiding | wordTrait.defaulted)) !== 0;
}

/**
 * Names of Unix are lower case, and those of Windows of one case when they are short: two or
 * three letters of mixed case are what any password has.
 */
function isCaseOf(text: string, head: CommandHead, name: string): boolean {
  if (name.length > 3) return true;
  const { nameStart, nameEnd } = head;
  const isLower = !holdsUpper(text, nameStart, nameEnd);
  if ((isLower && name.length > 1) || name === '.') return true;
  const written = text.slice(nameStart, nameEnd);
  if (expands.test(written)) return true;
  if (name.length === 1 && written.length > 1 && !written.includes('/')) return false;
  return isLower || (windowsNames.has(name) && oneCase.test(written.replace(noLetters, '')));
}

/** Names of variables and folded text say nothing of the case of the name. */
const expands = /[$`]/;

function holdsUpper(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 65 && code <= 90) return true;
  }
  return false;
}

/** `dir`, `Dir`, `DIR`, not `dIr`. */
const oneCase = /^(?:[A-Z]?[a-z]{1,8}|[A-Z]{1,8})$/;
const noLetters = /[^A-Za-z]/g;
const windowsNames: ReadonlySet<string> = wordSet(
  'dir cd ver vol del ren md rd net reg sc set cls rem fc cmd ftp arp',
);

function fitOf(
  text: string,
  head: CommandHead,
  uses: number,
  given: Arguments,
  structured: boolean,
): Fit {
  if (readsProgram(text, head, uses)) return fit.full;
  const { words } = given;
  if (words.length === 0) return aloneFit(uses, given, head, structured);
  if (head.name === '.') return isDotCommand(given, head) ? fit.full : fit.none;
  // One letter is a command only when nothing else is there.
  if (head.nameEnd - head.nameStart === 1) return fit.none;
  if (given.input && words.length <= inputWordsMax) return fit.full;
  return fitOfWords(uses, given, head);
}

function fitOfWords(uses: number, given: Arguments, head: CommandHead): Fit {
  const { words } = given;
  const isEnglish = (uses & use.english) !== 0;
  const isOutput = isRedirected(uses, given);
  if (isOutput && !isEnglish) return fit.full;
  let structured = isOutput ? 1 : 0;
  let plain = 0;
  words.forEach((word, index) => {
    if (index > 0 && isPlainWord(word)) plain++;
    else if (isArgument(uses, word, index)) structured++;
    else if (!isShellWord(word)) plain++;
  });
  // `sleep 8`, but not `sleep 8 hours`.
  if ((uses & counting) === counting && plain > 0) return fit.none;
  const isBraced = (head.traits & (wordTrait.braced | wordTrait.ifs)) !== 0;
  if (isArgument(uses, words[0] as ShellWord, 0)) {
    return plain <= structured + 1 || isBraced ? fit.full : fit.weak;
  }
  if (isBraced || (given.substitution && plain < 2)) return fit.full;
  if ((uses & use.text) !== 0) return plain <= 3 ? fit.weak : fit.none;
  const takesWords = words.length <= 2 && (uses & wordTakers) !== 0;
  return structured > plain || takesWords ? fit.weak : fit.none;
}

/** `awk 1 a.txt`, `grep 7 /etc/hosts`: a number for a program or pattern, and a file. */
function isNumberOfFile(uses: number, words: readonly ShellWord[]): boolean {
  const [first, file] = words;
  if (file === undefined || words.length > 2 || (uses & use.paths) === 0) return false;
  return digits.test(first?.text ?? '') && isArgument(uses, file, 1);
}

const digits = /^\d{1,3}$/;
const counting = use.numbers | use.english;
const wordTakers = use.paths | use.hosts | use.numbers | use.command | use.subcommand;

/** Its output goes to a file, or a number stands in front of the file that it reads. */
function isRedirected(uses: number, { words, redirect, sureRedirect }: Arguments): boolean {
  if (sureRedirect || isNumberOfFile(uses, words)) return true;
  return redirect && ((uses & says) !== 0 || words.length > 1);
}

/** A file is read: names, options and the file itself. */
const inputWordsMax = 4;

/** `; . /tmp/x`: the shell reads its commands from a file. */
function isDotCommand({ words }: Arguments, head: CommandHead): boolean {
  return (
    head.introducer !== introducer.start && words.length < 3 && dotFile.test(words[0]?.text ?? '')
  );
}

const dotFile = /^(?:(?:~?\/{1,8}|\.{1,2}\/|\$[A-Z]{2,12}\/)[A-Za-z0-9_.]|\.[a-z]{2,12}$)/;

/** Commands that say something without arguments: their output alone is worth a file. */
const says = use.sureAlone | use.alone | use.interpreter | use.text;

function aloneFit(uses: number, given: Arguments, head: CommandHead, structured: boolean): Fit {
  const isEnglish = (uses & use.english) !== 0;
  if (isRedirected(uses, given) || (given.substitution && !isEnglish)) return fit.full;
  if ((uses & use.sureAlone) !== 0) return fit.sureAlone;
  if ((uses & use.interpreter) !== 0) {
    return head.introducer === introducer.pipe ? fit.sureAlone : fit.aloneWord;
  }
  if ((uses & use.program) !== 0 && structured && head.introducer === introducer.pipe)
    return fit.sureAlone;
  if ((uses & use.alone) === 0) return fit.none;
  return isEnglish ? fit.aloneWord : fit.alone;
}
