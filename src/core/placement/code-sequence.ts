import { type CodeTokens, code, codeToken } from '../grammars/code/code.ts';
import type { Match } from '../rules/rule.ts';
import { isWord } from '../text/char-class.ts';
import { createWordTable, type WordTable } from '../text/word-table.ts';
import { confidence } from './confidence.ts';
import type { Subject } from './subject.ts';
import { isAtValue } from './value-place.ts';

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
  /** Text that must not follow: the same. */
  readonly unless?: RegExp;
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
  readonly names: WordTable;
  /** Character code of the only mark that fits. */
  readonly mark: number;
}

interface Compiled {
  readonly steps: readonly Step[];
  readonly sequence: Sequence;
}

/** Sequences by their first name, so that a text is walked once whatever their number is. */
interface Sequences {
  readonly byName: ReadonlyMap<string, readonly Compiled[]>;
  readonly names: WordTable;
  /** 1 for each ASCII character, in both cases, that a first name begins with. */
  readonly starts: Uint8Array;
  /** A sequence begins with a mark, or with a name of one character. */
  readonly hasShort: boolean;
}

/** Sequences that say the same, of a function or an object each. */
export function rated(
  level: Omit<Sequence, 'pattern'>,
  ...patterns: readonly string[]
): readonly Sequence[] {
  return patterns.map((pattern) => ({ ...level, pattern }));
}

/** Marks sequences that begin with a function, not a method. */
export function asFunctions(sequences: readonly Sequence[]): readonly Sequence[] {
  return sequences.map((sequence) => ({ ...sequence, isFunction: true as const }));
}

/** Compiles sequences; the first token of each must be names. */
export function compileSequences(sequences: readonly Sequence[]): Sequences {
  const byName = new Map<string, Compiled[]>();
  for (const sequence of sequences) {
    const parts = sequence.pattern.split(' ');
    const steps = parts.map(compileStep);
    for (const name of namesOf(parts[0] ?? '')) {
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
  const hasShort = [...byName.keys()].some((name) => name.length === 1);
  return { byName, names: createWordTable(byName.keys()), starts, hasShort };
}

function compileStep(part: string): Step {
  const names = createWordTable(namesOf(part));
  const mark = part.charCodeAt(0);
  if (part === "'") return { kind: 'quote', names, mark };
  if (part === '#') return { kind: 'number', names, mark };
  if (part === '$') return { kind: 'variable', names, mark };
  if (part === '*') return { kind: 'any', names, mark };
  return { kind: part.length === 1 && !isWord(mark) ? 'mark' : 'names', names, mark };
}

function namesOf(part: string): readonly string[] {
  return part.length > 1 ? part.split('|') : [part];
}

/** The strongest sequence in the subject's text. */
export function findSequence(subject: Subject, sequences: Sequences): Match | undefined {
  const text = subject.text;
  const tokens = subject.tokens(code);
  const { starts, names, byName, hasShort } = sequences;
  const places = hasShort ? tokens.count : tokens.nameCount;
  if (!tokens.complete) subject.incomplete('tokens');
  let best: Match | undefined;
  let candidates = 0;
  for (let place = 0; place < places; place++) {
    const i = hasShort ? place : (tokens.names[place] as number);
    const start = tokens.starts[i] as number;
    if (starts[text.charCodeAt(start)] !== 1) continue;
    const name = names.wordBetween(text, start, tokens.ends[i] as number);
    const list = name === '' ? undefined : byName.get(name);
    if (list === undefined) continue;
    if (candidates++ >= candidatesMax) {
      subject.incomplete('tokens');
      break;
    }
    for (const compiled of list) {
      if (compiled.sequence.score <= (best?.score ?? 0)) continue;
      const last = matchSteps(text, tokens, compiled.steps, i);
      if (last < 0) continue;
      if (!isInPlace(text, tokens, compiled.sequence, { first: i, last })) continue;
      const given = scoreAt(subject, start, tokens.ends[last] as number, compiled.sequence);
      if (given > (best?.score ?? 0))
        best = { start, end: tokens.ends[last] as number, score: given };
    }
  }
  return best;
}

function scoreAt(subject: Subject, start: number, end: number, sequence: Sequence): number {
  const { score, inProse } = sequence;
  const { text } = subject;
  if (isCodeSpan(text, start, end)) return inProse ?? Math.min(score, quotedScore);
  return inProse === undefined || isAtValue(subject, start) ? score : inProse;
}

const quotedScore = confidence.hint;

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

function isInPlace(
  text: string,
  tokens: CodeTokens,
  sequence: Sequence,
  { first, last }: { readonly first: number; readonly last: number },
): boolean {
  const { kinds, starts, ends, count } = tokens;
  if (sequence.except !== undefined && last + 1 < count) {
    const next = text.slice(starts[last + 1], ends[last + 1]);
    if (sequence.except.has(next.toLowerCase())) return false;
  }
  if (sequence.unless?.test(text.slice(ends[last], (ends[last] as number) + unlessMax)) === true)
    return false;
  if (sequence.isWhole === true) {
    const length = (ends[last] as number) - (starts[first] as number);
    if (text.length > length + wholeSlack) return false;
  }
  if (sequence.isExpression === true && first > 0) {
    if (text.charAt(starts[first - 1] as number) === '=') return false;
  }
  if (sequence.isFunction !== true || first < 2) return true;
  const before = text.charAt(starts[first - 1] as number);
  // A full stop and a blank end a sentence.
  const isMember = before === '.' && ends[first - 1] === starts[first];
  return !isMember || kinds[first - 2] !== codeToken.name;
}

const wholeSlack = 8;
const unlessMax = 120;

/** Index of the last token of a match, -1 for none. */
function matchSteps(
  text: string,
  tokens: CodeTokens,
  steps: readonly Step[],
  first: number,
): number {
  const last = first + steps.length - 1;
  if (last >= tokens.count) return -1;
  for (let index = first; index <= last; index++) {
    if (!fits(text, tokens, index, steps[index - first] as Step)) return -1;
  }
  return last;
}

function fits(text: string, tokens: CodeTokens, index: number, step: Step): boolean {
  const kind = tokens.kinds[index];
  const start = tokens.starts[index] as number;
  const code = text.charCodeAt(start);
  switch (step.kind) {
    case 'any':
      return true;
    case 'mark':
      return code === step.mark && kind === codeToken.mark;
    case 'quote':
      return code === 39 || code === 34 || code === 96;
    case 'number':
      return kind === codeToken.number;
    case 'variable':
      return kind === codeToken.name && code === 36;
    default:
      return step.names.wordBetween(text, start, tokens.ends[index] as number) !== '';
  }
}
