import type { PolicyProblem } from '../../contract/explanation.ts';
import { type CustomRule, defaultPolicy, type Policy } from '../../contract/policy.ts';
import type { Finding } from '../../contract/verdict.ts';
import { compilePattern } from '../match/pattern.ts';
import { keyOf } from './pointer-pattern.ts';

interface Core {
  /** What screening finds in a body. */
  readonly findingsIn: (body: string, policy: Policy) => readonly Finding[];
  /** The ordinary rules. */
  readonly ruleIds: ReadonlySet<string>;
}

/**
 * What is wrong with a policy that fits its schema. Custom rules are run over their own examples
 * and near misses in the way in which requests are screened.
 */
export function checkPolicy(policy: Policy, core: Core): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  const customIds = policy.customRules.map((rule) => rule.id);
  problems.push(
    ...repeated('exclusions', policy.exclusions),
    ...repeated('customRules', policy.customRules),
  );
  policy.exclusions.forEach(({ rule }, index) => {
    if (rule === undefined || core.ruleIds.has(rule) || customIds.includes(rule)) return;
    const message = `no rule is called ${rule}; \`sallyport rules\` lists them all`;
    problems.push({ pointer: `/exclusions/${index}/rule`, message });
  });
  policy.customRules.forEach((rule, index) => {
    problems.push(...checkCustomRule(rule, `/customRules/${index}`, core));
  });
  return problems;
}

function repeated(list: string, items: readonly { readonly id: string }[]): PolicyProblem[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ pointer: `/${list}/${index}/id`, message: `${id} is used twice; choose another id` }];
  });
}

function checkCustomRule(
  rule: CustomRule,
  pointer: string,
  { findingsIn, ruleIds }: Core,
): PolicyProblem[] {
  if (rule.pattern !== undefined) {
    const outcome = compilePattern(rule.pattern);
    if (outcome.kind === 'not-valid') {
      return [{ pointer: `${pointer}/pattern`, message: outcome.reason }];
    }
  }
  // The rule alone: what the policy excludes or switches off says nothing of the rule, and what
  // ordinary rules find ends no decoding.
  const exclusions = [...ruleIds].map((id) => ({ ...everywhere, id, rule: id }));
  const alone: Policy = { ...defaultPolicy, customRules: [rule], exclusions };
  const finds = (value: string): boolean => {
    const body = JSON.stringify(bodyFor(rule.pointer ?? '/value', value));
    return findingsIn(body, alone).some((found) => found.rule === rule.id);
  };
  const missed = rule.examples.flatMap((example, index) =>
    finds(example)
      ? []
      : [
          {
            pointer: `${pointer}/examples/${index}`,
            message: 'the rule does not find this example; correct one of the two',
          },
        ],
  );
  const alarms = rule.lookalikes.flatMap((lookalike, index) =>
    finds(lookalike)
      ? [
          {
            pointer: `${pointer}/lookalikes/${index}`,
            message: 'the rule finds this look-alike, which is to pass; make the rule narrower',
          },
        ]
      : [],
  );
  return [...missed, ...alarms];
}

const everywhere = { pointer: '/**', reason: '', author: '', createdAt: '' };

/** A body that holds a value at a place that a pointer pattern stands for. */
function bodyFor(pattern: string, value: string): unknown {
  const names = pattern
    .split('/')
    .slice(1)
    .map((segment) => (segment === '*' || segment === '**' ? 'x' : keyOf(segment)));
  if (names.length === 0) names.push('x');
  return names.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), value);
}
