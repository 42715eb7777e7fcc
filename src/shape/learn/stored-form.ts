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
  return JSON.stringify({ version, pair: withoutMaps(pair) });
}

/** What a text holds; an empty one where it is of another version. */
export function fromText(text: string): LearntPair {
  const stored: unknown = JSON.parse(text);
  const { version: own, pair } = Object(stored) as { version?: number; pair?: LearntPair };
  return own === version && pair !== undefined ? (withMaps(pair) as LearntPair) : emptyPair();
}

// A replacer and a reviver would do it, at ten times the cost: they are called for each number.

function withoutMaps(value: unknown): unknown {
  if (value instanceof Map) return Array.from(value, ([key, one]) => [key, withoutMaps(one)]);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const plain: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) plain[name] = withoutMaps(one);
  return plain;
}

function withMaps(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const made: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    made[name] =
      maps.has(name) && Array.isArray(one)
        ? new Map(one.map(([key, inside]: [unknown, unknown]) => [key, withMaps(inside)]))
        : withMaps(one);
  }
  return made;
}
