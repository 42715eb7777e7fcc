import type { Where } from '../../contract/verdict.ts';
import { createPrefilter, type Prefilter, type Scan } from '../match/prefilter.ts';
import { charClass } from '../text/char-class.ts';
import { clue, offerClues } from '../text/clue.ts';
import { signIndex } from '../text/sign-index.ts';
import {
  type Detector,
  type InCategory,
  inCategory,
  isRequestRule,
  isShapeRule,
  isValueRule,
  type RequestRule,
  type ShapeRule,
  type ValueRule,
} from './rule.ts';

/** The rules of all detectors, compiled: one prefilter, and a table of what each rule waits for. */
export interface RuleSet {
  readonly prefilter: Prefilter;
  /** Rules that wait for character classes only. */
  readonly classRules: TriggerTable;
  /** Rules that wait for literals, in the order of the group that they are found under. */
  readonly literalRules: TriggerTable;
  /** Number of the first of `literalRules` of each group, the rarest that a rule waits for. */
  readonly groupStarts: Int32Array;
  /** Groups of the clues, in the order of their bits. */
  readonly clueGroups: readonly number[];
  readonly requestRules: readonly InCategory<RequestRule>[];
  /** Rules of what a policy declares, by their ids. */
  readonly shapeRules: ReadonlyMap<string, InCategory<ShapeRule>>;
}

/** Rules and their triggers in bits: numbers in a row, which a processor passes over at once. */
interface TriggerTable {
  readonly rules: readonly InCategory<ValueRule>[];
  readonly classes: Int32Array;
  readonly charsMax: Int32Array;
  /** All of these classes: a text without any has the trigger of no rule that waits for some. */
  readonly anyOf: number;
  /** Some rule waits for no class. */
  readonly hasFree: boolean;
  /** `othersMax` for each rule: the literal groups that must have been hit, too. */
  readonly others: Int32Array;
}

interface CompiledRule {
  readonly rule: InCategory<ValueRule>;
  /** Literal groups, the rarest first. */
  readonly groups: readonly number[];
}

/** A class that each value has, and no name of a member. */
const ofValue = 1 << 31;
/** Beyond the longest text. */
const anyLength = 0x7fff_ffff;
/** A rule waits for one group more at most. */
const othersMax = 2;

/** Compiles all rules. Done once for each engine. */
export function compileRules(detectors: readonly Detector[]): RuleSet {
  const groups = new GroupTable();
  const rules = detectors.flatMap((detector) => detector.rules);
  const compiled = rules.filter(isValueRule).map((rule) => ({
    rule: uniform(rule),
    groups: (rule.trigger.literals ?? [])
      .map((literals) => groups.numberOf(literals))
      .sort((a, b) => groups.rarity(b) - groups.rarity(a)),
  }));
  const clueGroups = Object.keys(clue).map((literal) => groups.numberOf([literal]));
  const byGroup = groups.list.map((_, group) => compiled.filter((one) => one.groups[0] === group));
  let start = 0;
  return {
    prefilter: createPrefilter(groups.list),
    classRules: tableOf(compiled.filter((one) => one.groups.length === 0)),
    literalRules: tableOf(byGroup.flat()),
    groupStarts: Int32Array.of(0, ...byGroup.map((list) => (start += list.length))),
    clueGroups,
    requestRules: rules.filter(isRequestRule).map(inCategory),
    shapeRules: new Map(rules.filter(isShapeRule).map((rule) => [rule.id, inCategory(rule)])),
  };
}

function tableOf(compiled: readonly CompiledRule[]): TriggerTable {
  const others = compiled.flatMap(({ rule, groups: [rarest = 0, ...more] }) => {
    if (more.length > othersMax) throw new Error(`${rule.id} waits for too many literal groups`);
    return Array.from({ length: othersMax }, (_, index) => more[index] ?? rarest);
  });
  const classes = Int32Array.from(
    compiled,
    ({ rule: { trigger } }) => (trigger.classes ?? 0) | (trigger.isOfValues ? ofValue : 0),
  );
  return {
    rules: compiled.map(({ rule }) => rule),
    classes,
    charsMax: Int32Array.from(compiled, ({ rule }) => rule.trigger.charsMax ?? anyLength),
    anyOf: classes.reduce((all, one) => all | one, 0) & ~ofValue,
    hasFree: classes.some((one) => (one & ~ofValue) === 0),
    others: Int32Array.from(others),
  };
}

/** The same rule with its members in one order: V8 reads those of objects alike much faster. */
function uniform(rule: ValueRule): InCategory<ValueRule> {
  const trigger = { ...triggerMembers, ...rule.trigger };
  return { ...ruleMembers, ...inCategory({ ...rule, trigger }) };
}

const ruleMembers = inOrder(
  'id category cwe severity score message trigger examples lookalikes judge readsBytes',
);
const triggerMembers = inOrder('anchor charsMax classes isOfValues literals');

function inOrder(names: string): object {
  return Object.fromEntries(names.split(' ').map((name) => [name, undefined]));
}

/**
 * Puts the rules whose trigger is met by the scan at the start of a list, and returns how many they
 * are. What stood behind them stays, as V8 gives up the memory of a list whose length is set.
 */
export function listTriggered(
  rules: RuleSet,
  scan: Readonly<Scan>,
  where: Where,
  list: InCategory<ValueRule>[],
): number {
  let count = 0;
  const { classRules, literalRules, groupStarts } = rules;
  const { hits, chars } = scan;
  const classes = where === 'name' ? scan.classes : scan.classes | ofValue;
  if (classRules.hasFree || (classes & classRules.anyOf) !== 0) {
    for (let at = 0; at < classRules.rules.length; at++) {
      if (mayAsk(classRules, at, classes, chars))
        list[count++] = classRules.rules[at] as InCategory<ValueRule>;
    }
  }
  if (!scan.anyHit) return count;
  for (let word = 0; word < hits.length; word++) {
    for (let bits = hits[word] as number; bits !== 0; bits &= bits - 1) {
      const group = word * 32 + 31 - Math.clz32(bits & -bits);
      const end = groupStarts[group + 1] as number;
      for (let at = groupStarts[group] as number; at < end; at++) {
        if (mayAsk(literalRules, at, classes, chars) && hasOthers(literalRules, at, hits))
          list[count++] = literalRules.rules[at] as InCategory<ValueRule>;
      }
    }
  }
  return count;
}

/** Lets what reads the text that is being judged use what its scan saw; '' lets go of it. */
export function offerText(
  { clueGroups }: RuleSet,
  { classes, hits }: Readonly<Scan>,
  text: string,
): void {
  let clues = 0;
  for (let at = 0; at < clueGroups.length; at++)
    clues |= isHit(hits, clueGroups[at] as number) << at;
  signIndex.offer(text, (classes & charClass.nonAscii) === 0);
  offerClues(text, clues);
}

/** The classes are those that the rule waits for, and the text is no longer than it may be. */
function mayAsk(table: TriggerTable, rule: number, classes: number, chars: number): boolean {
  const wanted = table.classes[rule] as number;
  return (classes & wanted) === wanted && chars <= (table.charsMax[rule] as number);
}

function hasOthers({ others }: TriggerTable, rule: number, hits: Int32Array): boolean {
  for (let at = rule * othersMax; at < (rule + 1) * othersMax; at++) {
    if (isHit(hits, others[at] as number) === 0) return false;
  }
  return true;
}

function isHit(hits: Int32Array, group: number): number {
  return ((hits[group >>> 5] as number) >>> (group & 31)) & 1;
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
