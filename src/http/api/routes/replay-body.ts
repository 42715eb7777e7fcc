import type { StoredEvent } from '../../../contract/event.ts';
import { addClient, noContext, type RequestContext } from '../../../contract/request.ts';

/** A request to screen, made of what an event has stored. */
export interface StoredRequest {
  readonly body: Uint8Array;
  readonly context: RequestContext;
}

type Members = { [name: string]: string | Members };

/**
 * The raw values of an event's findings, each at its place; undefined when none is stored. What
 * stood in context headers goes under the member names that stand for them.
 */
export function bodyOfEvent(event: StoredEvent): StoredRequest | undefined {
  // Without a prototype: `__proto__` is a name like any other here.
  const root: Members = Object.create(null);
  let isEmpty = true;
  for (const { pointer, where, steps } of event.findings) {
    const raw = steps[0];
    if (raw === undefined || raw.text === '') continue;
    isEmpty = false;
    put(root, pointer, where === 'name' ? undefined : raw.text);
  }
  if (isEmpty) return undefined;
  const { method = '', proto = '', host = '', origin = '', secFetchSite = '' } = event.context;
  const stored = { ...noContext, method, proto, host, origin, secFetchSite };
  const context = addClient(stored, event.client ?? '');
  return { body: new TextEncoder().encode(JSON.stringify(root)), context };
}

/** A body with one value, at a pointer. */
export function bodyAt(pointer: string, value: string): Uint8Array {
  const root: Members = Object.create(null);
  put(root, pointer, value);
  return new TextEncoder().encode(JSON.stringify(root));
}

/** Sets the value at a pointer; without one only the name is there. */
function put(root: Members, pointer: string, value: string | undefined): void {
  const names = pointer.split('/').slice(1).map(unescaped);
  const last = names.pop() ?? '';
  let at = root;
  for (const name of names) {
    const next = at[name];
    if (typeof next === 'object') at = next;
    else {
      const made: Members = Object.create(null);
      at[name] = made;
      at = made;
    }
  }
  if (value !== undefined || at[last] === undefined) at[last] = value ?? '';
}

/** RFC 6901, section 4. */
function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
