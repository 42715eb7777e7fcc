import { gunzipSync, gzipSync } from 'node:zlib';
import type { LearntReport, RecentEvents } from '../../contract/learnt-shape.ts';
import { limits } from '../../contract/limits.ts';
import type { Shape } from '../../contract/shape.ts';
import { driftOf } from './drift.ts';
import { emptyPair, type LearntPair, mergeLearnt, pairBytes } from './learner.ts';
import { allRoutes, propose } from './propose.ts';
import { type EventCore, eventEffectOf } from './spared-events.ts';
import { fromText, toText } from './stored-form.ts';

/** A learnt shape as a text for the database. */
export function packed(pair: LearntPair): string {
  return gzipSync(toText(pair)).toString('base64');
}

/** What a stored text holds; nothing where it cannot be read. */
export function unpacked(text: string | undefined): LearntPair {
  if (text === undefined) return emptyPair();
  try {
    const maxOutputLength = 4 * limits.learntHeldBytesMax;
    return fromText(gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength }).toString());
  } catch {
    return emptyPair();
  }
}

/** What a stored text says, for people, and what the proposal would have made of recent events. */
export function reportOn(
  stored: string | undefined,
  declared: Shape | undefined,
  { recent, core }: { readonly recent: RecentEvents; readonly core: EventCore },
): LearntReport {
  const { passed, refused } = unpacked(stored);
  const { requests, leftOut, first, last } = passed;
  const bytes = pairBytes({ passed, refused });
  const drift = declared === undefined ? [] : driftOf(together(stored), declared);
  const routes = allRoutes(unpacked(stored).passed).length;
  const { shape, evidence, effect } = propose(passed);
  return {
    requests,
    leftOut,
    first: requests === 0 ? undefined : first,
    last: requests === 0 ? undefined : last,
    routes,
    bytes,
    proposal: shape,
    evidence,
    effect: { ...effect, events: eventEffectOf(shape, recent, core) },
    drift,
  };
}

/** What passed and what the declared shape alone refused, as one. */
function together(stored: string | undefined) {
  const { passed, refused } = unpacked(stored);
  mergeLearnt(passed, refused);
  return passed;
}
