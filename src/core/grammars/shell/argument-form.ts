import { subcommands, use, usesOf } from '../../knowledge/commands.ts';
import { characterSet } from '../../text/runs.ts';
import { endOfPlainWord } from './sentence.ts';
import type { ShellWord } from './shell-arguments.ts';
import { carrierBetween } from './shell-carrier.ts';
import { wordTrait } from './shell-character.ts';

/** Ways to write a word that only hide it. */
export const hiding: number =
  wordTrait.split | wordTrait.caret | wordTrait.assembled | wordTrait.ifs;

/** True when a word is of the kind that the command takes. */
export function isArgument(uses: number, { text, traits }: ShellWord, index: number): boolean {
  if (text === '') return false;
  if ((traits & (wordTrait.assembled | wordTrait.ifs)) !== 0 || isOperand(uses, text)) return true;
  if (index === 0) {
    if ((uses & use.command) !== 0 && isCommandName(uses, text)) return true;
    if ((uses & use.subcommand) !== 0) return subcommands.has(text.toLowerCase());
  }
  const isQuoted = (traits & wordTrait.quoted) !== 0;
  if ((uses & use.text) !== 0) return isQuoted || outputText.test(text);
  return isQuoted && (uses & use.english) === 0 && (uses & (use.paths | use.interpreter)) !== 0;
}

/** What the command takes in any place. */
function isOperand(uses: number, text: string): boolean {
  return (
    ((uses & use.options) !== 0 && isOption(text)) ||
    ((uses & use.numbers) !== 0 && amount.test(text)) ||
    ((uses & (use.paths | use.hosts)) !== 0 && isPath(text)) ||
    ((uses & use.hosts) !== 0 && (isHost(text) || socketAddress.test(text))) ||
    ((uses & use.variables) !== 0 && variableName.test(text))
  );
}

function isCommandName(uses: number, text: string): boolean {
  const name = text.toLowerCase();
  // `watch trap videos`: a word of a language alone is no command that says or takes anything.
  if ((usesOf(name) & ~use.english) !== 0 || variable.test(text)) return true;
  // `xargs nice`; not `call repeat offenders`.
  return (uses & use.english) === 0 && carrierBetween(name, 0, name.length) !== '';
}

/** A word that is no word of a sentence: it may follow others. */
export function isShellWord(word: ShellWord): boolean {
  return (
    isOption(word.text) ||
    isPath(word.text) ||
    isHost(word.text) ||
    (word.traits & ~wordTrait.braced) !== 0
  );
}

/** Options, paths from the root, addresses: not a file name, not a number. */
export function isSureArgument(word: ShellWord): boolean {
  const text = word.text;
  if (isPlainWord(word)) return false;
  if ((word.traits & hiding) !== 0) return true;
  if (sureOption.test(text) || absolutePath.test(text)) return true;
  return hostMark.test(text) && (url.test(text) || address.test(text));
}

/**
 * True for nearly all words of a sentence, at a glance. None is an argument, as they are too few for
 * an encoded text.
 */
export function isPlainWord({ text, traits }: ShellWord): boolean {
  return traits === 0 && text.length <= plainCharsMax && endOfPlainWord(text, 0) === text.length;
}

const plainCharsMax = 15;

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
  /^(?:~?\/[A-Za-z0-9._*?$-]|\/{2,8}[\w-]{1,40}\/{1,8}[\w.]|\/$|~$|\.{1,2}[/\\]|[A-Za-z]:(?:[\\/%]|$)|\\\\[A-Za-z0-9]|%(?![0-9A-F]{2}%[0-9A-F]{2})[A-Za-z]|\$\{?[A-Za-z]|\*$|\*\.)/;
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
