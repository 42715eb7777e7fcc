import { emptyPair, type LearntPair } from './learner.ts';

/** What a text of an older or newer version begins with is not this. */
const version = 1;

/** Names of members that are maps. Names from traffic stand inside of their lists only. */
const maps: ReadonlySet<string> = new Set([
  'children',
  'methods',
  'bodies',
  'members',
  'values',
  'declared',
]);

/** A learnt shape as it is stored: JSON, each map a list of its entries. */
export function toText(pair: LearntPair): string {
  return JSON.stringify({ version, pair }, (_, value: unknown) =>
    value instanceof Map ? [...value] : value,
  );
}

/** What a text holds; an empty one where it is of another version. */
export function fromText(text: string): LearntPair {
  const stored: unknown = JSON.parse(text, (name, value: unknown) =>
    maps.has(name) && Array.isArray(value) ? new Map(value as [unknown, unknown][]) : value,
  );
  const { version: own, pair } = Object(stored) as { version?: number; pair?: LearntPair };
  return own === version && pair !== undefined ? pair : emptyPair();
}
