import { limits } from '../../contract/limits.ts';
import type { ObjectSummary, SeenValue, TextSummary, ValueSummary } from './summary.ts';

/**
 * What two summaries say together; the second is used up. The order does not matter, so that nodes
 * may learn apart from each other.
 */
export function mergeValues(into: ValueSummary, from: ValueSummary): ValueSummary {
  into.count += from.count;
  into.first = Math.min(into.first, from.first);
  into.last = Math.max(into.last, from.last);
  addCounts(into.kinds, from.kinds);
  if (from.isSecret === true) into.isSecret = true;
  if (from.text !== undefined) into.text = mergedTexts(into.text, from.text);
  if (from.number !== undefined) {
    const { min, max } = into.number ?? from.number;
    into.number = { min: Math.min(min, from.number.min), max: Math.max(max, from.number.max) };
  }
  if (from.list !== undefined) {
    const { list } = into;
    into.list =
      list === undefined
        ? from.list
        : {
            max: Math.max(list.max, from.list.max),
            items: mergeValues(list.items, from.list.items),
          };
  }
  if (from.object !== undefined) into.object = mergedObjects(into.object, from.object);
  return into;
}

function addCounts(into: number[], from: readonly number[]): void {
  for (let at = 0; at < from.length; at++) into[at] = (into[at] ?? 0) + (from[at] ?? 0);
}

function mergedTexts(into: TextSummary | undefined, from: TextSummary): TextSummary {
  if (into === undefined) return from;
  into.count += from.count;
  into.chars += from.chars;
  into.min = Math.min(into.min, from.min);
  into.max = Math.max(into.max, from.max);
  addCounts(into.lengths, from.lengths);
  addCounts(into.classes, from.classes);
  addCounts(into.formats, from.formats);
  into.values = mergedSeen(into.values, from.values);
  return into;
}

function mergedSeen(
  into: Map<number, SeenValue> | undefined,
  from: Map<number, SeenValue> | undefined,
): Map<number, SeenValue> | undefined {
  if (into === undefined || from === undefined) return undefined;
  for (const [digest, [count, text]] of from) {
    const [before = 0, known] = into.get(digest) ?? [];
    const kept = text ?? known;
    into.set(digest, kept === undefined ? [count + before] : [count + before, kept]);
  }
  return into.size > limits.learntValuesMax ? undefined : into;
}

function mergedObjects(into: ObjectSummary | undefined, from: ObjectSummary): ObjectSummary {
  if (into === undefined) return from;
  into.count += from.count;
  into.others += from.others;
  for (const [name, member] of from.members) {
    const known = into.members.get(name);
    if (known === undefined) into.members.set(name, member);
    else mergeValues(known, member);
  }
  return into;
}
