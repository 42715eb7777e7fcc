import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import type { CustomFetch } from 'openid-client';
import { logoutTokenMsMax, type ProvidedLogout } from '../contract/single-sign-on.ts';
import { isFilled } from './claims.ts';
import { requestSecondsMax, UnavailableError } from './guarded-fetch.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** Providers of before the final specification send `JWT`, or nothing. */
const types: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'logout+jwt']);
/** How far the clocks may differ, in each direction. */
const toleranceMs = 60_000;
/** Keys of the provider may change. */
const keysMsMax = 600_000;
/** Strangers may send tokens of unknown keys, as often as they like: keys are asked for no sooner. */
const renewalMs = 30_000;

/** What of the provider's metadata verifies a token. */
interface Issuer {
  readonly issuer: string;
  readonly jwks_uri?: string;
}

interface ReaderParts {
  readonly clientId: string;
  readonly fetch: CustomFetch;
  readonly clock: () => number;
}

/**
 * Reads logout tokens as OpenID Connect Back-Channel Logout 1.0, section 2.6, asks for. It throws where
 * a token is not valid, and an `UnavailableError` where that cannot be known.
 */
export function createLogoutReader({
  clientId,
  fetch,
  clock,
}: ReaderParts): (token: string, issuer: Issuer) => Promise<ProvidedLogout> {
  const keysOf = createKeys(fetch, clock);
  return async (token, { issuer, jwks_uri: uri }) => {
    if (uri === undefined) throw new UnavailableError('the provider names no keys');
    const verify = async (isRetry: boolean) =>
      jwtVerify(token, await keysOf(uri, isRetry), {
        issuer,
        audience: clientId,
        currentDate: new Date(clock()),
        clockTolerance: toleranceMs / 1_000,
        maxTokenAge: (logoutTokenMsMax - 2 * toleranceMs) / 1_000,
      });
    const verified = await verify(false).catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return verify(true);
      throw error;
    });
    return logoutOf(verified);
  };
}

type Keys = ReturnType<typeof createLocalJWKSet>;

/**
 * The keys of the provider: asked for once at a time, and kept for a while. While a stranger's token has
 * them renewed, and where that fails, those that are kept stay in use.
 */
function createKeys(fetch: CustomFetch, clock: () => number) {
  let kept: Asked | undefined;
  let last: Asked | undefined;
  return (uri: string, isRetry: boolean): Promise<Keys> => {
    const now = clock();
    if (!isRetry && isOf(kept, uri, now - keysMsMax)) return kept.keys;
    // Also when it failed: the next token asks again, but not at once.
    if (isOf(last, uri, now - renewalMs)) return last.keys;
    const asked = { uri, keys: load(fetch, uri), at: now };
    last = asked;
    asked.keys.then(
      () => {
        kept = asked;
      },
      () => undefined,
    );
    return asked.keys;
  };
}

interface Asked {
  readonly uri: string;
  readonly keys: Promise<Keys>;
  readonly at: number;
}

function isOf(asked: Asked | undefined, uri: string, after: number): asked is Asked {
  return asked !== undefined && asked.uri === uri && asked.at > after;
}

async function load(fetch: CustomFetch, uri: string): Promise<Keys> {
  const answer = await fetch(uri, {
    method: 'GET',
    headers: { accept: 'application/json, application/jwk-set+json' },
    body: undefined,
    redirect: 'manual',
    signal: AbortSignal.timeout(requestSecondsMax * 1_000),
  });
  if (answer.status !== 200) throw new UnavailableError(`the keys were answered ${answer.status}`);
  try {
    // It checks the shape itself.
    return createLocalJWKSet((await answer.json()) as JSONWebKeySet);
  } catch (cause) {
    throw new UnavailableError('the keys of the provider are not valid', { cause });
  }
}

function logoutOf({ payload, protectedHeader }: JWTVerifyResult<JWTPayload>): ProvidedLogout {
  const { iss: issuer, sub, sid, jti: id, events } = payload;
  const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
  if (!types.has(type)) throw new Error('the token is of another type');
  // What an ID token has and a logout token must not have.
  if (payload['nonce'] !== undefined) throw new Error('the token has a nonce');
  if (!hasEvent(events)) throw new Error('the token is for no logout');
  if (issuer === undefined || !isFilled(id)) throw new Error('the token has no id');
  const subject = sub === undefined || isFilled(sub) ? sub : undefined;
  const session = isFilled(sid) ? sid : undefined;
  if (subject === undefined && session === undefined) throw new Error('the token names no session');
  return {
    issuer,
    id,
    ...(subject === undefined ? {} : { subject }),
    ...(session === undefined ? {} : { session }),
  };
}

function hasEvent(events: unknown): boolean {
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, event)) return false;
  const found = (events as Readonly<Record<string, unknown>>)[event];
  return typeof found === 'object' && found !== null;
}
