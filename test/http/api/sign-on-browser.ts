import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { openApiDocument } from '../../../src/http/openapi.ts';
import type { MakeDatabase } from '../../support/databases.ts';
import {
  client,
  type ProviderCookies,
  type Registration,
  signInAt,
  startProvider,
  type TestProvider,
} from '../../support/identity-provider.ts';
import { freePort } from '../../support/ports.ts';
import { ReplyChecker } from '../openapi/check-reply.ts';
import { ApiServer, type Body, password, startApiOn } from './api-server.ts';

/** The route of the caller's own link. */
export const path = '/api/session/single-sign-on';

const checker = new ReplyChecker(openApiDocument('test'));

/** A Sallyport, and the provider that it asks. */
export interface Fixture {
  readonly api: ApiServer;
  readonly provider: TestProvider;
}

/** Starts both. */
export async function start(
  make: MakeDatabase,
  t: TestContext,
  settings: { readonly oidcRoleClaim?: string; readonly secondFactor?: 'required' } = {},
  registration: Registration = {},
): Promise<Fixture | undefined> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const provider = await startProvider(t, publicUrl, registration);
  const oidc = {
    oidcIssuer: provider.issuer,
    oidcClientId: client.id,
    oidcClientSecret: client.secret,
  };
  const started = await startApiOn(make, t, { port, publicUrl, ...oidc, ...settings });
  return started && { api: started.api, provider };
}

/** A browser that keeps every cookie. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly atProvider: ProviderCookies = new Map();
  readonly api: ApiServer;

  constructor({ running, log, cookie }: ApiServer, isSignedIn = false) {
    this.api = new ApiServer(running, log);
    if (isSignedIn) this.cookies.set('__Host-sallyport', cookie.split('=')[1] ?? '');
  }

  async call(where: string, body?: object, method?: string) {
    this.api.cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await this.api.call(where, {
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    });
    checker.check(where, method ?? (body === undefined ? 'GET' : 'POST'), reply);
    for (const text of reply.headers.getSetCookie()) {
      assert.match(text, /; Path=\/; Secure; HttpOnly; SameSite=Strict;/);
      const [, name = '', value = ''] = /^([\w-]+)=([^;]*)/.exec(text) ?? [];
      if (text.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return reply;
  }

  /** Begins, and signs in at the provider; gives what the provider sent back. */
  async go(user: string, body: object = {}, where = '/api/single-sign-on'): Promise<string> {
    const begun = await this.call(where, body);
    assert.equal(begun.status, 200, JSON.stringify(begun.body));
    return signInAt(begun.body.url, user, this.atProvider);
  }

  async finish(answer: string) {
    const { status, body } = await this.call('/api/single-sign-on/finish', { answer });
    return {
      status,
      body,
      problem: String(body.type ?? '')
        .split(':')
        .at(-1),
      detail: body.detail,
    };
  }

  async signIn(user: string, body: object = {}) {
    return this.finish(await this.go(user, body));
  }

  async user(): Promise<Body> {
    return (await this.call('/api/session')).body.user;
  }
}

/** Links the account of a user of the provider to the administrator of the session. */
export async function link(api: ApiServer, user: string) {
  const browser = new Browser(api, true);
  return browser.finish(await browser.go(user, { password }, path));
}

/** What the audit has of an action. */
export async function entries(api: ApiServer, action: string): Promise<Body[]> {
  return (await api.call(`/api/audit?action=${action}`)).body.entries;
}

/** Invites a viewer; gives the token. */
export async function invite(api: ApiServer, name: string): Promise<string> {
  const { path: link } = (await api.call('/api/invitations', { body: { name, role: 'viewer' } }))
    .body;
  return new URLSearchParams(link.split('#')[1]).get('join') ?? '';
}
