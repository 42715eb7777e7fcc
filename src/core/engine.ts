import type { BodyFault } from '../contract/errors.ts';
import { type CoverageReason, limits } from '../contract/limits.ts';
import type { Policy } from '../contract/policy.ts';
import type { ScreeningRequest } from '../contract/request.ts';
import type { Finding, Verdict } from '../contract/verdict.ts';
import { detectors } from './detect/registry.ts';
import type { Match, Rule } from './detect/rule.ts';
import { compileRules, forEachTriggered, type RuleSet } from './detect/rule-set.ts';
import { ReusableSubject } from './detect/subject.ts';
import { depthOf, type Field, memberNameOf, pointerOf } from './extract/field.ts';
import { readJson } from './extract/json-reader.ts';
import { pushContext, viewRequest } from './extract/request-view.ts';
import type { Scan } from './match/prefilter.ts';
import { canBeEncoded, decoders, encodedRunMin } from './normalise/registry.ts';
import { type View, ViewQueue } from './normalise/views.ts';
import { utf8Length } from './text/utf8.ts';
import { judgeFindings } from './verdict/verdict.ts';

/**
 * What the core makes of one request. `steps` counts characters read: the same input costs the
 * same.
 */
export type ScreenResult =
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly steps: number }
  | { readonly kind: 'rejected'; readonly fault: BodyFault };

/** Screens requests, one after the other. Holds tables and buffers, and nothing of a request. */
export interface Engine {
  /** Pure: the same request and policy give the same result. Never throws. */
  screen(request: ScreeningRequest, policy: Policy): ScreenResult;
}

/** Compiles the rules into an engine. One per thread is enough. */
export function createEngine(): Engine {
  const screening = new Screening(compileRules(detectors));
  return { screen: (request, policy) => screening.screen(request, policy) };
}

/** The state of one screening, reused for the next. */
class Screening {
  private readonly rules: RuleSet;
  private readonly subject: ReusableSubject = new ReusableSubject();
  private readonly views: ViewQueue = new ViewQueue(decoders);
  private readonly fields: Field[] = [];
  private findings: Finding[] = [];
  private steps = 0;

  constructor(rules: RuleSet) {
    this.rules = rules;
  }

  screen(request: ScreeningRequest, policy: Policy): ScreenResult {
    this.reset();
    pushContext(request.context, this.fields);
    const fault = readJson(request.body, this.fields);
    if (fault !== undefined) return { kind: 'rejected', fault };
    for (const field of this.fields) this.screenField(field, policy);
    this.screenRequest(policy);
    const reasons = union(this.views.reasons, this.subject.reasons);
    const bytes = utf8Length(request.body);
    const verdict = judgeFindings(this.findings, reasons, bytes, policy);
    return { kind: 'verdict', verdict, steps: this.steps + this.views.steps + this.subject.steps };
  }

  private reset(): void {
    this.fields.length = 0;
    this.findings = [];
    this.steps = 0;
    this.views.startRequest();
    this.subject.steps = 0;
    if (this.subject.reasons.size > 0) this.subject.reasons.clear();
  }

  /** Normalise → prefilter → tokenise → judge, view by view. */
  private screenField(field: Field, policy: Policy): void {
    const where = field.where === 'name' ? 'name' : 'value';
    this.views.start(field.text);
    let view: View | undefined = { text: field.text, where, decoded: noSteps };
    for (; view !== undefined; view = this.views.next()) {
      this.steps += view.text.length;
      const scan = this.rules.prefilter.scan(view.text);
      if (scan.classes !== 0 || scan.anyHit || scan.longestRun >= encodedRunMin) {
        this.judgeView(field, view, scan, policy);
        // Judging scans nothing, so the scan is still that of this view.
        if (canBeEncoded(scan)) this.views.expand(view, scan);
      }
    }
  }

  private judgeView(field: Field, view: View, scan: Readonly<Scan>, policy: Policy): void {
    const subject = this.subject;
    subject.reset();
    subject.text = view.text;
    subject.classes = scan.classes;
    subject.where = view.where === 'name' ? 'name' : field.where;
    subject.member = memberNameOf(field.node);
    subject.depth = depthOf(field.node);
    subject.decoded = view.decoded;
    forEachTriggered(this.rules, scan, (rule) => {
      if (policy.categoriesOff.includes(rule.category)) return;
      const match = rule.judge(subject);
      if (match !== undefined) this.addFinding(rule, match, field, view);
    });
  }

  private screenRequest(policy: Policy): void {
    const request = viewRequest(this.fields);
    for (const rule of this.rules.requestRules) {
      if (policy.categoriesOff.includes(rule.category)) continue;
      const match = rule.judgeRequest(request, policy);
      const field = match === undefined ? undefined : this.fields[match.field];
      if (match === undefined || field === undefined) continue;
      const where = field.where === 'name' ? 'name' : 'value';
      this.addFinding(rule, match, field, { text: field.text, where, decoded: noSteps });
    }
  }

  /** Keeps the strongest finding of each rule and place. */
  private addFinding(rule: Rule, match: Match, field: Field, view: View): void {
    const pointer = pointerOf(field.node);
    // Where the raw text stands: a name inside nested JSON is still part of a value.
    const where = field.where;
    const score = match.score ?? rule.score;
    const same = this.findings.findIndex(
      (one) => one.rule === rule.id && one.pointer === pointer && one.where === where,
    );
    if (same >= 0 && (this.findings[same]?.score ?? 0) >= score) return;
    const slot = same >= 0 ? same : this.slotFor(score);
    if (slot < 0) return;
    const end = Math.min(match.end, match.start + limits.evidenceCharsMax);
    const finding: Finding = {
      category: rule.category,
      rule: rule.id,
      cwe: rule.cwe,
      severity: rule.severity,
      pointer,
      where,
      decoded: view.decoded,
      span: [match.start, end],
      evidence: view.text.slice(match.start, end),
      score,
      message: rule.message,
    };
    this.findings[slot] = finding;
  }

  /**
   * Where a new finding goes: at the end, or when the list is full over a weaker one; -1 for
   * nowhere.
   */
  private slotFor(score: number): number {
    if (this.findings.length < limits.findingsMax) return this.findings.length;
    return this.findings.findIndex((one) => one.score < score);
  }
}

function union(
  a: ReadonlySet<CoverageReason>,
  b: ReadonlySet<CoverageReason>,
): ReadonlySet<CoverageReason> {
  return b.size === 0 ? a : new Set([...a, ...b]);
}

const noSteps: readonly string[] = [];
