import type { Category } from '../contract/category.ts';
import type {
  ExplainedField,
  ExplainedFinding,
  ExplainedVerdict,
  ExplainedView,
  ExplainInput,
  Explanation,
  FindingStep,
} from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import { thresholds } from '../contract/policy.ts';
import type { ScreeningRequest } from '../contract/request.ts';
import type { Finding, Verdict } from '../contract/verdict.ts';
import { type Field, pointerOf, whereOf } from './extract/field.ts';
import { readJson } from './extract/json-reader.ts';
import { isPartName } from './extract/part-names.ts';
import { pushContext } from './extract/request-view.ts';
import { natureOf } from './normalise/nature.ts';
import { dataDecoders, decoders, deservesLook, isExpanded } from './normalise/registry.ts';
import { replaySteps } from './normalise/replay.ts';
import { isReadBy, type View, ViewQueue } from './normalise/views.ts';
import { askedCustomRules } from './policy/custom-rule.ts';
import type { PolicyPlan } from './policy/plan.ts';
import type { InCategory, ValueRule } from './rules/rule.ts';
import { listTriggered, type RuleSet } from './rules/rule-set.ts';

interface How {
  readonly rules: RuleSet;
  readonly plan: PolicyPlan;
  readonly depth: ExplainInput['depth'];
}

/**
 * How a verdict came about. Made after the fact, by walking the same views again: screening itself
 * keeps no trace and pays nothing for this.
 */
export function explainVerdict(
  request: ScreeningRequest,
  result: { readonly verdict: Verdict; readonly steps: number },
  how: How,
): Explanation {
  const { verdict, steps } = result;
  const fields: Field[] = [];
  if (how.depth !== 'verdict') {
    pushContext(request.context, fields);
    readJson(request.body, fields);
  }
  const findings = verdict.findings.map((finding) => ({
    ...finding,
    steps: how.depth === 'verdict' ? [] : stepsOf(finding, fields),
  }));
  const trace =
    how.depth === 'fields'
      ? traceFields(fields, { ...verdict, findings }, how)
      : { fields: [], truncated: false };
  return { verdict: { ...verdict, findings }, steps, ...trace };
}

/** Excerpts of each text on the way to a finding's evidence. */
function stepsOf(finding: Finding, fields: readonly Field[]): FindingStep[] {
  const [start, end] = finding.span;
  for (const field of fields) {
    if (field.where !== finding.where || pointerOf(field.node) !== finding.pointer) continue;
    const texts = replaySteps(field.text, finding.decoded);
    // Of members of the same name it is the one that leads to the evidence.
    if (texts?.at(-1)?.slice(start, end) === finding.evidence) {
      return excerpts(texts, finding);
    }
  }
  return [];
}

function excerpts(texts: readonly string[], finding: Finding): FindingStep[] {
  const steps: FindingStep[] = [];
  let centre = Math.floor((finding.span[0] + finding.span[1]) / 2);
  for (let index = texts.length - 1; index >= 0; index--) {
    const text = texts[index] ?? '';
    const next = texts[index + 1];
    if (next !== undefined) centre = placeBefore(text, next, centre);
    const decoder = index === 0 ? '' : (finding.decoded[index - 1] ?? '');
    steps.unshift({ decoder, ...excerpt(text, centre) });
  }
  return steps;
}

/** Where in a text stands what decoding it has put at `place`: the same words, or a guess. */
function placeBefore(text: string, decoded: string, place: number): number {
  const from = Math.max(0, place - anchorChars / 2);
  const anchor = decoded.slice(from, from + anchorChars);
  const found = anchor === '' ? -1 : text.indexOf(anchor);
  if (found >= 0) return found + place - from;
  return Math.floor((place / Math.max(1, decoded.length)) * text.length);
}

const anchorChars = 12;

function excerpt(text: string, centre: number): Omit<FindingStep, 'decoder'> {
  const { stepCharsMax } = limits;
  if (text.length <= stepCharsMax) return { text, start: 0, truncated: false };
  const last = text.length - stepCharsMax;
  let start = Math.min(last, Math.max(0, centre - stepCharsMax / 2));
  let end = start + stepCharsMax;
  // Half a surrogate pair is no text.
  if (isLowSurrogate(text.charCodeAt(start))) start++;
  if (isLowSurrogate(text.charCodeAt(end))) end--;
  return { text: text.slice(start, end), start, truncated: true };
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The views of each field, in the order and within the bounds of screening. */
function traceFields(
  fields: readonly Field[],
  { findings, coverage }: ExplainedVerdict,
  how: How,
): Pick<Explanation, 'fields' | 'truncated'> {
  const decisive = coverage.reasons.includes('decided') ? decisiveAmong(findings, how.rules) : [];
  let isDecided = decisive.some(({ rule }) => how.rules.shapeRules.has(rule));
  const queue = new ViewQueue(decoders, dataDecoders);
  queue.startRequest();
  const traced: ExplainedField[] = [];
  let viewsLeft: number = limits.explainViewsMax;
  let truncated = false;
  for (const field of fields) {
    if (viewsLeft <= 0) return { fields: traced, truncated: true };
    const pointer = pointerOf(field.node);
    const views: ExplainedView[] = [];
    const where = field.where === 'name' ? 'name' : 'value';
    queue.start(field.text);
    let view: View | undefined = { text: field.text, where, decoded: [] };
    for (; view !== undefined; view = queue.next()) {
      const { decoded, text } = view;
      const rulesAsked = askedOf(view, field, queue, how);
      isDecided ||= decisive.some(
        (one) => isIn(one, field, pointer, decoded) && text.slice(...one.span) === one.evidence,
      );
      if (isDecided) queue.leaveRest();
      if (viewsLeft-- <= 0) {
        truncated = true;
        continue;
      }
      truncated ||= text.length > limits.explainTextCharsMax;
      const found = findings.flatMap((one, index) =>
        isIn(one, field, pointer, decoded) ? [index] : [],
      );
      views.push({ decoded, text: cut(text), rulesAsked, findings: found });
    }
    traced.push({ pointer, where: field.where, text: cut(field.text), views });
  }
  return { fields: traced, truncated };
}

/** The findings that end the decoding; those about the whole request come after all of it. */
function decisiveAmong(
  findings: readonly ExplainedFinding[],
  { requestRules }: RuleSet,
): readonly ExplainedFinding[] {
  return findings.filter(
    ({ score, rule }) => score >= thresholds[1] && !requestRules.some(({ id }) => id === rule),
  );
}

/** The rules that a view is put to; says to the queue what is to be decoded next. */
function askedOf(view: View, field: Field, queue: ViewQueue, how: How): string[] {
  const { policy, custom } = how.plan;
  const asked: { readonly id: string; readonly category: Category }[] = [];
  const scan = how.rules.prefilter.scan(view.text);
  const isKnown = view.where === 'name' && isPartName(view.text);
  if (!isKnown && deservesLook(scan)) {
    const nature = natureOf(view.text, scan);
    const triggered: InCategory<ValueRule>[] = [];
    listTriggered(how.rules, scan, whereOf(view, field), triggered);
    for (const rule of triggered) {
      if (isReadBy(view, rule.category) && (nature === 'text' || rule.readsBytes !== undefined))
        asked.push(rule);
    }
    if (isExpanded(view, scan, nature)) queue.expand(view, scan, nature);
  }
  if (custom !== undefined && view.readBy === undefined) {
    for (const rule of askedCustomRules(custom, view.text, field.node)) asked.push(rule);
  }
  return asked.filter((rule) => !policy.categoriesOff.includes(rule.category)).map(({ id }) => id);
}

function isIn(
  finding: Finding,
  field: Field,
  pointer: string,
  decoded: readonly string[],
): boolean {
  return (
    finding.pointer === pointer &&
    finding.where === field.where &&
    finding.decoded.length === decoded.length &&
    finding.decoded.every((step, index) => step === decoded[index])
  );
}

function cut(text: string): string {
  const { explainTextCharsMax } = limits;
  if (text.length <= explainTextCharsMax) return text;
  const end = isLowSurrogate(text.charCodeAt(explainTextCharsMax))
    ? explainTextCharsMax - 1
    : explainTextCharsMax;
  return text.slice(0, end);
}
