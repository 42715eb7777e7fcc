import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import {
  type CountWish,
  type EventCounts,
  type EventFact,
  type EventFilter,
  eventFacts,
  type FactCount,
} from '../contract/event.ts';
import type { Tables } from '../storage/tables.ts';
import {
  factColumns,
  inParts,
  type Lead,
  leadFor,
  leadingTo,
  matching,
  partsCount,
} from './event-facts.ts';
import { scanBounds } from './scan-bounds.ts';

/** So many events are counted one by one; of more, `sample` stand for all. */
interface Bound {
  readonly exactMax: number;
  readonly sample: number;
}

const countBound: Bound = { exactMax: 100_000, sample: 50_000 };
/** Of the most frequent values: for each fact the events are sorted anew. */
const topBound: Bound = { exactMax: 20_000, sample: 8_000 };
/** A text is looked for in long rows. */
const textBound: Bound = { exactMax: 20_000, sample: 8_000 };
/** A filter that so few events fit is counted over more of them: a small sample may hold none. */
const fewMax = 4_000;
const fewBound: Bound = { exactMax: 400_000, sample: 300_000 };
const estimateParts = 4;

/** Counts events by time and by fact. From an index that holds all of it, in bounded time. */
export async function countEvents(
  database: Kysely<Tables>,
  filter: EventFilter,
  wish: CountWish,
): Promise<EventCounts> {
  const inTime = { ...filter, from: wish.from, to: wish.to };
  const lead =
    filter.q === undefined ? await leadFor(database, inTime, scanBounds.ownRows) : 'facts';
  const asked = { database, filter: inTime, wish, lead };
  if (lead !== 'facts') {
    return resultOf(await countIn(asked, partsCount, 'both'), partsCount, partsCount);
  }
  const inRange = await estimateRange(database, wish);
  const stepParts = partsFor(filter.q === undefined ? countBound : textBound, inRange);
  const first = await countIn(asked, stepParts, 'steps');
  const fit = (first.seen * partsCount) / stepParts;
  const isSmall = filter.q === undefined && fit < fewMax;
  if (stepParts < partsCount && isSmall) {
    const parts = partsFor(fewBound, inRange);
    return resultOf(await countIn(asked, parts, 'both'), parts, parts);
  }
  if (wish.top === 0 || first.seen === 0) return resultOf(first, stepParts, stepParts);
  const topParts = Math.min(stepParts, partsFor(topBound, fit));
  const { top } = await countIn(asked, topParts, 'top');
  return resultOf({ ...first, top }, stepParts, topParts);
}

/** How many parts hold what is to be counted of all that there are. */
function partsFor({ exactMax, sample }: Bound, all: number): number {
  return all <= exactMax ? partsCount : Math.max(1, Math.floor((partsCount * sample) / all));
}

/** The events in a range: about as many as its first parts let expect. */
async function estimateRange(database: Kysely<Tables>, { from, to }: CountWish): Promise<number> {
  const { count } = await database
    .selectFrom('event')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where(inParts(estimateParts))
    .where('at', '>=', from)
    .where('at', '<', to)
    .executeTakeFirstOrThrow();
  return (Number(count) * partsCount) / estimateParts;
}

interface Asked {
  readonly database: Kysely<Tables>;
  readonly filter: EventFilter;
  readonly wish: CountWish;
  readonly lead: Lead;
}

interface Counted {
  /** Events that were counted. */
  readonly seen: number;
  readonly steps: ReadonlyMap<number, { readonly blocked: number; readonly count: number }>;
  readonly top: ReadonlyMap<EventFact, readonly FactCount[]>;
}

interface CountRow {
  readonly fact: string;
  readonly value: string;
  readonly blocked: number | string;
  readonly count: number | string;
  /** '' for all facts but one. */
  readonly label: string;
}

/** What goes along with the number of a network. */
const nameColumn = ['as_name'] as const;

/** Counts the events of the first `parts` parts: what is asked for, in one statement. */
async function countIn(
  { database, filter, wish, lead }: Asked,
  parts: number,
  what: 'steps' | 'top' | 'both',
): Promise<Counted> {
  const wants = { steps: what !== 'top', top: what !== 'steps' && wish.top > 0 };
  // Of what is filtered by there is one value.
  const columns = wants.top ? eventFacts.filter((fact) => filter[fact] === undefined) : [];
  let hit = database
    .selectFrom('event')
    .select([
      ...columns.map((fact) => factColumns[fact]),
      ...(columns.includes('asn') ? nameColumn : []),
    ])
    .select([
      sql<number>`case when decision = 'block' then 1 else 0 end`.as('blocked'),
      sql<number>`(at - cast(${wish.from} as bigint)) / cast(${wish.stepMs} as bigint)`.as('step'),
    ]);
  hit = hit.where(parts === partsCount ? leadingTo(lead, filter) : inParts(parts));
  const found = matching(hit as unknown as SelectQueryBuilder<Tables, 'event', object>, filter);
  const queries = columns.map((fact) => {
    const column = sql.ref(factColumns[fact]);
    const label = fact === 'asn' ? sql`max(as_name)` : sql`''`;
    return sql`select * from (
      select ${sql.lit(fact)} as fact, ${column} as value, sum(blocked) as blocked, count(*) as count,
        ${label} as label
      from hit where ${column} <> '' group by ${column} order by 4 desc, 2 limit ${wish.top}
    ) as ${sql.ref(`top_${factColumns[fact]}`)}`;
  });
  if (wants.steps) {
    queries.unshift(sql`select 'step' as fact, cast(step as varchar(20)) as value,
      sum(blocked) as blocked, count(*) as count, '' as label from hit group by step`);
  }
  const { rows } = await sql<CountRow>`with hit as materialized ${found}
    ${sql.join(queries, sql` union all `)}`.execute(database);
  return gathered(rows);
}

function gathered(rows: readonly CountRow[]): Counted {
  const steps = new Map<number, { blocked: number; count: number }>();
  const top = new Map<EventFact, FactCount[]>();
  let seen = 0;
  for (const { fact, value, label, ...numbers } of rows) {
    const count = Number(numbers.count);
    if (fact === 'step') {
      seen += count;
      steps.set(Number(value), { blocked: Number(numbers.blocked), count });
      continue;
    }
    // The other names are those of the facts.
    const list = top.get(fact as EventFact) ?? [];
    list.push({ value, count, ...(label === '' ? {} : { label }) });
    top.set(fact as EventFact, list);
  }
  return { seen, steps, top };
}

/** What was counted in some parts, for all of them. */
function resultOf({ steps, top }: Counted, stepParts: number, topParts: number): EventCounts {
  const scaled = (count: number, parts: number) => Math.round((count * partsCount) / parts);
  const shown = [...steps].map(([step, { blocked, count }]) => ({
    step,
    blocked: scaled(blocked, stepParts),
    wouldBlock: scaled(count - blocked, stepParts),
  }));
  const listOf = (fact: EventFact) =>
    (top.get(fact) ?? []).map((one) => ({ ...one, count: scaled(one.count, topParts) }));
  return {
    blocked: shown.reduce((sum, { blocked }) => sum + blocked, 0),
    wouldBlock: shown.reduce((sum, { wouldBlock }) => sum + wouldBlock, 0),
    steps: shown.sort((a, b) => a.step - b.step),
    top: {
      category: listOf('category'),
      severity: listOf('severity'),
      rule: listOf('rule'),
      keyId: listOf('keyId'),
      policyId: listOf('policyId'),
      method: listOf('method'),
      host: listOf('host'),
      path: listOf('path'),
      client: listOf('client'),
      country: listOf('country'),
      asn: listOf('asn'),
      pointer: listOf('pointer'),
    },
    estimated: { counts: stepParts < partsCount, top: topParts < partsCount },
  };
}
