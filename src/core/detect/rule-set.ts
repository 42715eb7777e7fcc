import { createPrefilter, type Prefilter, type Scan } from '../match/prefilter.ts';
import { type Detector, isValueRule, type RequestRule, type ValueRule } from './rule.ts';

/**
 * The rules of all detectors, compiled: one prefilter, and for each rule the bits that it waits
 * for.
 */
export interface RuleSet {
  readonly prefilter: Prefilter;
  /** Rules that wait for character classes only. */
  readonly classRules: readonly CompiledRule[];
  /** Rules that wait for literals, under the number of the group that occurs least often. */
  readonly literalRules: readonly (readonly CompiledRule[])[];
  readonly requestRules: readonly RequestRule[];
}

/** A rule and its trigger in bits. */
export interface CompiledRule {
  readonly rule: ValueRule;
  readonly classes: number;
  /** Literal groups that must all have been hit, beside the one that the rule is found under. */
  readonly groups: readonly number[];
}

/** Compiles all rules. Done once for each engine. */
export function compileRules(detectors: readonly Detector[]): RuleSet {
  const groups = new GroupTable();
  const rules = detectors.flatMap((detector) => detector.rules);
  const classRules: CompiledRule[] = [];
  const literalRules = new Map<number, CompiledRule[]>();
  for (const rule of rules.filter(isValueRule)) {
    const [rarest, ...others] = (rule.trigger.literals ?? [])
      .map((literals) => groups.numberOf(literals))
      .sort((a, b) => groups.rarity(b) - groups.rarity(a));
    const one = { rule: uniform(rule), classes: rule.trigger.classes ?? 0, groups: others };
    if (rarest === undefined) classRules.push(one);
    else literalRules.set(rarest, [...(literalRules.get(rarest) ?? []), one]);
  }
  return {
    prefilter: createPrefilter(groups.list),
    classRules,
    literalRules: groups.list.map((_, group) => literalRules.get(group) ?? []),
    requestRules: rules.filter((rule): rule is RequestRule => !isValueRule(rule)),
  };
}

/** The same rule with its members in one order: V8 reads those of objects alike much faster. */
function uniform(rule: ValueRule): ValueRule {
  const { id, category, cwe, severity, score, message, trigger, examples, lookalikes } = rule;
  const { judge, readsBytes } = rule;
  return {
    id,
    category,
    cwe,
    severity,
    score,
    message,
    trigger,
    examples,
    lookalikes,
    judge,
    readsBytes,
  } satisfies Record<keyof ValueRule, unknown> as ValueRule;
}

/** Calls back with each rule whose trigger is met by the scan. */
export function forEachTriggered(
  rules: RuleSet,
  scan: Readonly<Scan>,
  visit: (rule: ValueRule) => void,
): void {
  for (const one of rules.classRules) {
    if ((scan.classes & one.classes) === one.classes) visit(one.rule);
  }
  if (!scan.anyHit) return;
  for (let word = 0; word < scan.hits.length; word++) {
    for (let bits = scan.hits[word] as number; bits !== 0; bits &= bits - 1) {
      const group = word * 32 + 31 - Math.clz32(bits & -bits);
      for (const one of rules.literalRules[group] as readonly CompiledRule[]) {
        if (isTriggered(one, scan)) visit(one.rule);
      }
    }
  }
}

function isTriggered(compiled: CompiledRule, scan: Readonly<Scan>): boolean {
  if ((scan.classes & compiled.classes) !== compiled.classes) return false;
  for (const group of compiled.groups) {
    if (((scan.hits[group >>> 5] as number) & (1 << (group & 31))) === 0) return false;
  }
  return true;
}

/** The distinct literal groups of all triggers. */
class GroupTable {
  readonly list: (readonly string[])[] = [];
  private readonly numbers: Map<string, number> = new Map();

  numberOf(literals: readonly string[]): number {
    const key = literals.join('\u0000');
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.list.length);
    return this.list.push(literals) - 1;
  }

  /** A guess: long literals are rare, and a group is as common as its shortest. */
  rarity(group: number): number {
    return Math.min(...(this.list[group] ?? []).map((literal) => literal.length));
  }
}
