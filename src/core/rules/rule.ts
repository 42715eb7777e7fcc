import type { Category } from '../../contract/category.ts';
import type { Policy } from '../../contract/policy.ts';
import type { Shape } from '../../contract/shape.ts';
import type { Severity } from '../../contract/verdict.ts';
import type { RequestView } from '../extract/request-view.ts';
import type { Grammar } from '../grammars/grammar.ts';
import type { Subject } from '../placement/subject.ts';

/** Where a rule found its evidence, in offsets of the subject's text. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Confidence where it differs from the rule's own. */
  readonly score?: number;
  /** What it says of the evidence, where that is more than the rule's own message. */
  readonly message?: string;
}

/**
 * Evidence of a rule that compares members: in which field (index in `RequestView.fields`), and
 * where in its raw text.
 */
export interface RequestMatch extends Match {
  readonly field: number;
}

/** What must be in a text before a rule is asked at all; the prefilter finds it in one pass. */
export interface Trigger {
  /** Class bits of `text/char-class.ts`: the text must hold a character of each. */
  readonly classes?: number;
  /** Groups of ASCII literals, case-insensitive: of each group at least one must occur. */
  readonly literals?: readonly (readonly string[])[];
  /** No name of a member is one of those that the rule is about. */
  readonly isOfValues?: true;
  /** Characters of the longest text that the rule is about. */
  readonly charsMax?: number;
  /** A cheap reading that many rules share: where it is false, none of them is asked. */
  readonly anchor?: Grammar<boolean>;
}

/** A text to put into one member, or a whole body, and what is declared where a rule needs that. */
export type Example =
  | string
  | { readonly body: Readonly<Record<string, unknown>>; readonly shape?: Shape };

interface RuleData {
  /** `<category>.<name>`, lower case with dashes. */
  readonly id: `${Category}.${string}`;
  /** `CWE-<number>`, where it is not the usual one of the category. */
  readonly cwe?: string;
  /** Where it is not the usual one of the category. */
  readonly severity?: Severity;
  /** Confidence 0 to 100 of a match; blocked at 70 and more by default. */
  readonly score: number;
  /** What the evidence does, as the end of the sentence "it …": "closes a string literal and …". */
  readonly message: string;
  /** Attacks that this rule must find, and at default sensitivity block. */
  readonly examples: readonly Example[];
  /** Honest input that looks alike: must pass, at default sensitivity, through all rules. */
  readonly lookalikes: readonly Example[];
}

/** A rule about one text. */
export interface ValueRule extends RuleData {
  readonly trigger: Trigger;
  /**
   * Set on a rule about bytes: it is asked about base64 and binary strings too, where `start` lets
   * evidence count only where the bytes begin. By lot any three characters stand somewhere.
   */
  readonly readsBytes?: 'start' | 'anywhere';
  judge(subject: Subject): Match | undefined;
}

/** A rule about the request as a whole. */
export interface RequestRule extends RuleData {
  judgeRequest(request: RequestView, policy: Policy): RequestMatch | undefined;
}

/** A rule that holds where a policy declares a shape, which is what judges. */
export interface ShapeRule extends RuleData {
  readonly isDeclared: true;
}

export type Rule = ValueRule | RequestRule | ShapeRule;

/** A rule with the category that its id begins with, and what it has from it. */
export type InCategory<OneRule extends Rule> = OneRule & {
  readonly category: Category;
  readonly cwe: string;
  readonly severity: Severity;
};

/** What most rules of a category have. */
const usual: Readonly<Record<Category, readonly [cwe: string, severity: Severity]>> = {
  sqli: ['CWE-89', 'high'],
  xss: ['CWE-79', 'high'],
  csrf: ['CWE-352', 'high'],
  traversal: ['CWE-22', 'high'],
  rfi: ['CWE-98', 'critical'],
  ssrf: ['CWE-918', 'high'],
  cmdi: ['CWE-78', 'critical'],
  code: ['CWE-94', 'critical'],
  nosqli: ['CWE-943', 'high'],
  ldapi: ['CWE-90', 'high'],
  xpathi: ['CWE-643', 'high'],
  xxe: ['CWE-611', 'critical'],
  ssti: ['CWE-1336', 'high'],
  crlf: ['CWE-113', 'high'],
  jndi: ['CWE-917', 'critical'],
  protopollution: ['CWE-1321', 'high'],
  deserialization: ['CWE-502', 'critical'],
  ssi: ['CWE-97', 'high'],
  mailinj: ['CWE-93', 'high'],
  graphql: ['CWE-770', 'medium'],
  shape: ['CWE-20', 'medium'],
  other: ['CWE-20', 'high'],
};

/** One category's rules. A new rule is one object in one file of the detector's folder. */
export interface Detector {
  readonly category: Category;
  readonly rules: readonly Rule[];
}

/** What a rule finds in a subject that its anchor lets it be asked about. */
export function judgedBy(rule: ValueRule, subject: Subject): Match | undefined {
  const { anchor } = rule.trigger;
  return anchor === undefined || subject.tokens(anchor) ? rule.judge(subject) : undefined;
}

/** The rule, with the category that its id begins with, and what it has from it. */
export function inCategory<OneRule extends Rule>(rule: OneRule): InCategory<OneRule> {
  const category = rule.id.slice(0, rule.id.indexOf('.')) as Category;
  const [cwe, severity] = usual[category];
  return { ...rule, category, cwe: rule.cwe ?? cwe, severity: rule.severity ?? severity };
}

export function isValueRule(rule: Rule): rule is ValueRule {
  return 'judge' in rule;
}

export function isRequestRule(rule: Rule): rule is RequestRule {
  return 'judgeRequest' in rule;
}

export function isShapeRule(rule: Rule): rule is ShapeRule {
  return 'isDeclared' in rule;
}

/** Texts of one member, as examples. */
export function inMember(member: string, ...texts: readonly string[]): readonly Example[] {
  return texts.map((text) => ({ body: { [member]: text } }));
}
