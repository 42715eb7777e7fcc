import { defaultPolicy, type Sensitivity, thresholds } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Finding, Verdict } from '../../src/contract/verdict.ts';
import type { Engine } from '../../src/core/engine.ts';
import { type Item, readCorpus, type Selection } from './corpus.ts';

const levels: readonly Sensitivity[] = [1, 2, 3, 4];

/** Items of one kind, and how many of them were blocked at each sensitivity, 1 first. */
export interface Row {
  items: number;
  readonly blocked: [number, number, number, number];
}

/** An item that was judged wrongly at default sensitivity. */
export interface Wrong {
  readonly file: string;
  readonly item: Item;
  readonly findings: readonly Finding[];
}

export interface Report {
  /** By category; benign items are the row `benign`. */
  readonly categories: ReadonlyMap<string, Row>;
  /** By file and source. */
  readonly sources: ReadonlyMap<string, Row>;
  readonly wrong: readonly Wrong[];
}

/** Screens every item of a corpus; `visit` sees each verdict. */
export async function evaluate(
  engine: Engine,
  folder: string,
  selection: Selection,
  visit: (item: Item, verdict: Verdict) => void = () => undefined,
): Promise<Report> {
  const categories = new Map<string, Row>();
  const sources = new Map<string, Row>();
  const wrong: Wrong[] = [];
  for await (const { file, items } of readCorpus(folder, selection)) {
    for (const item of items) {
      const verdict = screen(engine, item);
      visit(item, verdict);
      count(categories, item.category, verdict);
      count(sources, `${file.replace('.jsonl', '')} ${item.source}`, verdict);
      const isBlocked = verdict.decision === 'block';
      if (isBlocked !== (item.label === 'malicious')) {
        wrong.push({ file, item, findings: verdict.findings });
      }
    }
  }
  return { categories, sources, wrong };
}

function screen(engine: Engine, item: Item): Verdict {
  const request = { body: JSON.stringify(item.body), context: noContext };
  const result = engine.screen(request, defaultPolicy);
  if (result.kind !== 'verdict') throw new Error(`${item.id} is rejected: ${result.fault}`);
  return result.verdict;
}

function count(rows: Map<string, Row>, name: string, verdict: Verdict): void {
  const row = rows.get(name) ?? { items: 0, blocked: [0, 0, 0, 0] };
  row.items++;
  levels.forEach((level, i) => {
    if (verdict.score >= thresholds[level]) row.blocked[i] = (row.blocked[i] ?? 0) + 1;
  });
  rows.set(name, row);
}

/** The rows of all malicious categories added up. */
export function totalMalicious(report: Report): Row {
  const total: Row = { items: 0, blocked: [0, 0, 0, 0] };
  for (const [name, row] of report.categories) {
    if (name === 'benign') continue;
    total.items += row.items;
    row.blocked.forEach((blocked, i) => {
      total.blocked[i] = (total.blocked[i] ?? 0) + blocked;
    });
  }
  return total;
}
