import { use, usesOf } from '../../knowledge/commands.ts';
import type { CommandHead } from './shell.ts';
import { lookAheadMax } from './shell-character.ts';
import { introducer } from './shell-introducer.ts';

/**
 * A cheap look at what follows the name of a command: `; where the headings are missing, select
 * all of them` goes on as a sentence. So many words in a row are no arguments, and whatever comes
 * behind them makes no command of it, but for the target of a redirection. `sign` is where the next
 * `<` or `>` stands, for the heads of a text find it together.
 */
export function goesOnAsSentence(text: string, head: CommandHead, sign: number): boolean {
  // Behind a pipe it may be an alternative of a regular expression.
  if (head.traits !== 0 || head.introducer === introducer.pipe) return false;
  let at = head.nameEnd;
  for (let words = 0; words < sentenceWords; words++) {
    at = text.charCodeAt(at) === blank ? endOfPlainWord(text, at + 1) : -1;
    if (at < 0) return false;
  }
  if ((usesOf(head.name) & takesWords) !== 0) return false;
  return !isRedirected(text, head.nameEnd, sign);
}

const sentenceWords = 8;

/** Uses whose arguments are words. */
const takesWords = use.text | use.command | use.subcommand | use.variables;
const blank = 32;
const wordMax = 15;

/** End of a word of small letters, its mark included; -1 for what may be an argument. */
export function endOfPlainWord(text: string, start: number): number {
  if (!isSmall(text.charCodeAt(start) | 32)) return -1;
  let end = start + 1;
  while (end - start <= wordMax && isSmall(text.charCodeAt(end))) end++;
  if (end - start > wordMax || isArgument(text, start, end)) return -1;
  const next = text.charCodeAt(end);
  return next === 44 || next === 46 || next === 33 ? end + 1 : end;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** `localhost`, and the bundled options of `tar` and `ps`. */
function isArgument(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start);
  if (first === 97) return text.charCodeAt(start + 1) === 117 || text.charCodeAt(start + 1) === 120;
  if (first === 108) return text.startsWith('localhost', start);
  const isTar = first === 99 || first === 120 || first === 116;
  return isTar && text.charCodeAt(end - 1) === 102;
}

/** The sign stands as far as arguments are read. */
function isRedirected(text: string, from: number, sign: number): boolean {
  const end = Math.min(text.length, from + 4 * lookAheadMax);
  return sign < end && !text.slice(from, sign).includes(';');
}
