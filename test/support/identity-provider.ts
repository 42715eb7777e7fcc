import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import Provider from 'oidc-provider';

/** What Sallyport and the provider know each other by. */
export const client = { id: 'sallyport', secret: 'the-secret-of-the-client' };

/** A real OpenID provider on this machine, whose users sign in with any name. */
export interface TestProvider {
  readonly issuer: string;
  /** Claims of a user beside those that the name makes. */
  readonly claims: Map<string, Readonly<Record<string, unknown>>>;
  /** The key that it signs with. */
  readonly key: KeyObject;
  /** Why a logout token was not taken, as the provider saw it. */
  readonly logoutErrors: string[];
  /** The header of each request for tokens. */
  readonly authorizations: (string | undefined)[];
  close(): Promise<void>;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwks = { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: 'test' }] };

/** How Sallyport is registered at the provider. */
export interface Registration {
  /** By which it proves itself; `none` is that of a public client. */
  readonly method?: 'client_secret_basic' | 'client_secret_post' | 'none';
  /** Whether tokens name the session at the provider. */
  readonly namesSessions?: boolean;
}

/** Starts a provider that sends browsers back to the address of a Sallyport. Closed after the test. */
export async function startProvider(
  t: TestContext,
  publicUrl: string,
  { method = 'client_secret_basic', namesSessions = true }: Registration = {},
): Promise<TestProvider> {
  const claims: TestProvider['claims'] = new Map();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        ...(method === 'none' ? {} : { client_secret: client.secret }),
        token_endpoint_auth_method: method,
        redirect_uris: [`${publicUrl}/dashboard/single-sign-on`],
        backchannel_logout_uri: `${publicUrl}/api/single-sign-on/logout`,
        backchannel_logout_session_required: namesSessions,
      },
    ],
    claims: {
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
      roles: ['roles'],
    },
    scopes: ['openid', 'email', 'profile', 'roles'],
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.com`,
        email_verified: true,
        preferred_username: id,
        ...claims.get(id),
      }),
    }),
    clientAuthMethods: [method],
    features: { backchannelLogout: { enabled: true } },
    // Its own check refuses addresses of this machine.
    fetch: (url, { dispatcher: _check, ...options } = {}) => fetch(url, options),
    pkce: { required: () => true },
    jwks: jwks as never,
    cookies: { keys: ['of the test'] },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  });
  const logoutErrors: string[] = [];
  provider.on('backchannel.error', (_context, { message }) => logoutErrors.push(message));
  const authorizations: TestProvider['authorizations'] = [];
  server.on('request', ({ url, headers }) => {
    if (url === '/token') authorizations.push(headers.authorization);
  });
  server.on('request', provider.callback());
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  t.after(close);
  return { issuer, claims, key: privateKey, logoutErrors, authorizations, close };
}

/** The cookies that a browser has of the provider. */
export type ProviderCookies = Map<string, string>;

type Form = Readonly<Record<string, string>>;

async function ask(cookies: ProviderCookies, address: URL, form?: Form): Promise<Response> {
  const answer = await fetch(address, {
    redirect: 'manual',
    headers: {
      connection: 'close',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  });
  for (const cookie of answer.headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';');
    const [name = '', value = ''] = pair.split('=');
    cookies.set(name, value);
  }
  return answer;
}

/** Signs in at the provider as a browser would; gives the query that it sends the browser back with. */
export async function signInAt(
  url: string,
  user: string,
  cookies: ProviderCookies = new Map(),
): Promise<string> {
  const { origin } = new URL(url);
  let address = new URL(url);
  for (let steps = 0; steps < 12; steps += 1) {
    if (address.origin !== origin) return address.search;
    const answer = await ask(cookies, address);
    let to = answer.headers.get('location');
    if (to === null) {
      const page = await answer.text();
      assert.equal(answer.status, 200, page);
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
      const form = { prompt, ...(prompt === 'login' ? { login: user, password: 'any' } : {}) };
      to = (await ask(cookies, address, form)).headers.get('location');
    }
    address = new URL(to ?? '', address);
  }
  throw new Error('The provider did not come to an end.');
}

/** Signs out at the provider, which says so to those that the browser signed in to. */
export async function signOutAt({ issuer }: TestProvider, cookies: ProviderCookies): Promise<void> {
  const page = await (await ask(cookies, new URL('/session/end', issuer))).text();
  const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1];
  assert.ok(xsrf, page);
  const confirm = new URL('/session/end/confirm', issuer);
  const answer = await ask(cookies, confirm, { xsrf, logout: 'yes' });
  assert.equal(answer.status, 303);
}
