import type { TestContext } from 'node:test';
import type { GuardOptions, Outage } from '../../src/clients/express.ts';
import { realSallyport } from '../clients/real-sallyport.ts';
import { createShop, listenOnLoopback } from './shop.ts';

/** A shop that serves, and what its database was asked. */
export interface OpenShop {
  readonly url: string;
  /** Statements that SQLite has run, as they were put together. */
  readonly statements: readonly string[];
}

/** Serves a shop until the end of the test. */
export async function openShop(t: TestContext, guard?: GuardOptions): Promise<OpenShop> {
  const statements: string[] = [];
  const onStatement = (text: string, ran: boolean) => {
    if (ran) statements.push(text);
  };
  const shop = createShop(guard === undefined ? { onStatement } : { onStatement, guard });
  const [server, url] = await listenOnLoopback(shop, 0);
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url, statements };
}

export interface GuardedShop extends OpenShop {
  /** Requests that were not screened: there must be none. */
  readonly outages: readonly Outage[];
}

/** The same shop behind a Sallyport in a process of its own, with a key of its own. */
export async function openGuardedShop(t: TestContext): Promise<GuardedShop> {
  const { url, key } = await realSallyport(t);
  const outages: Outage[] = [];
  const onError = (outage: Outage) => outages.push(outage);
  // Time enough for a machine that does much else: what is tried here is not how fast it answers.
  return { ...(await openShop(t, { url, key, timeoutMs: 10_000, onError })), outages };
}
