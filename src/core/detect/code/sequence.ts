import { followsValue } from '../../text/place.ts';
import { code, codeToken } from '../../tokenise/code.ts';
import type { Match } from '../rule.ts';
import type { Subject } from '../subject.ts';

/**
 * A sequence of tokens that is evidence of a language, written with blanks between the
 * tokens, lower case. `a|b` is one of several names, `'` any quote, `#` a number, `$` a
 * variable, `*` any token.
 */
export interface Sequence {
  readonly pattern: string;
  readonly score: number;
  /**
   * Score in the middle of prose, where the same is a quotation from a manual; `score` when
   * not said.
   */
  readonly inProse?: number;
  /** Counts only when it is nearly the whole text. */
  readonly isWhole?: true;
  /** Names that must not follow: honest uses of the same form. */
  readonly except?: ReadonlySet<string>;
  /**
   * The first token is a plain function: after a dot and a name it is some object's own
   * method.
   */
  readonly isFunction?: true;
  /** Stands in an expression: after `=` the result is kept, as a program does. */
  readonly isExpression?: true;
}

interface Step {
  readonly kind: 'names' | 'quote' | 'number' | 'variable' | 'any' | 'mark';
  readonly names: ReadonlySet<string>;
}

interface Compiled {
  readonly steps: readonly Step[];
  readonly sequence: Sequence;
}

/** Sequences by their first name, so that a text is walked once whatever their number is. */
export interface Sequences {
  readonly byName: ReadonlyMap<string, readonly Compiled[]>;
  /** 1 for each ASCII character, in both cases, that a first name begins with. */
  readonly starts: Uint8Array;
}

/** Marks sequences that begin with a function, not a method. */
export function asFunctions(sequences: readonly Sequence[]): readonly Sequence[] {
  return sequences.map((sequence) => ({ ...sequence, isFunction: true as const }));
}

/** Compiles sequences; the first token of each must be names. */
export function compileSequences(sequences: readonly Sequence[]): Sequences {
  const byName = new Map<string, Compiled[]>();
  for (const sequence of sequences) {
    const steps = sequence.pattern.split(' ').map(compileStep);
    for (const name of steps[0]?.names ?? []) {
      const list = byName.get(name) ?? [];
      list.push({ steps, sequence });
      byName.set(name, list);
    }
  }
  const starts = new Uint8Array(128);
  for (const name of byName.keys()) {
    starts[name.charCodeAt(0)] = 1;
    starts[name.toUpperCase().charCodeAt(0)] = 1;
  }
  return { byName, starts };
}

function compileStep(part: string): Step {
  const names = new Set(part.length > 1 ? part.split('|') : [part]);
  if (part === "'") return { kind: 'quote', names };
  if (part === '#') return { kind: 'number', names };
  if (part === '$') return { kind: 'variable', names };
  if (part === '*') return { kind: 'any', names };
  return { kind: 'names', names };
}

/** The strongest sequence in the subject's text. */
export function findSequence(subject: Subject, sequences: Sequences): Match | undefined {
  const text = subject.text;
  const tokens = subject.tokens(code);
  if (!tokens.complete) subject.incomplete('tokens');
  let best: Match | undefined;
  let candidates = 0;
  for (let i = 0; i < tokens.count; i++) {
    const start = tokens.starts[i] as number;
    if (sequences.starts[text.charCodeAt(start)] !== 1) continue;
    const list = sequences.byName.get(text.slice(start, tokens.ends[i]).toLowerCase());
    if (list === undefined) continue;
    if (candidates++ >= candidatesMax) {
      subject.incomplete('tokens');
      break;
    }
    for (const compiled of list) {
      if (compiled.sequence.score <= (best?.score ?? 0)) continue;
      const last = matchSteps(subject, compiled.steps, i);
      if (last < 0) continue;
      if (!isInPlace(subject, compiled.sequence, i, last)) continue;
      const given = scoreAt(text, start, tokens.ends[last] as number, compiled.sequence);
      if (given > (best?.score ?? 0))
        best = { start, end: tokens.ends[last] as number, score: given };
    }
  }
  return best;
}

function scoreAt(text: string, start: number, end: number, sequence: Sequence): number {
  const { score, inProse } = sequence;
  if (isCodeSpan(text, start, end)) return inProse ?? Math.min(score, quotedScore);
  return inProse === undefined || followsValue(text, start) ? score : inProse;
}

const quotedScore = 60;

/** Markdown: a pair of backticks around it, and text around these. */
function isCodeSpan(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start - 1) !== 96) return false;
  const close = text.slice(end, end + spanMax).indexOf('`');
  if (close < 0) return false;
  const isWhole = start === 1 && end + close + 1 === text.length;
  return !isWhole && (start === 1 || ' \n[('.includes(text.charAt(start - 2)));
}

const spanMax = 200;

/** First names that are looked at in one text; an attack is among them, or drowns on purpose. */
const candidatesMax = 4_096;

function isInPlace(subject: Subject, sequence: Sequence, first: number, last: number): boolean {
  const { kinds, starts, ends } = subject.tokens(code);
  const next = subject.text.slice(starts[last + 1], ends[last + 1]);
  if (sequence.except?.has(next.toLowerCase()) === true) return false;
  if (sequence.isWhole === true) {
    const length = (ends[last] as number) - (starts[first] as number);
    if (subject.text.length > length + wholeSlack) return false;
  }
  if (sequence.isExpression === true && first > 0) {
    if (subject.text.charAt(starts[first - 1] as number) === '=') return false;
  }
  if (sequence.isFunction !== true || first < 2) return true;
  const before = subject.text.charAt(starts[first - 1] as number);
  // A full stop and a blank end a sentence.
  const isMember = before === '.' && ends[first - 1] === starts[first];
  return !isMember || kinds[first - 2] !== codeToken.name;
}

const wholeSlack = 8;

/** Index of the last token of a match, -1 for none. */
function matchSteps(subject: Subject, steps: readonly Step[], first: number): number {
  const { kinds, starts, ends, count } = subject.tokens(code);
  for (let s = 0; s < steps.length; s++) {
    const index = first + s;
    const step = steps[s] as Step;
    if (index >= count) return -1;
    const word = subject.text.slice(starts[index], ends[index]);
    if (!fits(step, kinds[index] as number, word)) return -1;
  }
  return first + steps.length - 1;
}

function fits(step: Step, kind: number, word: string): boolean {
  switch (step.kind) {
    case 'any':
      return true;
    case 'quote':
      return word === "'" || word === '"' || word === '`';
    case 'number':
      return kind === codeToken.number;
    case 'variable':
      return kind === codeToken.name && word.charCodeAt(0) === 36;
    default:
      return step.names.has(word.toLowerCase());
  }
}
