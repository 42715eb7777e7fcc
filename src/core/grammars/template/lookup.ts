import { limits } from '../../../contract/limits.ts';
import type { Grammar } from '../grammar.ts';

/** An outermost `${…}` of a text, after its inner look-ups were resolved. */
export interface Lookup {
  readonly start: number;
  readonly end: number;
  /**
   * What stands between the braces, in lower case, once inner look-ups are replaced by their value.
   */
  readonly resolved: string;
  /** Look-ups inside it. */
  readonly inner: number;
  /** Nested deeper than is resolved. */
  readonly isTooDeep: boolean;
  /** False where the text ends before the brace. */
  readonly isClosed: boolean;
}

/** The look-ups of a text. */
interface LookupReading {
  readonly lookups: readonly Lookup[];
  /** False when there were more than `limits.tokensMax`. */
  readonly complete: boolean;
}

/**
 * Resolves `${…}` look-ups the way Log4j does: `${lower:J}`, `${upper:j}`, `${::-j}`,
 * `${env:NAME:-j}`, `${date:'j'}`, nested to any depth up to a bound. What only the server knows
 * (`${env:USER}`) resolves to nothing; `${sys:file.separator}` is known.
 */
export const lookupGrammar: Grammar<LookupReading> = {
  name: 'lookup',
  read(text) {
    const lookups: Lookup[] = [];
    // Behind a `$` of the program's own message, `paid $` and the value.
    if (behindDollar.test(text)) lookups.push(readLookup(text, -1));
    let at = text.indexOf('${');
    while (at >= 0) {
      if (lookups.length >= limits.tokensMax) return { lookups, complete: false };
      const lookup = readLookup(text, at);
      lookups.push(lookup);
      at = text.indexOf('${', Math.max(lookup.end, at + 2));
    }
    return { lookups, complete: true };
  },
};

/** A brace, and a name or a nested look-up: no object of JSON. */
const behindDollar = /^\{[A-Za-z$]/;

const depthMax = 32;
const frameCharsMax = 512;
const lookupCharsMax = 4_096;

function readLookup(text: string, start: number): Lookup {
  const frames: string[] = [''];
  const limit = Math.min(text.length, start + lookupCharsMax);
  let inner = 0;
  let isTooDeep = false;
  let at = start + 2;
  /** Where the characters begin that no frame holds yet. */
  let piece = at;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === 36 && text.charCodeAt(at + 1) === 123) {
      if (frames.length >= depthMax) {
        isTooDeep = true;
        break;
      }
      appendPiece(frames, text, piece, at);
      frames.push('');
      inner++;
      at += 2;
      piece = at;
      continue;
    }
    at++;
    if (code === 125) {
      appendPiece(frames, text, piece, at - 1);
      piece = at;
      const content = frames.pop() ?? '';
      if (frames.length === 0) {
        return {
          start: Math.max(0, start),
          end: at,
          resolved: content.toLowerCase(),
          inner,
          isTooDeep,
          isClosed: true,
        };
      }
      append(frames, valueOfLookup(content));
    }
  }
  // The text was cut off: what is open counts as it stands.
  appendPiece(frames, text, piece, at);
  while (frames.length > 1) append(frames, frames.pop() ?? '');
  const resolved = (frames[0] ?? '').toLowerCase();
  return { start: Math.max(0, start), end: at, resolved, inner, isTooDeep, isClosed: false };
}

/** At once: character by character it would become a rope with as many nodes. */
function appendPiece(frames: string[], text: string, start: number, end: number): void {
  const room = frameCharsMax - (frames[frames.length - 1] ?? '').length;
  if (room > 0 && end > start) append(frames, text.slice(start, Math.min(end, start + room)));
}

function append(frames: string[], text: string): void {
  const top = frames.length - 1;
  const frame = frames[top] ?? '';
  if (frame.length < frameCharsMax) frames[top] = frame + text;
}

/** The value of an inner look-up. A nested `jndi:` stays, so that it is seen. */
function valueOfLookup(content: string): string {
  const fallback = content.indexOf(':-');
  const prefix = content.slice(0, content.indexOf(':') + 1).toLowerCase();
  if (prefix === 'lower:') return content.slice(6).toLowerCase();
  if (prefix === 'upper:') return content.slice(6).toUpperCase();
  if (prefix === 'jndi:') return content;
  if (prefix === 'date:') return content.slice(5).replaceAll("'", '');
  const separator = prefix === 'sys:' ? separators.get(content.slice(4)) : undefined;
  return separator ?? (fallback < 0 ? '' : content.slice(fallback + 2));
}

/** Properties of every virtual machine that are punctuation (Java, System.getProperties). */
const separators: ReadonlyMap<string, string> = new Map([
  ['path.separator', ':'],
  ['file.separator', '/'],
]);
