import { asciiClass, charClass } from '../text/char-class.ts';
import type { Emit } from './decoder.ts';

/**
 * Emits the parts of a text that was taken apart, under labels that are short and occur once. Parts
 * that the judgement of the whole text covers as well (words, numbers, dates) are left out; beyond
 * `ownViewsMax` the rest travels together, a part a line, so that a long document costs no more than
 * its length.
 */
export class PartEmitter {
  private readonly emit: Emit;
  private readonly used: Set<string> = new Set();
  private readonly rest: string[] = [];
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
  }

  private add(text: string, label: string, where: 'value' | 'name'): void {
    if (this.used.size >= ownViewsMax) {
      this.rest.push(text);
      return;
    }
    const isFree = label.length <= labelCharsMax && !this.used.has(label);
    const unique = isFree ? label : `#${this.index}${where === 'name' ? ' name' : ''}`;
    this.used.add(unique);
    this.emit(text, unique, where);
  }
}

const ownViewsMax = 16;
const labelCharsMax = 64;

/** True when a text holds more than words, numbers, dates and host names. */
function isWorthJudging(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && ((asciiClass[code] as number) & ~plainClasses) !== 0) return true;
  }
  return false;
}

const plainClasses =
  charClass.digit |
  charClass.space |
  charClass.underscore |
  charClass.dash |
  charClass.dot |
  charClass.comma |
  charClass.colon |
  charClass.at;
