import { limits } from '../../contract/limits.ts';
import type { Exclusion, Policy } from '../../contract/policy.ts';
import type { CompileShape, ShapeChecker } from '../../contract/shape.ts';
import type { PathNode } from '../extract/field.ts';
import type { JsonBounds } from '../extract/json-reader.ts';
import { type CustomRules, compileCustomRules } from './custom-rule.ts';
import { compilePointerPattern, type PointerPattern } from './pointer-pattern.ts';

/** A policy in the form in which requests are screened with it. */
export interface PolicyPlan {
  readonly policy: Policy;
  readonly bounds: JsonBounds;
  /** Undefined where there are none, so that this costs nothing. */
  readonly exclusions: Exclusions | undefined;
  readonly custom: CustomRules | undefined;
  readonly shape: ShapeChecker | undefined;
}

/** Pointer patterns under the rule ids and the categories that they switch off. */
export type Exclusions = ReadonlyMap<string, readonly PointerPattern[]>;

/** Compiles a policy. Done once for each, in each thread. */
export function planOf(policy: Policy, compileShape: CompileShape = notCompiled): PolicyPlan {
  const { depth, members } = policy.limits;
  return {
    policy,
    bounds: {
      depthMax: Math.min(depth ?? limits.jsonDepthMax, limits.jsonDepthMax),
      membersMax: Math.min(members ?? limits.jsonMembersMax, limits.jsonMembersMax),
    },
    exclusions: policy.exclusions.length === 0 ? undefined : compileExclusions(policy.exclusions),
    custom: policy.customRules.length === 0 ? undefined : compileCustomRules(policy.customRules),
    shape: policy.shape === undefined ? undefined : compileShape(policy.shape),
  };
}

/** A core without a compiler says that it did not look. */
const notCompiled: CompileShape = () => ({
  check: () => ({ violations: [], roles: [], isComplete: false }),
});

/** Whether what a rule found at a place is not to count. */
export function isExcluded(
  exclusions: Exclusions,
  rule: { readonly id: string; readonly category: string },
  place: PathNode,
): boolean {
  return [rule.id, rule.category].some((name) =>
    exclusions.get(name)?.some((matches) => matches(place)),
  );
}

/** Ids of rules hold a dot and categories none, so that one table does for both. */
function compileExclusions(exclusions: readonly Exclusion[]): Exclusions {
  const table = new Map<string, PointerPattern[]>();
  for (const { pointer, rule, category } of exclusions) {
    const name = rule ?? category;
    if (name === undefined) continue;
    const patterns = table.get(name) ?? [];
    patterns.push(compilePointerPattern(pointer));
    table.set(name, patterns);
  }
  return table;
}
