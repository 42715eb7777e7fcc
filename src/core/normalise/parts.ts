import { asciiClass, charClass, isAlnum, isDigit } from '../text/char-class.ts';
import { wideClassOf } from '../text/wide-class.ts';
import { mayBeLoose } from './base64-loose.ts';
import type { Emit } from './decoder.ts';

/**
 * Emits the parts of a text that was taken apart, under labels that are short and occur once. Parts
 * that the inspection of the whole text covers as well (single words, numbers) are left out; beyond
 * `ownViewsMax` the rest travels together, a part a line, so that a long document costs no more
 * than its length. What may be base64 as a whole never does: it must be read from its start.
 */
export class PartEmitter {
  private readonly emit: Emit;
  private readonly used: Set<string> = new Set();
  private readonly rest: string[] = [];
  /** Those of `scripts` on their own: what a member is for tells how it is judged. */
  private readonly steps: string[] = [];
  private index = 0;

  constructor(emit: Emit) {
    this.emit = emit;
  }

  value(text: string, label: string): void {
    if (isWorthJudging(text)) this.add(text, label, 'value');
    this.index++;
  }

  /** A member name; also emitted when it is one of those that mean something to a script. */
  name(text: string, label: string): void {
    const isSpecial = text.startsWith('__') || text === 'constructor' || text === 'prototype';
    if (isSpecial || isWorthJudging(text)) this.add(text, `name ${label}`, 'name');
  }

  /** Emits what had no view of its own. */
  finish(): void {
    if (this.rest.length > 0) this.emit(this.rest.join('\n'), 'rest');
    if (this.steps.length > 0) this.emit(this.steps.join('\n'), '/scripts/*');
  }

  /** A line break of its own could not be told from those between the parts. */
  private isOfLines(text: string): boolean {
    return this.used.size < linesViewsMax && text.trim().includes('\n');
  }

  private add(text: string, label: string, where: 'value' | 'name'): void {
    if (this.used.size >= ownViewsMax && !mayBeLoose(text, unknown) && !this.isOfLines(text)) {
      (stepLabel.test(label) ? this.steps : this.rest).push(text);
      return;
    }
    const isFree = label.length <= labelCharsMax && !this.used.has(label);
    const unique = isFree ? label : `#${this.index}${where === 'name' ? ' name' : ''}`;
    this.used.add(unique);
    this.emit(text, unique, where);
  }
}

const ownViewsMax = 16;
const linesViewsMax = 48;
const labelCharsMax = 64;

/** True for parts that travel together: the line breaks between them are ours. */
export function isRest(decoded: readonly string[]): boolean {
  return decoded.some((step) => restLabel.test(step));
}

const restLabel = /^\w+:(?:rest|\/scripts\/\*)$/;
const stepLabel = /\/scripts\/[^/]*$/;

/** True when a text is more than one word or number. */
function isWorthJudging(text: string): boolean {
  let runStart = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) {
      if ((wideClassOf[code] as number) !== 0) return true;
    } else if (((asciiClass[code] as number) & ~plainClasses) !== 0) return true;
    if (isAlnum(code)) continue;
    if (isEncodedRun(text, runStart, at)) return true;
    runStart = at + 1;
  }
  return isEncodedRun(text, runStart, text.length) || mayBeLoose(text, unknown);
}

/** The classes of a part are not known here. */
const unknown = { classes: -1 };
const plainClasses = charClass.digit | charClass.underscore | charClass.dash;

/** A long run of letters and digits that is no word: base64 or hex may be behind it. */
function isEncodedRun(text: string, start: number, end: number): boolean {
  if (end - start < encodedLengthMin) return false;
  let hasDigit = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) hasDigit = true;
    else if (hasDigit || (at > start && code < 97)) return true;
  }
  return hasDigit && end - start > numberLengthMax;
}

const encodedLengthMin = 10;
const numberLengthMax = 20;
