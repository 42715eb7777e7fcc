import type { Field } from '../extract/field.ts';
import { html } from '../grammars/html/html.ts';
import type { HtmlAttribute, HtmlTag } from '../grammars/html/html-tags.ts';
import type { Match, RequestMatch } from '../rules/rule.ts';
import { followsValue } from '../text/place.ts';
import { confidence } from './confidence.ts';
import type { Subject } from './subject.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The strongest of what was read, the first of several alike. `scoreOf` says 0 where it is no
 * evidence; one that scores `enough` ends the search.
 */
export function strongest<One extends Span>(
  list: Iterable<One>,
  scoreOf: (one: One) => number,
  enough: number = confidence.certain,
  spanOf: (one: One) => Span = (one) => one,
): Match | undefined {
  let best: Match | undefined;
  for (const one of list) {
    const score = scoreOf(one);
    if (score <= (best?.score ?? 0)) continue;
    const { start, end } = spanOf(one);
    best = { start, end, score };
    if (score >= enough) break;
  }
  return best;
}

/** The strongest attribute of a text's tags, and so many of its characters. */
export function strongestAttribute(
  subject: Subject,
  scoreOf: (subject: Subject, tag: HtmlTag, attribute: HtmlAttribute) => number,
  charsMax: number = Number.POSITIVE_INFINITY,
): Match | undefined {
  const tokens = subject.tokens(html);
  if (!tokens.isComplete) subject.incomplete('tokens');
  let best: Match | undefined;
  for (const tag of tokens.tags) {
    for (const attribute of tag.attributes) {
      const score = scoreOf(subject, tag, attribute);
      if (score <= (best?.score ?? 0)) continue;
      const { start, valueEnd } = attribute;
      best = { start, end: Math.min(valueEnd, start + charsMax), score };
      if (score >= confidence.certain) return best;
    }
  }
  return best;
}

/** Where a pattern has matched. */
export function foundBy(
  found: RegExpExecArray | null | undefined,
  score?: number,
): Match | undefined {
  if (found === null || found === undefined) return undefined;
  const place = { start: found.index, end: found.index + found[0].length };
  return score === undefined ? place : { ...place, score };
}

/** Where the first of the patterns matches that does. */
export function foundByFirst(text: string, patterns: readonly RegExp[]): Match | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return foundBy(found);
  }
  return undefined;
}

/** The first field of a request that is evidence as a whole. */
export function firstField(
  fields: readonly Field[],
  isEvidence: (one: Field, index: number) => boolean,
): RequestMatch | undefined {
  const field = fields.findIndex(isEvidence);
  return field < 0 ? undefined : { field, start: 0, end: (fields[field] as Field).text.length };
}

/** A pattern that is evidence of a language beside a value, and less in the middle of prose. */
export interface Form {
  readonly pattern: RegExp;
  readonly score: number;
  readonly inProse: number;
}

/** Patterns that say the same. */
export function forms(score: number, inProse: number, ...patterns: readonly RegExp[]): Form[] {
  return patterns.map((pattern) => ({ pattern, score, inProse }));
}

/** The score of a form where it was found. */
export function scoreInPlace({ input, index }: RegExpExecArray, form: Form): number {
  return followsValue(input, index) ? form.score : form.inProse;
}

/** The strongest of the forms, each where a text has it first. */
export function strongestForm(
  text: string,
  list: readonly Form[],
  scoreOf: (found: RegExpExecArray, form: Form) => number = scoreInPlace,
): Match | undefined {
  let best: Match | undefined;
  for (const form of list) {
    const found = form.pattern.exec(text);
    const score = found === null ? 0 : scoreOf(found, form);
    if (score > (best?.score ?? 0)) best = foundBy(found, score);
  }
  return best;
}

/** Where a literal stands in a text. */
export function* offsetsOf(text: string, literal: string): Generator<number> {
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) yield at;
}

/** An attack is among the first, or drowns on purpose. */
const readMax = 8_192;

/** The first of many; the verdict is incomplete where there are more. */
export function* firstOf<One>(subject: Subject, list: Iterable<One>): Generator<One> {
  let count = 0;
  for (const one of list) {
    if (count++ >= readMax) {
      subject.incomplete('tokens');
      return;
    }
    yield one;
  }
}
