import type { CustomRule } from '../../contract/policy.ts';
import type { PathNode } from '../extract/field.ts';
import { compilePattern, type Meter } from '../match/pattern.ts';
import { createPrefilter, type Prefilter, type Scan } from '../match/prefilter.ts';
import { compilePointerPattern, type PointerPattern } from './pointer-pattern.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A user's rule, ready to be asked. */
interface CompiledCustomRule {
  readonly rule: CustomRule;
  /** Undefined: the rule looks at every member. */
  readonly pointer: PointerPattern | undefined;
  /** Number of the rule's literals in the prefilter; -1 when the rule waits for none. */
  readonly group: number;
  find(text: string, meter: Meter): Span | undefined;
}

/** The users' own rules of one policy. */
export interface CustomRules {
  readonly list: readonly CompiledCustomRule[];
  /** Whether all rules wait for a literal: a text without any is passed at a glance. */
  readonly allWait: boolean;
  readonly prefilter: Prefilter;
}

/** Compiles the rules of a policy. Throws when a pattern is not valid: `checkPolicy` says why. */
export function compileCustomRules(rules: readonly CustomRule[]): CustomRules {
  const groups: (readonly string[])[] = [];
  const list = rules.map((rule): CompiledCustomRule => {
    const { find, literals } = finderOf(rule);
    const hasTrigger = literals.length > 0 && literals.every((literal) => literal !== '');
    return {
      rule,
      pointer: rule.pointer === undefined ? undefined : compilePointerPattern(rule.pointer),
      group: hasTrigger ? groups.push(literals) - 1 : -1,
      find,
    };
  });
  const allWait = list.every(({ group }) => group >= 0);
  return { list, allWait, prefilter: createPrefilter(groups) };
}

/** The rules that a text at a place is put to. */
export function askedCustomRules(custom: CustomRules, text: string, place: PathNode): CustomRule[] {
  const scan = custom.prefilter.scan(text);
  return custom.list.filter((one) => isAsked(one, scan, place)).map(({ rule }) => rule);
}

/** Whether a text that was scanned may hold what a rule looks for, at a place where it looks. */
export function isAsked(one: CompiledCustomRule, scan: Readonly<Scan>, place: PathNode): boolean {
  return mayMatch(one, scan) && (one.pointer === undefined || one.pointer(place));
}

function mayMatch(rule: CompiledCustomRule, scan: Readonly<Scan>): boolean {
  const { group } = rule;
  return group < 0 || ((scan.hits[group >>> 5] as number) & (1 << (group & 31))) !== 0;
}

/** How a rule is searched for, and the ASCII literals of which one must be there. */
function finderOf(rule: CustomRule): {
  readonly find: CompiledCustomRule['find'];
  readonly literals: readonly string[];
} {
  if (rule.pattern === undefined) {
    const literals = rule.literals ?? [];
    return { find: literalFinder(literals), literals: literals.map(longestAscii) };
  }
  const outcome = compilePattern(rule.pattern);
  if (outcome.kind === 'not-valid') {
    throw new Error(`The pattern of ${rule.id} is not valid: ${outcome.reason}.`);
  }
  const { find, literal } = outcome.pattern;
  return { find, literals: [literal] };
}

/** Finds the first of some texts, whatever the case of their letters. */
function literalFinder(literals: readonly string[]): CompiledCustomRule['find'] {
  const wanted = literals.map(lowered);
  return (text, meter) => {
    const haystack = lowered(text);
    let first: Span | undefined;
    for (const literal of wanted) {
      meter.left -= text.length >>> 3;
      const start = haystack.indexOf(literal);
      if (start >= 0 && (first === undefined || start < first.start)) {
        first = { start, end: start + literal.length };
      }
    }
    return first;
  };
}

/** In lower case, and as long as before: `İ` alone would become two characters. */
function lowered(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}

/** The longest run of ASCII characters: what the prefilter can wait for. */
function longestAscii(literal: string): string {
  return (literal.match(asciiRun) ?? []).reduce(
    (longest, run) => (run.length > longest.length ? run : longest),
    '',
  );
}

const asciiRun = /[ -~]+/g;
