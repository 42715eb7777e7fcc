import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** One labelled request: `body` is what a caller POSTs to `/control`. */
export interface Item {
  readonly id: string;
  readonly label: 'malicious' | 'benign';
  /** The attack class, or `benign`. */
  readonly category: string;
  /** Where the text comes from. */
  readonly source: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Which items to take. */
export interface Selection {
  readonly category?: string | undefined;
  readonly source?: string | undefined;
  /** Part of a file name. */
  readonly file?: string | undefined;
  /** At most so many items of each file, evenly spread; 0 for all. */
  readonly limit: number;
}

/** Reads the `.jsonl` files of a folder, file by file. */
export async function* readCorpus(
  folder: string,
  selection: Selection,
): AsyncGenerator<{ readonly file: string; readonly items: readonly Item[] }> {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    if (selection.file !== undefined && !file.includes(selection.file)) continue;
    const items = (await readLines(join(folder, file))).filter((item) => isWanted(item, selection));
    yield { file, items: evenSample(items, selection.limit) };
  }
}

async function readLines(path: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (line !== '') items.push(JSON.parse(line) as Item);
  }
  return items;
}

function isWanted(item: Item, selection: Selection): boolean {
  if (selection.category !== undefined && item.category !== selection.category) return false;
  return selection.source === undefined || item.source === selection.source;
}

function evenSample(items: readonly Item[], limit: number): readonly Item[] {
  if (limit === 0 || items.length <= limit) return items;
  const slot = (i: number): number => Math.floor((i * limit) / items.length);
  return items.filter((_, i) => slot(i) !== slot(i - 1));
}
