import type { ClientRequest, RequestBody } from '../../../../src/client-request/request-members.ts';
import type { Context } from '../../contract.ts';

/** An application with a session cookie, and the page of another that attacks it. */
export interface ShopContext extends Context {
  /** Where the application is. */
  readonly shop: string;
  /** Where the page is that the visitor opens. */
  readonly page: string;
  /** `SameSite` of its cookie; undefined for one that does not say. */
  readonly sameSite?: 'None' | 'Lax' | 'Strict';
  readonly takes: Taking;
}

/** What the application acts on. */
export type Taking = 'form' | 'json' | 'override' | 'override of any method' | 'query';

/** What a visitor can change: the path, and the fields that must come with it. */
export const changes: readonly { readonly path: string; readonly fields: readonly string[] }[] = [
  { path: '/account/email', fields: ['email'] },
  { path: '/account/delete', fields: ['confirm'] },
  { path: '/transfer', fields: ['to', 'amount'] },
  { path: '/users/7/role', fields: ['role'] },
  { path: '/cart/add', fields: ['id'] },
  { path: '/posts/31', fields: ['text'] },
];

/** A request that came with the session cookie. */
export interface Arrived {
  readonly request: ClientRequest;
  readonly body: RequestBody;
  readonly bytes: Buffer;
}

// Names under `localhost` are sites of their own, and as safe to a browser as HTTPS.
const safe = { shop: 'http://shop.localhost', page: 'http://elsewhere.localhost' };
const members = ['page'];
const benign = ['<!doctype html><p>Blue shelves</p><form action="/search"><input name="q"></form>'];

/** All ways in which the application can be attacked. */
export const shopContexts: readonly ShopContext[] = [
  { name: 'form', members, benign, ...safe, sameSite: 'None', takes: 'form' },
  { name: 'form, cookie without SameSite', members, benign, ...safe, takes: 'form' },
  {
    name: 'form, from a sibling host',
    ...{ members, benign, shop: safe.shop, page: 'http://blog.shop.localhost' },
    sameSite: 'Strict',
    takes: 'form',
  },
  {
    name: 'form, plain HTTP',
    ...{ members, benign, shop: 'http://shop.test', page: 'http://elsewhere.test' },
    takes: 'form',
  },
  { name: 'JSON of any type', members, benign, ...safe, sameSite: 'None', takes: 'json' },
  { name: 'override', members, benign, ...safe, sameSite: 'None', takes: 'override' },
  {
    name: 'override of GET',
    ...{ members, benign, ...safe },
    sameSite: 'Lax',
    takes: 'override of any method',
  },
  { name: 'query', members, benign, ...safe, sameSite: 'None', takes: 'query' },
  { name: 'query, lax cookie', members, benign, ...safe, sameSite: 'Lax', takes: 'query' },
];

/** Whether the application does what the request asks for. */
export async function isTaken({ takes }: ShopContext, arrived: Arrived): Promise<boolean> {
  const { method, url } = arrived.request;
  const { pathname, searchParams } = new URL(url, 'http://shop.test');
  const change = changes.find(({ path }) => path === pathname);
  if (change === undefined) return false;
  const hasAll = (fields: Fields): boolean => change.fields.every((name) => fields.get(name));
  if (takes === 'query') return hasAll(searchParams);
  if (takes === 'json') return method === 'POST' && hasAll(jsonOf(arrived.bytes));
  const form = method === 'POST' ? await formOf(arrived) : new FormData();
  const both: Fields = { get: (name) => form.get(name) || searchParams.get(name) };
  if (takes === 'form') return method === 'POST' && hasAll(form);
  if (takes === 'override' && method !== 'POST') return false;
  return /^(?:put|patch|delete)$/i.test(String(both.get('_method'))) && hasAll(both);
}

interface Fields {
  get(name: string): unknown;
}

/** As frameworks do that read any body as JSON. */
function jsonOf(bytes: Buffer): Fields {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return new Map(Object.entries(value ?? {}));
  } catch {
    return new Map();
  }
}

/** A form of one of the two types; empty for another body. */
async function formOf({ request, bytes }: Arrived): Promise<FormData> {
  const type = request.headers['content-type']?.[0] ?? '';
  try {
    return await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': type },
    }).formData();
  } catch {
    return new FormData();
  }
}
