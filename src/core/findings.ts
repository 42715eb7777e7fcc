import { limits } from '../contract/limits.ts';
import { type CustomRule, thresholds } from '../contract/policy.ts';
import type { ShapeViolation } from '../contract/shape.ts';
import type { Finding } from '../contract/verdict.ts';
import { type Field, isSamePlace, type PathNode, pointerOf } from './extract/field.ts';
import type { View } from './normalise/views.ts';
import { confidence } from './placement/confidence.ts';
import { type Exclusions, isExcluded } from './policy/plan.ts';
import { type Target, targetOf } from './policy/scope.ts';
import type { InCategory, Match, Rule } from './rules/rule.ts';
import type { RuleSet } from './rules/rule-set.ts';

/** What was found in one request: the strongest of each rule and place. Reused for the next. */
export class FindingList {
  list: Finding[] = [];
  /** The lowest score of a full list, which only a stronger match changes; 0 while there is room. */
  floor = 0;
  /** A finding stands that blocks at every sensitivity: what else is found changes no decision. */
  isDecided = false;
  /** Where each of the findings stands. */
  private readonly places: PathNode[] = [];
  private exclusions: Exclusions | undefined;
  /** All fields of the request; complete before anything is found. */
  private fields: readonly Field[] = [];
  private client: string | undefined;
  private target: Target | undefined;

  begin(
    exclusions: Exclusions | undefined,
    fields: readonly Field[],
    client: string | undefined,
  ): void {
    this.list = [];
    this.floor = 0;
    this.isDecided = false;
    this.places.length = 0;
    this.exclusions = exclusions;
    this.fields = fields;
    this.client = client;
    this.target = undefined;
  }

  private readonly targetNow = (): Target => {
    this.target ??= { ...targetOf(this.fields), client: this.client };
    return this.target;
  };

  /** False when no match of a rule changes the list: what it holds is certain. */
  mayTake(rule: InCategory<Rule>, { where, node }: Field): boolean {
    if (this.floor >= confidence.certain) return false;
    const same = this.indexOf(rule.id, where, node);
    return same < 0 || (this.list[same] as Finding).score < confidence.certain;
  }

  /** Keeps the strongest finding of each rule and place. */
  add(rule: InCategory<Rule> | CustomRule, match: Match, field: Field, view: View): void {
    const { node } = field;
    const { exclusions } = this;
    if (exclusions !== undefined && isExcluded(exclusions, rule, node, this.targetNow)) return;
    // Where the raw text stands: a name inside nested JSON is still part of a value.
    const where = field.where;
    const score = match.score ?? rule.score;
    const same = this.indexOf(rule.id, where, node);
    if (same >= 0 && (this.list[same]?.score ?? 0) >= score) return;
    const slot = same >= 0 ? same : this.slotFor(score);
    if (slot < 0) return;
    const end = Math.min(match.end, match.start + limits.evidenceCharsMax);
    const finding: Finding = {
      category: rule.category,
      rule: rule.id,
      cwe: rule.cwe,
      severity: rule.severity,
      pointer: pointerOf(node),
      where,
      decoded: view.decoded,
      span: [match.start, end],
      evidence: evidenceOf(view, match),
      score,
      message: match.message ?? rule.message,
    };
    this.list[slot] = finding;
    this.places[slot] = node;
    if (score >= thresholds[1]) this.isDecided = true;
    if (this.list.length < limits.findingsMax) return;
    this.floor = this.list.reduce((least, one) => Math.min(least, one.score), score);
  }

  private indexOf(rule: string, where: Finding['where'], node: PathNode): number {
    const { list, places } = this;
    for (let index = 0; index < list.length; index++) {
      const one = list[index] as Finding;
      if (one.rule !== rule || one.where !== where) continue;
      if (isSamePlace(places[index] as PathNode, node)) return index;
    }
    return -1;
  }

  /**
   * Where a new finding goes: at the end, or when the list is full over the weakest; -1 for
   * nowhere.
   */
  private slotFor(score: number): number {
    if (this.list.length < limits.findingsMax) return this.list.length;
    return score > this.floor ? this.list.findIndex((one) => one.score === this.floor) : -1;
  }

  /** Where a request is not as declared. */
  addViolation(
    { rule: name, path, where, evidence, message }: ShapeViolation,
    fields: readonly Field[],
    rules: RuleSet['shapeRules'],
  ): void {
    const rule = rules.get(`shape.${name}`);
    const node = path.reduce<PathNode | undefined>((parent, key) => ({ parent, key }), undefined);
    if (rule === undefined || node === undefined) return;
    // What is missing stands nowhere.
    const known = fields.find((one) => one.where === where && isSamePlace(one.node, node));
    const start = Math.max(0, known?.text.indexOf(evidence) ?? 0);
    const isShown = known?.text.startsWith(evidence, start) === true;
    const text = isShown ? known.text : evidence;
    const match: Match = { start, end: start + evidence.length, message };
    const view: View = { text, where: where === 'name' ? 'name' : 'value', decoded: [] };
    this.add(rule, match, { where, text, node }, view);
  }
}

export function evidenceOf({ text }: View, { start, end }: Match): string {
  return text.slice(start, Math.min(end, start + limits.evidenceCharsMax));
}
