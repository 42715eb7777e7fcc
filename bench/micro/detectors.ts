import { defaultPolicy } from '../../src/contract/policy.ts';
import { type Field, memberNameOf } from '../../src/core/extract/field.ts';
import { readJson } from '../../src/core/extract/json-reader.ts';
import { type RequestView, viewRequest } from '../../src/core/extract/request-view.ts';
import { ReusableSubject } from '../../src/core/placement/subject.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import {
  type Detector,
  type Example,
  type InCategory,
  judgedBy,
  type RequestRule,
  type ValueRule,
} from '../../src/core/rules/rule.ts';
import { compileRules, listTriggered, type RuleSet } from '../../src/core/rules/rule-set.ts';
import { hardestFor, type MicroCase, type MicroTexts } from './case.ts';

/**
 * Every detector by itself: its rules are judged on texts whose triggers are known, so that the
 * prefilter is left out. Attacks and look-alikes are the examples of its own rules.
 */
export function detectorCases(texts: MicroTexts): MicroCase[] {
  return detectors.filter(({ rules }) => rules.length > 0).flatMap((one) => casesOf(one, texts));
}

function casesOf(detector: Detector, texts: MicroTexts): MicroCase[] {
  const name = `detector ${detector.category}`;
  const rules = compileRules([detector]);
  const attacks = detector.rules.flatMap((rule) => rule.examples).map(bodyOf);
  const benign = detector.rules.flatMap((rule) => rule.lookalikes).map(bodyOf);
  const judge = (text: string) => timed(rules, [bodyOf(text)]);
  const pattern = hardestFor(texts, (text) => judge(text).run());
  const hard = judge(texts.adversarial.get(pattern) ?? '');
  const attack = timed(rules, attacks);
  return [
    { ...timed(rules, benign), name, input: 'benign', note: 'look-alikes' },
    // Examples that show only behind a decoding are not found here: some are enough.
    { ...attack, name, input: 'attack', note: 'examples', isRight: isSomeOf(attack) },
    {
      ...hard,
      name,
      input: 'adversarial',
      ...(hard.isBehindDecoding ? { bytes: 0, note: 'no pattern triggers it' } : { note: pattern }),
    },
  ];
}

function isSomeOf(attack: Timed): (result: number) => boolean {
  return (result) => attack.isRight(result) && (result > 0 || attack.isBehindDecoding);
}

function bodyOf(example: Example): string {
  return JSON.stringify(typeof example === 'string' ? { value: example } : example.body);
}

type Timed = Pick<MicroCase, 'bytes' | 'run' | 'isRight'> & {
  /** No rule of the detector is triggered by the raw texts. */
  readonly isBehindDecoding: boolean;
};

/** A text and the rules that its trigger calls. */
interface Asked {
  readonly text: string;
  readonly classes: number;
  readonly where: Field['where'];
  readonly member: string;
  readonly rules: readonly ValueRule[];
}

function timed(rules: RuleSet, bodies: readonly string[]): Timed {
  const asked: Asked[] = [];
  const requests: RequestView[] = [];
  let bytes = 0;
  for (const body of bodies) {
    const fields: Field[] = [];
    const fault = readJson(body, fields);
    if (fault !== undefined) throw new Error(`An example is no acceptable body: ${fault}`);
    requests.push(viewRequest(fields));
    for (const field of fields) {
      bytes += Buffer.byteLength(field.text);
      asked.push(...askedOf(rules, field));
    }
  }
  const subject = new ReusableSubject();
  const run = () => judgeAll(subject, asked) + judgeRequests(rules.requestRules, requests);
  const expected = run();
  const isBehindDecoding = asked.length === 0 && rules.requestRules.length === 0;
  return { bytes, run, isRight: (result) => result === expected, isBehindDecoding };
}

function askedOf(rules: RuleSet, field: Field): Asked[] {
  const triggered: InCategory<ValueRule>[] = [];
  const scan = rules.prefilter.scan(field.text);
  listTriggered(rules, scan, field.where === 'name' ? 'name' : 'value', triggered);
  if (triggered.length === 0) return [];
  const { text, where } = field;
  return [
    { text, where, classes: scan.classes, member: memberNameOf(field.node), rules: triggered },
  ];
}

function judgeAll(subject: ReusableSubject, asked: readonly Asked[]): number {
  let found = 0;
  for (const { text, classes, where, member, rules } of asked) {
    subject.reset();
    subject.text = text;
    subject.classes = classes;
    subject.where = where;
    subject.member = member;
    for (const rule of rules) if (judgedBy(rule, subject) !== undefined) found += 1;
  }
  return found;
}

function judgeRequests(rules: readonly RequestRule[], requests: readonly RequestView[]): number {
  let found = 0;
  for (const request of requests) {
    for (const rule of rules) {
      if (rule.judgeRequest(request, defaultPolicy) !== undefined) found += 1;
    }
  }
  return found;
}
