import type { SignInMethod } from '../contract/sign-in.ts';
import type { SessionBounds } from './admin-store.ts';

const hour = 3_600_000;
const sessionMsMax = 12 * hour;
const idleMsMax = 2 * hour;

/**
 * Sessions that were made or seen last before these times have ended. `providedMsMax`: how long those
 * last that began at the identity provider, where a user may be removed meanwhile.
 */
export function sessionBounds(now: number, providedMsMax = sessionMsMax): SessionBounds {
  return {
    createdBefore: now - sessionMsMax,
    providedBefore: now - Math.min(providedMsMax, sessionMsMax),
    seenBefore: now - idleMsMax,
  };
}

/** Whether a session has not ended. */
export function isLive(
  session: { readonly method: SignInMethod; readonly createdAt: number; readonly seenAt: number },
  { createdBefore, providedBefore, seenBefore }: SessionBounds,
): boolean {
  const isProvided = session.method === 'single-sign-on';
  const madeBefore = isProvided ? providedBefore : createdBefore;
  return session.createdAt > madeBefore && session.seenAt > seenBefore;
}
