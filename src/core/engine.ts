import type { BodyFault } from '../contract/errors.ts';
import type { ExplainInput, Explanation, PolicyProblem } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import { defaultPolicy, type Policy } from '../contract/policy.ts';
import { noContext, type ScreeningRequest } from '../contract/request.ts';
import type { CompileShape, DeclaredRole, MemberValue, ShapeChecker } from '../contract/shape.ts';
import type { Verdict } from '../contract/verdict.ts';
import { explainVerdict } from './explain.ts';
import { depthOf, type Field, memberNameOf, whereOf } from './extract/field.ts';
import { jsonLiteralAt } from './extract/json-literal.ts';
import { readJson } from './extract/json-reader.ts';
import { isPartName } from './extract/part-names.ts';
import { QuietValues } from './extract/quiet-values.ts';
import { pushContext, viewRequest } from './extract/request-view.ts';
import { evidenceOf, FindingList } from './findings.ts';
import type { Meter } from './match/pattern.ts';
import type { Scan } from './match/prefilter.ts';
import { stepLabel } from './normalise/decoder.ts';
import { isDocumentLike } from './normalise/json.ts';
import { dataStart, type Nature, natureOf } from './normalise/nature.ts';
import { isAtEdge, isPart, printable } from './normalise/printable.ts';
import { dataDecoders, decoders, deservesLook, isExpanded } from './normalise/registry.ts';
import { isReadBy, type View, ViewQueue } from './normalise/views.ts';
import { fieldRoleOf, usedName } from './placement/field-role.ts';
import { isDeadJson } from './placement/json-place.ts';
import { ReusableSubject } from './placement/subject.ts';
import { checkPolicy } from './policy/check.ts';
import { type CustomRules, isAsked } from './policy/custom-rule.ts';
import { type PolicyPlan, planOf } from './policy/plan.ts';
import { detectors as allDetectors } from './rules/registry.ts';
import {
  type Detector,
  type InCategory,
  judgedBy,
  type Match,
  type ValueRule,
} from './rules/rule.ts';
import { compileRules, listTriggered, offerText, type RuleSet } from './rules/rule-set.ts';
import { isShownInJson, scoreInPlace, shownScore } from './rules/shown-code.ts';
import { ByteBuffer } from './text/bytes.ts';
import { isTextStretch, type StretchPlace } from './text/printability.ts';
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
  /** The same verdict, and how it came about. */
  explain(
    request: ScreeningRequest,
    policy: Policy,
    depth: ExplainInput['depth'],
  ):
    | { readonly kind: 'explained'; readonly explanation: Explanation }
    | { readonly kind: 'rejected'; readonly fault: BodyFault };
  /** What is wrong with a policy that fits its schema; with problems it must not be in force. */
  checkPolicy(policy: Policy): PolicyProblem[];
}

/**
 * Compiles rules, by default all, into an engine. One per thread is enough. Without `compileShape`,
 * requests with a policy that declares a shape count as not screened completely.
 */
export function createEngine(
  detectors: readonly Detector[] = allDetectors,
  compileShape?: CompileShape,
): Engine {
  const rules = compileRules(detectors);
  const ruleIds = new Set(detectors.flatMap((detector) => detector.rules.map((rule) => rule.id)));
  const screening = new Screening(rules, compileShape);
  const screen: Engine['screen'] = (request, policy) => screening.screen(request, policy);
  return {
    screen,
    explain(request, policy, depth) {
      const result = screen(request, policy);
      if (result.kind === 'rejected') return result;
      const plan = screening.planFor(policy);
      const explanation = explainVerdict(request, result, { rules, plan, depth });
      return { kind: 'explained', explanation };
    },
    checkPolicy(policy) {
      const findingsIn = (body: string, alone: Policy) => {
        const result = screen({ body, context: noContext }, alone);
        return result.kind === 'verdict' ? result.verdict.findings : [];
      };
      return checkPolicy(policy, { findingsIn, ruleIds });
    },
  };
}

/** The state of one screening, reused for the next. */
class Screening {
  private readonly rules: RuleSet;
  private readonly subject: ReusableSubject = new ReusableSubject();
  private readonly views: ViewQueue = new ViewQueue(decoders, dataDecoders);
  private readonly fields: Field[] = [];
  /** Of the members of the body, where a shape is declared. */
  private readonly values: MemberValue[] = [];
  private readonly plans: WeakMap<Policy, PolicyPlan> = new WeakMap();
  private readonly patternMeter: Meter = { left: 0 };
  private plan: PolicyPlan = planOf(defaultPolicy);
  private readonly findings: FindingList = new FindingList();
  /** The rules that are asked about a view, and behind them some of views before. */
  private readonly asked: InCategory<ValueRule>[] = [];
  private steps = 0;
  private matches = 0;
  private readonly quiet: QuietValues = new QuietValues();
  /** What is declared of the field. */
  private declared: DeclaredRole | undefined;
  /** Text in binary strings of the field that is still to be screened. */
  private readonly parts: View[] = [];
  /** Where the part that is screened stands. Evidence in one must be text by more than chance. */
  private place: StretchPlace | undefined;
  /** Characters that may still be read again, behind matches that are only shown. */
  private shownLeft = 0;
  private readonly encoded: ByteBuffer = new ByteBuffer();

  private readonly compileShape: CompileShape | undefined;

  constructor(rules: RuleSet, compileShape: CompileShape | undefined) {
    this.rules = rules;
    this.compileShape = compileShape;
  }

  screen(request: ScreeningRequest, policy: Policy): ScreenResult {
    this.reset();
    this.shownLeft = Math.min(shownCharsMax, shownTimesMax * request.body.length + shownCharsMin);
    pushContext(request.context, this.fields);
    if (policy !== this.plan.policy) this.plan = this.planFor(policy);
    this.findings.begin(this.plan.exclusions, this.fields, request.context.client);
    const { shape, bounds } = this.plan;
    const values = shape === undefined ? undefined : this.values;
    const fault = readJson(request.body, this.fields, bounds, values);
    if (fault !== undefined) return { kind: 'rejected', fault };
    if (shape === undefined) for (const field of this.fields) this.screenField(field);
    else this.screenDeclared(request, shape);
    this.screenRequest(policy);
    const own = this.subject.reasons;
    const { reasons: before } = this.views;
    const reasons = own.size === 0 ? before : new Set([...before, ...own]);
    const bytes = this.encoded.encode(request.body);
    const verdict = judgeFindings(this.findings.list, reasons, bytes, policy);
    return { kind: 'verdict', verdict, steps: this.steps + this.views.steps + this.subject.steps };
  }

  /** Each policy object is compiled once; a thread sees the same ones again and again. */
  planFor(policy: Policy): PolicyPlan {
    const known = this.plans.get(policy);
    if (known !== undefined) return known;
    const plan = planOf(policy, this.compileShape);
    this.plans.set(policy, plan);
    return plan;
  }

  private reset(): void {
    this.fields.length = 0;
    this.quiet.clear();
    if (this.values.length > 0) this.values.length = 0;
    this.steps = 0;
    this.patternMeter.left = limits.patternWorkMax;
    this.views.startRequest();
    this.subject.steps = 0;
    if (this.subject.reasons.size > 0) this.subject.reasons.clear();
  }

  /** Fields with what is declared of them. A closed value has been judged by its schema. */
  private screenDeclared(request: ScreeningRequest, shape: ShapeChecker): void {
    const { violations, roles, isComplete } = shape.check(request, this.fields, this.values);
    if (!isComplete) this.subject.incomplete('shape');
    const { categoriesOff } = this.plan.policy;
    for (const one of violations) {
      if (categoriesOff.includes('shape')) break;
      this.findings.addViolation(one, this.fields, this.rules.shapeRules);
    }
    for (let index = 0; index < this.fields.length; index++) {
      const field = this.fields[index] as Field;
      const role = roles[index];
      if (role === 'closed') {
        this.screenClosed(field);
        continue;
      }
      this.subject.role = fieldRoleOf(role);
      this.declared = role;
      this.screenField(field);
    }
    this.subject.role = undefined;
    this.declared = undefined;
  }

  /** Users' own rules know more of a closed value than that it is one. */
  private screenClosed(field: Field): void {
    const { custom } = this.plan;
    this.steps += 1;
    if (custom === undefined) return;
    const where = field.where === 'name' ? 'name' : 'value';
    this.judgeCustomRules(field, { text: field.text, where, decoded: noSteps }, custom);
  }

  /** Normalise → prefilter → read → judge, view by view. */
  private screenField(field: Field): void {
    const where = field.where === 'name' ? 'name' : 'value';
    const raw: View = { text: field.text, where, decoded: noSteps };
    const { custom } = this.plan;
    if (where === 'name' && isPartName(field.text)) {
      this.steps += field.text.length;
      if (custom !== undefined) this.judgeCustomRules(field, raw, custom);
      return;
    }
    const mayRepeat = custom === undefined && this.declared === undefined;
    if (mayRepeat && this.quiet.hasLike(field)) return;
    const { matches } = this;
    this.views.start(field.text);
    this.screenViews(field, raw);
    for (let part = this.parts.pop(); part !== undefined; part = this.parts.pop()) {
      this.place = { textLength: field.text.length, isAtEdge: isAtEdge(part, field.text) };
      this.views.start(part.text, partSlackChars);
      this.screenViews(field, part);
    }
    this.place = undefined;
    if (mayRepeat && matches === this.matches && !this.findings.isDecided) this.quiet.add(field);
  }

  /** A text and all that is behind it. */
  private screenViews(field: Field, first: View): void {
    const { custom } = this.plan;
    for (let view: View | undefined = first; view !== undefined; view = this.views.next()) {
      this.steps += view.text.length;
      const scan = this.rules.prefilter.scan(view.text);
      if (deservesLook(scan)) {
        const nature = natureOf(view.text, scan, isPart(view));
        this.judgeView(field, view, scan, nature);
        // Judging scans nothing, so the scan is still that of this view.
        if (nature === 'binary') this.takeParts(view);
        else if (isExpanded(view, scan, nature)) {
          this.views.expand(view, scan, nature);
        }
      }
      if (custom !== undefined && view.readBy === undefined)
        this.judgeCustomRules(field, view, custom);
      if (this.findings.isDecided) this.leaveRest();
    }
  }

  /** Decodes no further: the verdict is a block whatever else is found. */
  private leaveRest(): void {
    const hasParts = this.parts.length > 0;
    if (hasParts) this.parts.length = 0;
    if (this.views.leaveRest() || hasParts) this.subject.incomplete('decided');
  }

  /** What is text in a binary string is screened on its own. */
  private takeParts({ text, where, decoded }: View): void {
    this.steps += text.length;
    if (decoded.length >= limits.decodeDepthMax) {
      this.subject.incomplete('decode-depth');
      return;
    }
    printable.decode(text, (part, argument) => {
      const step = stepLabel(printable, argument);
      this.parts.push({ text: part, where, decoded: [...decoded, step] });
    });
  }

  private judgeView(field: Field, view: View, scan: Readonly<Scan>, nature: Nature): void {
    const { subject, asked } = this;
    const where = whereOf(view, field);
    const count = listTriggered(this.rules, scan, where, asked);
    if (count === 0) return;
    subject.reset();
    subject.text = view.text;
    subject.classes = scan.classes;
    subject.where = where;
    subject.member = usedName(memberNameOf(field.node), this.declared);
    subject.depth = depthOf(field.node);
    subject.decoded = view.decoded;
    const isText = nature === 'text';
    offerText(this.rules, scan, isText ? view.text : '');
    const { categoriesOff } = this.plan.policy;
    const isForAll = view.readBy === undefined && view.notReadBy === undefined;
    for (let index = 0; index < count; index++) {
      const rule = asked[index] as InCategory<ValueRule>;
      if (categoriesOff.length > 0 && categoriesOff.includes(rule.category)) continue;
      if (!this.findings.mayTake(rule, field)) continue;
      // Of bytes a few rules know something, most of them where the bytes begin.
      const mayFind = isText ? isForAll || isReadBy(view, rule.category) : rule.readsBytes;
      if (mayFind) this.judge(rule, field, view, nature);
    }
    offerText(this.rules, scan, '');
  }

  private judge(rule: InCategory<ValueRule>, field: Field, view: View, nature: Nature): void {
    const match = judgedBy(rule, this.subject);
    if (match === undefined) return;
    this.matches++;
    if (nature !== 'text') {
      const isFar = rule.readsBytes === 'start' && match.start > dataStart(this.subject.text);
      if (!isFar) this.findings.add(rule, match, field, view);
      return;
    }
    // Its place can only lower the score, and a full list takes nothing that is no stronger.
    if ((match.score ?? rule.score) <= this.findings.floor) return;
    if (this.place !== undefined && !isTextStretch(evidenceOf(view, match), this.place)) return;
    this.findings.add(rule, this.matchInPlace(rule, match, field), field, view);
  }

  /** The match, or where it is only shown the first behind it that is more than that. */
  private matchInPlace(rule: InCategory<ValueRule>, first: Match, field: Field): Match {
    const { subject } = this;
    const { text } = subject;
    const score = this.scoreHere(rule, first, field);
    if (score === (first.score ?? rule.score)) return first;
    let next: Match = first;
    for (let count = 0; count < shownMatchesMax; count++) {
      const from = Math.max(next.end, next.start + 1);
      if (!this.spend(text.length - from)) return first;
      const found = subject.judgedAs(text.slice(from), (one) => judgedBy(rule, one));
      if (found === undefined) return { ...first, score };
      next = { ...found, start: found.start + from, end: found.end + from };
      if (this.scoreHere(rule, next, field) > shownScore) return next;
    }
    return first;
  }

  /** The score of a match where it stands; in a string of a JSON text that of the string alone. */
  private scoreHere(rule: InCategory<ValueRule>, match: Match, field: Field): number {
    const { subject } = this;
    const score = scoreInPlace(rule, match, subject, field.node);
    if (score <= shownScore || subject.where !== 'value') return score;
    if (!readsOneValue.has(rule.category) || !isDocumentLike(subject.text)) return score;
    const literal = jsonLiteralAt(subject.text, match.start);
    if (literal === undefined || !this.spend(literal.end)) return score;
    const place = { node: literal.node, whole: subject.text, start: match.start };
    if (literal.isAtQuote && !isDeadJson(place.whole, place.start, rule.category === 'sqli'))
      return score;
    return subject.judgedAs(literal.text, (one) => {
      const found = judgedBy(rule, one);
      if (found === undefined) return literal.isRecord && !literal.isAtQuote ? score : shownScore;
      if (isShownInJson(rule, found, { ...place, subject: one })) return shownScore;
      return Math.min(score, found.score ?? rule.score);
    });
  }

  /** False when there is no work left for matches that are judged again. */
  private spend(chars: number): boolean {
    this.steps += chars;
    this.shownLeft -= chars;
    return this.shownLeft >= 0;
  }

  private judgeCustomRules(field: Field, view: View, custom: CustomRules): void {
    const { categoriesOff } = this.plan.policy;
    const scan = custom.prefilter.scan(view.text);
    if (custom.allWait && !scan.anyHit) return;
    const before = this.patternMeter.left;
    for (const one of custom.list) {
      if (!isAsked(one, scan, field.node) || categoriesOff.includes(one.rule.category)) continue;
      const match = this.patternMeter.left < 0 ? undefined : one.find(view.text, this.patternMeter);
      if (this.patternMeter.left < 0) this.subject.incomplete('patterns');
      if (match !== undefined) this.findings.add(one.rule, match, field, view);
    }
    this.steps += before - this.patternMeter.left;
  }

  private screenRequest(policy: Policy): void {
    const request = viewRequest(this.fields);
    for (const rule of this.rules.requestRules) {
      if (policy.categoriesOff.includes(rule.category)) continue;
      const match = rule.judgeRequest(request, policy);
      const field = match === undefined ? undefined : this.fields[match.field];
      if (match === undefined || field === undefined) continue;
      const where = field.where === 'name' ? 'name' : 'value';
      this.findings.add(rule, match, field, { text: field.text, where, decoded: noSteps });
    }
  }
}

/** A text that shows more of what one rule finds counts as what it seems to be. */
const shownMatchesMax = 24;
/** Of others the members of a document and their order are evidence. */
const readsOneValue: ReadonlySet<string> = new Set(['cmdi', 'code', 'sqli', 'traversal']);
/** The work stays in proportion to the body. */
const shownTimesMax = 8;
const shownCharsMin = 20_000;
const shownCharsMax = 500_000;

/** Effort that a part of a binary string has beyond its length: there may be very many. */
const partSlackChars = 64;

const noSteps: readonly string[] = [];
