import type { Screener } from '../../../src/clients/outcome.ts';
import { Random } from '../../lib/random.ts';
import type { BenignText, Origin } from '../benign/origin.ts';
import type { Context, Oracle } from '../contract.ts';
import { Families, type Family } from './families.ts';
import { verdictOf } from './verdict.ts';

export interface BenignOptions {
  /** Different texts of each origin; fewer where an origin has no more. */
  readonly texts: number;
  readonly seed: number;
  /** Reports each origin once it is screened. */
  readonly report?: (line: string) => void;
}

/** What the default policy makes of the benign texts of one origin. */
export interface BenignReport {
  readonly origin: string;
  readonly texts: number;
  readonly blocked: number;
  /** Blocked, though the interpreters that were asked say that it is an attack in no context. */
  readonly suspected: number;
  /** Of the suspected, those that an interpreter was asked about; for others there is none. */
  readonly asked: number;
  /** Suspected false positives by rule × kind of text. */
  readonly families: readonly Family[];
}

/** A text that is blocked. */
interface Blocked {
  readonly origin: string;
  readonly benign: BenignText;
  readonly rule: string;
}

/** What the interpreters say of a blocked text; undefined when none was asked. */
type Judgement = 'effective' | 'harmless' | undefined;

/** Of one origin and category: the first in the order in which they were found. */
const askedMax = 200;
/** Texts in a row that were seen before, after which an origin counts as exhausted. */
const repeatsMax = 2_000;

/** Screens texts of each origin, and asks the interpreters about those that are blocked. */
export async function screenBenign(
  origins: readonly Origin[],
  oracles: readonly Oracle[],
  screener: Screener,
  options: BenignOptions,
): Promise<readonly BenignReport[]> {
  const screened: { origin: string; texts: number; blocked: readonly Blocked[] }[] = [];
  for (const origin of origins) {
    const one = await screenOrigin(origin, screener, options);
    options.report?.(`${one.origin}: ${one.texts} texts, ${one.blocked.length} blocked`);
    screened.push(one);
  }
  const judgements = await judgeBlocked(
    screened.flatMap(({ blocked }) => blocked),
    oracles,
  );
  const reports: BenignReport[] = [];
  for (const { origin, texts, blocked } of screened) {
    const suspected = blocked.filter((one) => judgements.get(one) !== 'effective');
    const asked = suspected.filter((one) => judgements.get(one) !== undefined).length;
    const families = await familiesOf(suspected, screener);
    const counts = { texts, blocked: blocked.length, suspected: suspected.length, asked };
    reports.push({ origin, ...counts, families });
  }
  return reports;
}

async function screenOrigin(
  origin: Origin,
  screener: Screener,
  { texts, seed }: BenignOptions,
): Promise<{ origin: string; texts: number; blocked: readonly Blocked[] }> {
  const seen = new Set<string>();
  const blocked: Blocked[] = [];
  let repeats = 0;
  for (const benign of origin.texts(new Random(seed))) {
    if (seen.size >= texts || repeats >= repeatsMax) break;
    repeats = seen.has(benign.text) ? repeats + 1 : 0;
    if (repeats > 0) continue;
    seen.add(benign.text);
    const { isBlocked, rule } = await verdictOf(screener, [benign.name], [benign.text]);
    if (isBlocked) blocked.push({ origin: origin.name, benign, rule });
  }
  return { origin: origin.name, texts: seen.size, blocked };
}

/** Asks the interpreters of the category of each finding, which start only where there is one. */
async function judgeBlocked(
  blocked: readonly Blocked[],
  oracles: readonly Oracle[],
): Promise<ReadonlyMap<Blocked, Judgement>> {
  const judgements = new Map<Blocked, Judgement>();
  for (const [category, found] of Map.groupBy(blocked, categoryOf)) {
    const own = oracles.filter((oracle) => oracle.category === category);
    const byOrigin = [...Map.groupBy(found, ({ origin }) => origin).values()];
    const asked = byOrigin.flatMap((some) => some.slice(0, askedMax));
    for (const oracle of own) await judgeBy(oracle, asked, judgements);
  }
  return judgements;
}

async function judgeBy(
  oracle: Oracle,
  asked: readonly Blocked[],
  judgements: Map<Blocked, Judgement>,
): Promise<void> {
  const open = asked.filter((one) => judgements.get(one) !== 'effective');
  if (open.length === 0) return;
  const running = await oracle.start();
  try {
    for (const one of open) {
      let judgement: Judgement = 'harmless';
      for (const context of oracle.contexts) {
        const values = context.members.map(() => one.benign.text);
        if ((await running.judge(context, values)) !== 'effective') continue;
        judgement = 'effective';
        break;
      }
      judgements.set(one, judgement);
    }
  } finally {
    await running.close();
  }
}

/** The rules of a category begin with its name. */
const categoryOf = ({ rule }: Blocked): string => rule.split('.')[0] ?? '';

/** In place of a rule: a limit was reached, and the default policy blocks what it has not seen whole. */
const incomplete = 'screened incompletely';

/** Each with its shortest text, less the lines and characters that do not matter. */
async function familiesOf(
  suspected: readonly Blocked[],
  screener: Screener,
): Promise<readonly Family[]> {
  const families = new Families();
  for (const { benign, rule, origin } of suspected) {
    const context: Context = { name: origin, members: [benign.name], benign: [] };
    const kind = `${rule || incomplete} × ${benign.kind}`;
    families.add(kind, 0, context, { kind, values: [benign.text] });
  }
  const all = families.all();
  for (const { name, example } of all) {
    const [label = ''] = name.split(' × ');
    const rule = label === incomplete ? '' : label;
    const [text = ''] = example.values;
    example.values = [await shrunk(screener, { names: example.names, text, rule })];
  }
  return all;
}

/** Screenings that one example may cost. */
const screeningsMax = 600;

/** The text without what can be taken out while the same rule still blocks it. */
export async function shrunk(
  screener: Screener,
  { names, text, rule }: { names: readonly string[]; text: string; rule: string },
): Promise<string> {
  let screenings = 0;
  const holds = async (candidate: string): Promise<boolean> => {
    screenings += 1;
    const verdict = await verdictOf(screener, names, [candidate]);
    return verdict.isBlocked && verdict.rule === rule;
  };
  let kept = text;
  for (const pattern of [/[^\n]*\n?/g, /\s*\S+/g]) {
    let parts: readonly string[] = kept.match(pattern) ?? [];
    for (let size = Math.ceil(parts.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < parts.length && screenings < screeningsMax; ) {
        const rest = [...parts.slice(0, at), ...parts.slice(at + size)];
        if (rest.length > 0 && (await holds(rest.join('')))) parts = rest;
        else at += size;
      }
    }
    kept = parts.join('');
  }
  return kept;
}

/** Suspected false positives of a million texts. */
export function perMillion({ suspected, texts }: BenignReport): number {
  return texts === 0 ? 0 : Math.round((suspected / texts) * 1_000_000);
}
