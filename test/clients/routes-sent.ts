import assert from 'node:assert/strict';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Screener } from '../../src/clients/outcome.ts';
import { createScreener } from '../../src/screener.ts';

/** Requests, and the route that the middleware passes on with each. */
export type Rows = readonly (readonly [target: string, route: string | undefined])[];

/** A screener that notes what it was sent. */
export function noting(): {
  readonly screener: Screener;
  readonly sent: Record<string, unknown>[];
} {
  const own = createScreener({ policy: { mode: 'monitor' } });
  const sent: Record<string, unknown>[] = [];
  const screen: Screener['screen'] = (data, options) => {
    sent.push(JSON.parse(String(data)));
    return own.screen(data, options);
  };
  return { screener: { ...own, screen }, sent };
}

export async function expectRoutes(
  port: number,
  sent: readonly Record<string, unknown>[],
  rows: Rows,
): Promise<void> {
  for (const [target, route] of rows) {
    const before = sent.length;
    await get(port, target);
    assert.equal(sent.length, before + 1, `${target} was screened once`);
    const { path, ...members } = sent[before] ?? {};
    assert.equal(path, target.split('?', 1)[0]);
    assert.equal(members['route'], route, target);
    if (route === undefined) assert.ok(!('route' in members), target);
  }
}

/** As it is: `fetch` would resolve the path. */
function get(port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ port, path, host: '127.0.0.1', agent: false }, (answer) => {
      answer.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
}

export async function listening(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}
