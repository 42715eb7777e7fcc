import { subcommands, use, usesOf } from '../../knowledge/commands.ts';
import { isAlnum } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import { wordList, wordSet } from '../../text/words.ts';
import type { CommandHead } from './shell.ts';
import { type Arguments, readArguments, type ShellWord } from './shell-arguments.ts';
import { wordTrait } from './shell-character.ts';
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

export type Fit = (typeof fit)[keyof typeof fit];

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
): Command | undefined {
  if ((head.traits & wordTrait.call) !== 0) return undefined;
  const path = resolvePath(firstField(head));
  const own = usesOf(path);
  const name = own !== 0 ? path : commandName(path);
  const named = name === path ? own : usesOf(name);
  const known = named !== 0 && isCaseOf(text, head, name) ? named : 0;
  const isPath = known === 0 && (isProgramPath(path) || isGlobPath(head));
  const isVariable = known === 0 && isShellVariable(head);
  if (known === 0 && !isPath && !isVariable) return undefined;
  const uses = known !== 0 ? known : use.options | use.paths | use.hosts | use.sureAlone;
  const given = readArguments(text, head);
  const inProgramPath = known !== 0 && name !== path && isProgramPath(path);
  const hidden = isHidden(head, name) || isGlobPath(head) || isVariable;
  const words = given.words;
  let found = fitOf(uses, given, head);
  const isQuiet = words.length === 0;
  if (isQuiet && (inProgramPath || (hidden && known !== 0))) found = fit.sureAlone;
  if (!isQuiet && inProgramPath && words.every(isShellWord)) found = fit.full;
  if (found === fit.weak && hidden) found = fit.full;
  const hidesArgument = found === fit.full && words.some((word) => (word.traits & hiding) !== 0);
  const last = words[words.length - 1];
  return {
    head,
    chain,
    structured,
    fit: found,
    uses,
    end: given.end,
    hidden,
    hidesArgument,
    name,
    isSure: given.redirect || given.substitution || words.some(isSureArgument),
    endsPlain: last !== undefined && !isShellWord(last) && !isArgument(uses & ~use.text, last, 0),
  };
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
  '/bin/ /sbin/ /usr/bin/ /usr/sbin/ /usr/local/bin/ /usr/local/sbin/ usr/bin/ bin/',
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
  return folder.length >= 3 && folder.length <= 16 && rootFolders.some((one) => globs(folder, one));
}

const rootFolders: readonly string[] = ['bin', 'usr', 'sbin'];

/** Matches a pattern of `?`, `*` and `[…]` with a short name. */
function globs(pattern: string, name: string): boolean {
  let at = 0;
  for (let i = 0; i < pattern.length; i++) {
    const code = pattern.charCodeAt(i);
    if (code === 42) return i > 0;
    if (code === 91) {
      const close = pattern.indexOf(']', i);
      if (close < 0) return false;
      i = close;
    } else if (code !== 63 && code !== name.charCodeAt(at)) return false;
    at++;
  }
  return at === name.length;
}

/** `$a$b`, `$CMD`, `${x}`: a command out of a variable. */
function isShellVariable(head: CommandHead): boolean {
  if ((head.traits & wordTrait.expansion) === 0 || head.introducer === introducer.start)
    return false;
  return shellVariable.test(head.name);
}

const shellVariable = /^\$(?:cmd|command|shell|0|bash|sh)$/;

const hiding = wordTrait.split | wordTrait.caret | wordTrait.assembled | wordTrait.ifs;

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
  if (isLower && name.length > 1) return true;
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

function fitOf(uses: number, given: Arguments, head: CommandHead): Fit {
  const { words, redirect, substitution } = given;
  if (head.name === '.' && words.length > 0) return isDotCommand(given, head) ? fit.full : fit.none;
  // One letter is a command only when nothing else is there.
  if (head.nameEnd - head.nameStart === 1 && words.length > 0) return fit.none;
  const isOutput = given.sureRedirect || (redirect && (uses & says) !== 0);
  if (given.input && words.length <= inputWordsMax) return fit.full;
  if (words.length === 0) {
    if (substitution && (uses & use.english) === 0) return fit.full;
    return isOutput ? fit.full : aloneFit(uses, head);
  }
  const isRedirected = isOutput || (redirect && words.length > 1);
  if (isRedirected && (uses & use.english) === 0) return fit.full;
  let structured = isRedirected ? 1 : 0;
  let plain = 0;
  words.forEach((word, index) => {
    if (index > 0 && isPlainWord(word)) plain++;
    else if (isArgument(uses, word, index)) structured++;
    else if (!isShellWord(word)) plain++;
  });
  // `sleep 8`, but not `sleep 8 hours`.
  if ((uses & use.numbers) !== 0 && (uses & use.english) !== 0 && plain > 0) return fit.none;
  const braced = (head.traits & (wordTrait.braced | wordTrait.ifs)) !== 0;
  if (structured > 0 && isArgument(uses, words[0] as ShellWord, 0)) {
    return plain <= structured + 1 || braced ? fit.full : fit.weak;
  }
  if (braced || (substitution && plain < 2)) return fit.full;
  if ((uses & use.text) !== 0) return plain <= 3 ? fit.weak : fit.none;
  const takesWords =
    words.length <= 2 &&
    (uses & (use.paths | use.hosts | use.numbers | use.command | use.subcommand)) !== 0;
  return structured > plain || takesWords ? fit.weak : fit.none;
}

/** A file is read: names, options and the file itself. */
const inputWordsMax = 4;

/** `; . /tmp/x`: the shell reads its commands from a file. */
function isDotCommand({ words }: Arguments, head: CommandHead): boolean {
  return (
    head.introducer !== introducer.start && words.length < 3 && dotFile.test(words[0]?.text ?? '')
  );
}

const dotFile = /^(?:(?:~?\/|\.{1,2}\/|\$[A-Z]{2,12}\/)[A-Za-z0-9_.]|\.[a-z]{2,12}$)/;

/** Commands that say something without arguments: their output alone is worth a file. */
const says = use.sureAlone | use.alone | use.interpreter | use.text;

function aloneFit(uses: number, head: CommandHead): Fit {
  if ((uses & use.sureAlone) !== 0) return fit.sureAlone;
  if ((uses & use.interpreter) !== 0) {
    return head.introducer === introducer.pipe ? fit.sureAlone : fit.aloneWord;
  }
  if ((uses & use.alone) === 0) return fit.none;
  return (uses & use.english) !== 0 ? fit.aloneWord : fit.alone;
}

/**
 * True for nearly all words of a sentence, at a glance: letters, all but the first of them small,
 * and a mark behind them. None is an argument, as they are too few for an encoded text and not the
 * bundled options of `tar` and `ps`.
 */
function isPlainWord({ text, traits }: ShellWord): boolean {
  if (traits !== 0 || text.length > plainCharsMax || text === 'localhost') return false;
  const last = text.charCodeAt(text.length - 1);
  const isMarked = last === 44 || last === 46 || last === 33;
  const end = isMarked ? text.length - 1 : text.length;
  if (end < 2 || mayBundle(text)) return false;
  const first = text.charCodeAt(0) | 32;
  if (first < 97 || first > 122) return false;
  for (let at = 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

const plainCharsMax = 15;

/** `aux`, `axf`, `xvf`: what the pattern `option` takes of letters alone. */
function mayBundle(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 97) return text.charCodeAt(1) === 117 || text.charCodeAt(1) === 120;
  const isTar = first === 99 || first === 120 || first === 116;
  return isTar && text.charCodeAt(text.length - 1) === 102;
}

/** True when a word is of the kind that the command takes. */
function isArgument(uses: number, word: ShellWord, index: number): boolean {
  const text = word.text;
  if (text === '') return false;
  if ((word.traits & (wordTrait.assembled | wordTrait.ifs)) !== 0) return true;
  if ((uses & use.options) !== 0 && isOption(text)) return true;
  if ((uses & use.numbers) !== 0 && amount.test(text)) return true;
  if ((uses & use.paths) !== 0 && isPath(text)) return true;
  if ((uses & use.hosts) !== 0 && (isHost(text) || isPath(text))) return true;
  if ((uses & use.command) !== 0 && index === 0) {
    if (usesOf(text.toLowerCase()) !== 0 || variable.test(text)) return true;
  }
  if ((uses & use.variables) !== 0 && variableName.test(text)) return true;
  if ((uses & use.hosts) !== 0 && socketAddress.test(text)) return true;
  if ((uses & use.subcommand) !== 0 && index === 0) return subcommands.has(text.toLowerCase());
  const isQuoted = (word.traits & wordTrait.quoted) !== 0;
  if ((uses & use.text) !== 0) return isQuoted || outputText.test(text);
  return isQuoted && (uses & use.english) === 0 && (uses & (use.paths | use.interpreter)) !== 0;
}

/** A word that is no word of a sentence: it may follow others. */
function isShellWord(word: ShellWord): boolean {
  return (
    isOption(word.text) ||
    isPath(word.text) ||
    isHost(word.text) ||
    (word.traits & ~wordTrait.braced) !== 0
  );
}

/** Options, paths from the root, addresses: not a file name, not a number. */
function isSureArgument(word: ShellWord): boolean {
  const text = word.text;
  if (isPlainWord(word)) return false;
  if ((word.traits & hiding) !== 0) return true;
  if (sureOption.test(text) || absolutePath.test(text)) return true;
  return hostMark.test(text) && (url.test(text) || address.test(text));
}

const sureOption = /^(?:-[A-Za-z]{1,3}$|--[a-z]{2}|\/[A-Za-z?]{1,2}$)/;
/** Also `if=/dev/zero`, an operand of dd. */
const option =
  /^(?:[io]f=[\w~/.$*-]|-[A-Za-z]\{\}$|aux[wf]{0,3}$|[cxt][vzjJp]{0,3}f$|ax[fu]?$|[ugoa]{0,4}[+=-][rwxXst]{1,4}$|-[A-Za-z0-9?@#]{1,12}$|--[a-z][a-z0-9-]{1,30}(?:=|$)|\/[A-Za-z?]{1,10}(?::|$)|-[A-Za-z][A-Za-z:=./\d_-]{0,40}$|\+(?:no)?(?:short|trace|tcp|vc|all|answer|search|recurse|time=|tries=|timeout=|subnet=))/;
/** `$X`, `${X}` */
const variable = /^\$\{?[A-Za-z_]/;
/** `PATH`, `AWS_SECRET_KEY` */
const variableName = /^[A-Z][A-Z0-9_]{2,40}(?:=|$)/;
/** `exec:'sh',pty` and `tcp:192.0.2.7:80` of socat */
const socketAddress =
  /^(?:exec|system|(?:tcp|udp|sctp|openssl|unix|tun)[46a-z-]{0,10}|pty|file|open):/i;
const amount = /^-?\d{1,9}(?:\.\d{1,6})?[smhd]?$/;
const outputText = /^(?:[-$"'<%/\\]|[A-Za-z0-9+/]{16,400}={0,2}$|[A-Za-z0-9_]{1,40}[=:|>])|\d/;

/** Patterns are tried only on words that begin as they do: most words begin with a letter. */
function isOption(text: string): boolean {
  return mayBeOption[text.charCodeAt(0)] === 1 && option.test(text);
}

const mayBeOption: Uint8Array = characterSet('-+=/acgiotux');

/** A path or a file, as only a shell or a programmer would write it. */
function isPath(text: string): boolean {
  const mayBeAbsolute = startsPath[text.charCodeAt(0)] === 1 || text.charCodeAt(1) === 58;
  if (mayBeAbsolute && absolutePath.test(text)) return true;
  return text.includes('.') && (fileName.test(text) || text === '.' || text === '..');
}

const startsPath: Uint8Array = characterSet('~/.\\%$*');

const absolutePath =
  /^(?:~?\/[A-Za-z0-9._*?$-]|\/$|~$|\.{1,2}[/\\]|[A-Za-z]:(?:[\\/%]|$)|\\\\[A-Za-z0-9]|%(?![0-9A-F]{2}%[0-9A-F]{2})[A-Za-z]|\$\{?[A-Za-z]|\*$|\*\.)/;
const fileName =
  /^(?:[A-Za-z0-9_*-]{1,40}\/[\w./-]{0,80}\.[a-z][a-z0-9]{0,5}|[A-Za-z0-9_*-][A-Za-z0-9_.*-]{0,60}\.[A-Za-z][A-Za-z0-9]{0,5}|\.[a-z]\w{1,12})$/;

function isHost(text: string): boolean {
  if (!hostMark.test(text)) return text === 'localhost';
  return (
    account.test(text) ||
    url.test(text) ||
    scriptUrl.test(text) ||
    address.test(text) ||
    domain.test(text)
  );
}

const hostMark = /[.:@]/;

const account = /^[A-Za-z0-9._-]{1,32}@[A-Za-z0-9.-]{1,64}:?/;
const url = /^[A-Za-z][A-Za-z0-9+.-]{1,12}:\/\//;
/** What `mshta` and `rundll32` run. */
const scriptUrl = /^(?:java|vb)script:/i;
const address = /^(?:\d{1,3}\.){3}\d{1,3}(?:[:/]|$)/;
const domain = /^(?:[\w$`{}()-]{1,63}\.){1,8}[A-Za-z]{2,18}(?:[:/?]|$)/;
