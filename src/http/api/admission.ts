import { keyActor } from '../../contract/audit.ts';
import type { ManagingKey } from '../../contract/key-directory.ts';
import type { Management } from '../../contract/management.ts';
import type { Actor } from '../../contract/roles.ts';
import type { Header } from '../answer.ts';
import { hasTwoKeys, keyIn } from '../api-key.ts';
import { clientAddress, type TrustedProxies } from '../peer.ts';
import type { UwsRequest, UwsResponse } from '../uws.ts';
import { agentName } from './agent-name.ts';
import type { ApiMethod, CallerSession } from './api-route.ts';

/** `__Host-` holds a browser to Secure, Path=/ and no Domain (RFC 6265bis, section 4.1.3.2). */
const sessionCookie = { name: '__Host-sallyport', token: /^[A-Za-z0-9_-]{43}$/ };
/** Proof that a browser has signed in before. It does not sign in by itself. */
const deviceCookie = { name: '__Host-sallyport-device', token: /^[A-Za-z0-9_-]{64}$/ };
/** What binds the answer of the identity provider to this browser. Sealed. */
const flowCookie = { name: '__Host-sallyport-sign-on', token: /^[A-Za-z0-9+/=]{1,1200}$/ };
const flowSeconds = 10 * 60;
const cookieRules = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const sessionSeconds = 12 * 60 * 60;
const deviceSeconds = 90 * 24 * 60 * 60;

/** What the head of a request says of who sends it. Copied: the request dies with its handler. */
export interface ApiHead {
  readonly key: string;
  /** Whether there is another key beside it. */
  readonly hasTwoKeys: boolean;
  readonly session: string;
  readonly device: string;
  readonly flow: string;
  readonly origin: string;
  readonly host: string;
  readonly fetchSite: string;
  readonly address: string;
  /** The browser in a few words. */
  readonly agent: string;
}

/** The identity of an admitted caller. */
export interface Admission extends Actor {
  readonly session?: CallerSession;
}

/** Copies what admission needs. */
export function readApiHead(
  res: UwsResponse,
  req: UwsRequest,
  trustedProxies: TrustedProxies,
): ApiHead {
  const cookies = req.getHeader('cookie');
  const key = keyIn(req);
  return {
    key,
    hasTwoKeys: hasTwoKeys(req, key),
    session: cookieOf(cookies, sessionCookie),
    device: cookieOf(cookies, deviceCookie),
    flow: cookieOf(cookies, flowCookie),
    origin: req.getHeader('origin'),
    host: req.getHeader('host'),
    fetchSite: req.getHeader('sec-fetch-site'),
    address: clientAddress(res, req, trustedProxies),
    agent: agentName(req.getHeader('user-agent')),
  };
}

/** The audit has room for so much. */
const actorCharsMax = 110;

/** Who sends a request; undefined for an unknown caller. A key goes before a session. */
export async function admit(
  head: ApiHead,
  parts: Pick<Management, 'gate' | 'managerOf' | 'lookUpKey'>,
): Promise<Admission | undefined> {
  if (head.key !== '') {
    const key = parts.managerOf(head.key, head.address) ?? (await lookUp(head, parts));
    if (key === undefined) return undefined;
    const actor = keyActor(key).slice(0, actorCharsMax);
    return { actor, role: key.role };
  }
  if (head.session === '') return undefined;
  const user = await parts.gate.sessionOf(head.session, head);
  if (user === undefined) return undefined;
  const { role, ...session } = user;
  return { actor: user.name, role, session: { ...session, token: head.session } };
}

/** A key that memory did not know: the store is asked for it once. */
async function lookUp(
  { key, address }: ApiHead,
  parts: Pick<Management, 'managerOf' | 'lookUpKey'>,
): Promise<ManagingKey | undefined> {
  await parts.lookUpKey(key);
  return parts.managerOf(key, address);
}

/**
 * Whether a request may change something as far as its origin goes. A page elsewhere cannot add an
 * administrator key without our consent (CORS), so requests with one pass.
 */
export function isSameOrigin(method: ApiMethod, head: ApiHead): boolean {
  if (method === 'GET' || head.key !== '') return true;
  if (head.fetchSite !== '') return head.fetchSite === 'same-origin' || head.fetchSite === 'none';
  return URL.canParse(head.origin) && new URL(head.origin).host === head.host;
}

/** The headers that make a browser keep a session, and know its device again. */
export function setCookies(tokens: {
  readonly session: string;
  readonly device: string;
}): Header[] {
  const { session, device } = tokens;
  return [
    cookieHeader(sessionCookie.name, session, sessionSeconds),
    cookieHeader(deviceCookie.name, device, deviceSeconds),
  ];
}

/** The header that makes a browser forget its session. The device stays known. */
export const clearSessionCookie: Header = cookieHeader(sessionCookie.name, '', 0);

/** The header that binds a single sign-on to a browser. */
export function setFlowCookie(flow: string): Header {
  return cookieHeader(flowCookie.name, flow, flowSeconds);
}

export const clearFlowCookie: Header = cookieHeader(flowCookie.name, '', 0);

function cookieHeader(name: string, value: string, seconds: number): Header {
  return ['set-cookie', `${name}=${value}; ${cookieRules}; Max-Age=${seconds}`];
}

function cookieOf(header: string, cookie: { readonly name: string; readonly token: RegExp }) {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== cookie.name) continue;
    const value = pair.slice(equals + 1).trim();
    return cookie.token.test(value) ? value : '';
  }
  return '';
}
