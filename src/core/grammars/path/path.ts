import { limits } from '../../../contract/limits.ts';
import { characterSet } from '../../text/runs.ts';
import type { Grammar } from '../grammar.ts';
import {
  codeOf,
  disguised,
  isDisguised,
  isProgramFiles,
  kindOf,
  lengthOf,
  nextWord,
  readUnit,
  unitKind,
} from './path-unit.ts';

/**
 * One path in a text: a word that holds a separator, its segments walked as a file system would.
 */
export interface PathWord {
  readonly start: number;
  readonly end: number;
  /** Segments that go up: `..`, and the forms that become `..` when a filter cuts out `../`. */
  readonly climbs: number;
  /** How many levels the word goes above the place where it starts. */
  readonly above: number;
  /** Segments of three or more dots, and dots glued to a name: `.../`, `..etc/`. */
  readonly wide: number;
  /** A dot or a separator is spelt in a way that no benign client uses. */
  readonly disguised: boolean;
  /** `..;/`: the path parameter hides the segment from a proxy in front of a servlet container. */
  readonly params: boolean;
  /** Offset after the last segment that goes up; the start where there is none. */
  readonly tail: number;
  /** Begins with a separator or a drive letter. */
  readonly absolute: boolean;
  /** Stands after `scheme:` and begins with `//host`. */
  readonly url: boolean;
  /** Offset of a null byte or another control character behind a name, -1 without. */
  readonly nul: number;
  /** Longest run of dots. */
  readonly dotRun: number;
  /** Dots and separators only. */
  readonly nameless: boolean;
}

/** The paths of a text. */
export interface PathReading {
  readonly words: readonly PathWord[];
  /** False when there were more words than `limits.tokensMax`. */
  readonly complete: boolean;
}

/** Reads the paths in a text. Both separators count, in all the spellings of `path-unit.ts`. */
export const pathGrammar: Grammar<PathReading> = {
  name: 'path',
  read(text) {
    const words: PathWord[] = [];
    const walk = new Walk();
    let at = 0;
    while (at < text.length) {
      if (words.length >= limits.tokensMax) return { words, complete: false };
      at = nextWord(text, at);
      at = walk.read(text, at);
      if (walk.isPath()) words.push(walk.result());
    }
    return { words, complete: true };
  },
};

const longDotRun = 6;

/** Zero and `x` begin what is spelt in hex. */
const isPlainName: Uint8Array = characterSet(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwyz123456789_-',
);

/** The walk over one word, reused for the next. */
class Walk {
  private start = 0;
  private end = 0;
  private separators = 0;
  private dotRun = 0;
  private hasName = false;
  private climbs = 0;
  private depth = 0;
  private lowest = 0;
  private wide = 0;
  private isDisguised = false;
  private params = false;
  private tail = 0;
  private absolute = false;
  private url = false;
  private nul = -1;
  // The segment that is being read; `dots` is the run of dots at its end.
  private dots = 0;
  private named = false;
  private segmentStart = 0;
  private segmentDisguised = false;
  private afterWide = false;

  isPath(): boolean {
    return this.separators > 0 || this.dotRun >= longDotRun;
  }

  /** Reads one word and returns the offset after what ended it. */
  read(text: string, start: number): number {
    this.begin(start);
    this.url = false;
    let at = start;
    while (at < text.length) {
      // Most characters go on with a name that has begun, and change nothing.
      if (this.named && this.dots === 0 && isPlainName[text.charCodeAt(at)] === 1) {
        at++;
        continue;
      }
      const unit = this.hiddenUnit(text, at) || readUnit(text, at);
      const kind = kindOf(unit);
      if (kind === unitKind.stop) {
        this.finish(at);
        return at + lengthOf(unit);
      }
      if (isDisguised(unit)) this.segmentDisguised = true;
      const next = at + lengthOf(unit);
      if (kind === unitKind.separator) this.takeSeparator(at, next);
      else if (kind === unitKind.dot) this.takeDot();
      else if (kind === unitKind.ignored) this.takeIgnored(at);
      else if (kind === unitKind.name || this.named) this.takeName(text, at, codeOf(unit));
      at = next;
    }
    this.finish(at);
    return at;
  }

  result(): PathWord {
    return {
      start: this.start,
      end: this.end,
      climbs: this.climbs,
      above: 0 - this.lowest,
      wide: this.wide,
      disguised: this.isDisguised,
      params: this.params,
      tail: this.tail,
      absolute: this.absolute,
      url: this.url,
      nul: this.nul,
      dotRun: this.dotRun,
      nameless: !this.hasName,
    };
  }

  private begin(start: number): void {
    this.start = start;
    this.tail = start;
    this.segmentStart = start;
    this.separators = 0;
    this.dotRun = 0;
    this.hasName = false;
    this.climbs = 0;
    this.depth = 0;
    this.lowest = 0;
    this.wide = 0;
    this.isDisguised = false;
    this.params = false;
    this.absolute = false;
    this.nul = -1;
    this.dots = 0;
    this.named = false;
    this.segmentDisguised = false;
    this.afterWide = false;
  }

  /** What is a dot or a separator only beside dots: `.?/`, `..2f..2f`. */
  private hiddenUnit(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === 32) return isProgramFiles(text, at) ? nameUnit : 0;
    if (code === questionMark) {
      return !this.named && this.dots < 2 && isDotPair(text, at, this.dots)
        ? disguised(unitKind.dot, 1)
        : 0;
    }
    if (this.named || this.dots < 2) return 0;
    return code === 50 || code === 53 ? this.bareSeparator(text, at) : 0;
  }

  /** `2f` and `5c`: only beside another such step, as "..2for1" is a benign ellipsis. */
  private bareSeparator(text: string, at: number): number {
    const pair = text.slice(at, at + 2).toLowerCase();
    if (pair !== '2f' && pair !== '5c') return 0;
    const isTwin = text.slice(at + 2, at + 6).toLowerCase() === `..${pair}`;
    const isNext = isTwin || this.climbs > 0 || rootName.test(text.slice(at + 2, at + 9));
    return isNext ? disguised(unitKind.separator, 2) : 0;
  }

  private takeDot(): void {
    this.dots++;
    if (this.dots > this.dotRun) this.dotRun = this.dots;
  }

  private takeSeparator(at: number, next: number): void {
    this.separators++;
    if (at === this.start) this.absolute = true;
    this.closeSegment(at, next);
  }

  private closeSegment(at: number, next: number): void {
    const dots = this.named ? 0 : this.dots;
    if (this.segmentDisguised && (dots > 0 || this.climbs > 0)) this.isDisguised = true;
    if (dots === 2) this.climb(next);
    else if (dots > 2) {
      this.wide++;
      this.tail = next;
    } else if (this.named) this.depth++;
    else if (this.afterWide && (dots === 1 || at === this.segmentStart)) {
      // `..././` and `....//` are `../` once a filter has cut `../` out of them.
      this.wide--;
      this.isDisguised = true;
      this.climb(next);
    }
    this.afterWide = dots > 2;
    this.dots = 0;
    this.named = false;
    this.segmentDisguised = false;
    this.segmentStart = next;
  }

  private climb(next: number): void {
    this.climbs++;
    this.depth--;
    if (this.depth < this.lowest) this.lowest = this.depth;
    this.tail = next;
  }

  private takeIgnored(at: number): void {
    // Behind a name, or behind the separator that ends one.
    if (this.named || (this.dots === 0 && this.depth > 0)) {
      if (this.nul < 0) this.nul = at;
    } else this.segmentDisguised = true;
  }

  private takeName(text: string, at: number, code: number): void {
    if (!this.named && this.dots >= 2) {
      if (code === semicolon && isServletSegment(text, at)) {
        this.params = true;
        this.climb(at);
        // The parameter's text closes as a name and must not count as one.
        this.depth--;
      } else {
        this.wide++;
        this.tail = at;
      }
    }
    this.dots = 0;
    this.named = true;
    this.hasName = true;
    if (code === colon && isSeparator(text.charCodeAt(at + 1))) {
      if (at - this.start === 1) this.absolute = true;
      else {
        // `scheme:` or `key:` in front of a path: the path is the word.
        this.begin(at + 1);
        this.url = isSeparator(text.charCodeAt(at + 2)) && !isSeparator(text.charCodeAt(at + 3));
      }
    }
  }

  private finish(end: number): void {
    this.end = end;
    if (!this.named && this.dots > 0 && this.separators > 0) this.closeSegment(end, end);
  }
}

/** Directories that a climb ends at. */
const rootName = /^(?:etc|var|proc|root|usr|home|win|boot|apache|opt|inetpub)/i;

/** Stands for one character of a name. */
const nameUnit = (32 << 12) | (1 << 4);

const questionMark = 63;
const semicolon = 59;
const colon = 58;

function isSeparator(code: number): boolean {
  return code === 47 || code === 92;
}

function isDotLike(code: number): boolean {
  return code === 46 || code === questionMark;
}

/** Is the `?` one of two dots in front of a separator, what a failed conversion leaves of a dot? */
function isDotPair(text: string, at: number, dotsBefore: number): boolean {
  let next = at + 1;
  if (dotsBefore === 0) {
    if (!isDotLike(text.charCodeAt(next))) return false;
    next++;
  }
  return next < text.length && kindOf(readUnit(text, next)) === unitKind.separator;
}

/** `..;/` and `..;name=value/`: is there a separator soon after the `;`? */
function isServletSegment(text: string, at: number): boolean {
  for (let i = at + 1; i < Math.min(text.length, at + 40); i++) {
    const code = text.charCodeAt(i);
    if (code === 47) return true;
    if (code <= 32 || code === semicolon) return false;
  }
  return false;
}

const plainCharsMax = 240;

/**
 * A path in plain spelling from an offset on: lower case, `/` between names, no drive, no `.`
 * segments, and no name with the `..` that takes it back.
 */
export function plainPath(text: string, word: PathWord, from: number = word.tail): string {
  let plain = '';
  const end = word.nul >= from ? word.nul : word.end;
  const bare =
    word.disguised && bareHexStep.test(text.slice(word.start, word.start + plainCharsMax));
  for (let at = from; at < end && plain.length < plainCharsMax; ) {
    if (bare && text.startsWith('2f', at)) {
      plain += '/';
      at += 2;
      continue;
    }
    const unit = readUnit(text, at);
    const kind = kindOf(unit);
    if (kind === unitKind.separator) {
      if (plain.endsWith('/.')) plain = plain.slice(0, -1);
      else if (plain.endsWith('/..')) plain = steppedBack(plain);
      if (!plain.endsWith('/')) plain += '/';
    } else if (kind === unitKind.dot) plain += '.';
    else if (kind !== unitKind.ignored) plain += String.fromCharCode(codeOf(unit));
    at += lengthOf(unit);
  }
  plain = plain.toLowerCase();
  return plain.charCodeAt(1) === colon && plain.charCodeAt(2) === 47 ? plain.slice(2) : plain;
}

/** `/a/b/..` is `/a/`, and `/..` the root; a relative path keeps its first steps up. */
function steppedBack(plain: string): string {
  const from = plain.lastIndexOf('/', plain.length - 4);
  const name = plain.slice(from + 1, -3);
  return name === '..' ? plain : plain.slice(0, from + 1) || '/';
}

/** `..2f`: the hexadecimal code of the separator without any mark. */
const bareHexStep = /\.\.2f/i;
