import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { freshPostgres } from '../support/postgres.ts';
import { type Served, startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { openBrowser, openPage, type Watched } from './browser.ts';
import { pageFolder } from './page-folder.ts';

export const admin = { name: 'anna', password: 'a horse, a battery and a staple' } as const;

/** A dedicated Sallyport with a browser before it. */
export interface Dashboard extends Watched {
  readonly served: Served;
  readonly browser: Browser;
  /** What `serve` printed for the first administrator. */
  readonly link: string;
}

/** Starts the program as a user would, and a browser; undefined where there is none. */
export async function startDashboard(
  t: TestContext,
  environment: Readonly<Record<string, string>> = {},
): Promise<Dashboard | undefined> {
  pageFolder();
  const browser = await openBrowser(t);
  if (browser === undefined) return undefined;
  const served = await startServing(t, tempDir(), ['serve'], environment);
  const said = () => /Dashboard: (\S+)/.exec(served.out() + served.err())?.[1];
  await until('the link is printed', () => said() !== undefined);
  return { served, browser, link: said() ?? '', ...(await openPage(browser)) };
}

/** Runs the same test on SQLite and on PostgreSQL. */
export function testOnEachDatabase(
  name: string,
  run: (dashboard: Dashboard, t: TestContext) => Promise<void>,
): void {
  test(`${name}, on SQLite`, async (t) => {
    const dashboard = await startDashboard(t);
    if (dashboard !== undefined) await run(dashboard, t);
  });
  test(`${name}, on PostgreSQL`, async (t) => {
    const databaseUrl = await freshPostgres(t);
    if (databaseUrl === undefined) return;
    const dashboard = await startDashboard(t, { SALLYPORT_DATABASE_URL: databaseUrl });
    if (dashboard !== undefined) await run(dashboard, t);
  });
}

/** Makes the first administrator on the page that the link leads to. */
export async function setUp({ page, link }: Dashboard): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Name', { exact: true }).fill(admin.name);
  await page.getByLabel('New password', { exact: true }).fill(admin.password);
  await page.getByLabel('Confirm new password').fill(admin.password);
  await page.getByRole('button', { name: 'Create the administrator' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}

export async function visit(page: Page, label: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label }).click();
  await page.getByRole('heading', { name: label, level: 1 }).waitFor();
}

/** Creates a key on the page of keys; gives its secret. */
export async function createKey(page: Page, name: string): Promise<string> {
  await visit(page, 'Keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  const shown = await dialog.getByRole('region', { name: 'API key' }).textContent();
  const secret = shown?.trim() ?? '';
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  assert.match(secret, /^sp_live_/);
  return secret;
}

/** Asks `/control`; gives the answer. */
export async function control(
  { address }: Served,
  key: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly id: string }> {
  const answer = await fetch(`${address}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return { status: answer.status, id: answer.headers.get('x-decision-id') ?? '' };
}

/** Sends a request until it is answered with the status that is expected: changes take a moment. */
export async function untilStatus(
  served: Served,
  key: string,
  body: unknown,
  status: number,
): Promise<void> {
  await until(`the answer is ${status}`, async () => {
    return (await control(served, key, body)).status === status;
  });
}

/** The first administrator, and a key in force; gives its secret. */
export async function setUpWithKey(dashboard: Dashboard): Promise<string> {
  await setUp(dashboard);
  const key = await createKey(dashboard.page, 'shop');
  await untilStatus(dashboard.served, key, { a: 1 }, 200);
  return key;
}

/** Opens the page of an event as soon as it is stored. */
export async function openEvent({ page, served }: Dashboard, id: string): Promise<void> {
  await until('the event is stored', async () => {
    const answer = await page.request.get(`${served.address}/api/events/${id}`);
    return answer.status() === 200;
  });
  await page.goto(`${served.address}/dashboard/events/${id}`);
  await page.getByRole('heading', { name: /^(?:Blocked|Would be blocked): / }).waitFor();
}
