import { limits } from '../../contract/limits.ts';
import type { Exclusion, Policy } from '../../contract/policy.ts';
import type { CompileShape, ShapeChecker } from '../../contract/shape.ts';
import type { PathNode } from '../extract/field.ts';
import type { JsonBounds } from '../extract/json-reader.ts';
import { type CustomRules, compileCustomRules } from './custom-rule.ts';
import { compilePointerPattern, type PointerPattern } from './pointer-pattern.ts';
import { compileScope, type Scope, type Target } from './scope.ts';

/** A policy in the form in which requests are screened with it. */
export interface PolicyPlan {
  readonly policy: Policy;
  readonly bounds: JsonBounds;
  /** Undefined where there are none, so that this costs nothing. */
  readonly exclusions: Exclusions | undefined;
  readonly custom: CustomRules | undefined;
  readonly shape: ShapeChecker | undefined;
}

/** What is excluded, under the rule ids and the categories that are switched off. */
export type Exclusions = ReadonlyMap<string, readonly CompiledExclusion[]>;

interface CompiledExclusion {
  readonly isAt: PointerPattern;
  /** Undefined: for every request. */
  readonly scope: Scope | undefined;
}

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

/** Whether what a rule found at a place is not to count. `target` is asked for where it matters. */
export function isExcluded(
  exclusions: Exclusions,
  rule: { readonly id: string; readonly category: string },
  place: PathNode,
  target: () => Target,
): boolean {
  return [rule.id, rule.category].some((name) =>
    exclusions
      .get(name)
      ?.some(({ isAt, scope }) => isAt(place) && (scope === undefined || scope(target()))),
  );
}

/** Ids of rules hold a dot and categories none, so that one table does for both. */
function compileExclusions(exclusions: readonly Exclusion[]): Exclusions {
  const table = new Map<string, CompiledExclusion[]>();
  for (const exclusion of exclusions) {
    const name = exclusion.rule ?? exclusion.category;
    if (name === undefined) continue;
    const compiled = table.get(name) ?? [];
    const isAt = compilePointerPattern(exclusion.pointer);
    compiled.push({ isAt, scope: compileScope(exclusion) });
    table.set(name, compiled);
  }
  return table;
}
