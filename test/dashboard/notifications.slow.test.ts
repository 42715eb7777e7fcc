import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { SMTPServer } from 'smtp-server';
import { until } from '../support/until.ts';
import { startReceiver } from '../telemetry/exporters/receiver.ts';
import { graveViolations } from './axe.ts';
import { openPage } from './browser.ts';
import {
  createKey,
  type Dashboard,
  setUp,
  testOnEachDatabase,
  untilStatus,
  visit,
} from './dashboard.ts';

const attack = { 'header.x-forwarded-for': '203.0.113.9', q: "1' UNION SELECT name FROM users --" };

/** A real mail server that takes everything; gone after the test. */
async function startMailServer(t: TestContext) {
  const mails: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    async onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      mails.push(Buffer.concat(chunks).toString());
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { mails, port: (server.server.address() as AddressInfo).port };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

async function addChat(page: Page, receiver: Receiver): Promise<void> {
  await page.getByText('There are no channels yet.').waitFor();
  await page.getByRole('button', { name: 'Add a channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('on call');
  await dialog.getByLabel('URL').fill('http://hooks.example/x');
  await dialog.getByRole('button', { name: 'Add the channel' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/must begin with https/)
    .waitFor();
  await dialog.getByLabel('URL').fill(`${receiver.url}/very-secret`);
  await dialog.getByText('Categories: all').click();
  await dialog.getByLabel('SQL injection', { exact: true }).check();
  await dialog.getByLabel('Quiet hours').check();
  await dialog.getByLabel('From', { exact: true }).fill('03:00');
  await dialog.getByLabel('To', { exact: true }).fill('03:01');
  await dialog.getByRole('button', { name: 'Add the channel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('high or more · sqli').waitFor();
  assert.ok(!(await page.content()).includes('very-secret'));
}

async function addMail(page: Page, port: number): Promise<void> {
  await page.getByRole('button', { name: 'Add a channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('the team');
  await dialog.getByLabel('Kind').selectOption('E-mail');
  await dialog.getByLabel('Mail server').fill('127.0.0.1');
  await dialog.getByLabel('Port').fill(String(port));
  await dialog.getByLabel('Encryption').selectOption('none');
  await dialog.getByLabel('Sender').fill('gate@shop.example');
  await dialog.getByLabel('Recipients').fill('a@shop.example\nb@shop.example');
  await dialog.getByLabel('Only from a number of events on').check();
  await dialog.getByLabel('Events', { exact: true }).fill('2');
  await dialog.getByRole('button', { name: 'Add the channel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('2 in 5 min of one client · at once').waitFor();
}

async function editChat(page: Page, receiver: Receiver): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit on call' }).click();
  assert.equal(await dialog.getByLabel('URL').inputValue(), '');
  await dialog.getByLabel('Name').fill('night shift');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send a test to night shift' }).click();
  await page.getByText('The test to night shift was accepted.').waitFor();
  assert.equal(receiver.received.at(-1)?.path, '/very-secret', 'the URL is that of before');
  await page.getByRole('button', { name: 'Pause night shift' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume night shift' }).waitFor();

  await page.getByRole('button', { name: 'History of night shift' }).click();
  await dialog.getByText('Not delivered').waitFor();
  await dialog.getByText('answered 404: ok <b>').waitFor();
  await dialog
    .getByText(/^Sallyport: \d requests? blocked \(critical\)/)
    .first()
    .waitFor();
  assert.deepEqual(await graveViolations(page), [], 'history');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
}

async function checkThemes({ browser, context, served }: Dashboard): Promise<void> {
  const storageState = await context.storageState();
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, faults } = await openPage(browser, { storageState, colorScheme });
    await page.goto(`${served.address}/dashboard/notifications`);
    await page.getByRole('button', { name: 'Edit the team' }).waitFor();
    assert.deepEqual(await graveViolations(page), [], colorScheme);
    await page.getByRole('button', { name: 'Edit the team' }).click();
    await page.getByRole('dialog').getByLabel('Recipients').waitFor();
    assert.deepEqual(await graveViolations(page), [], `${colorScheme}, form`);
    assert.deepEqual(faults, []);
    await page.close();
  }
}

testOnEachDatabase(
  'a channel is added, tested, edited and paused, and its history says what became of messages',
  async (dashboard, t) => {
    const { page, served } = dashboard;
    let status = 200;
    const receiver = await startReceiver(t, () => ({ status, text: 'ok <b>' }));
    const mail = await startMailServer(t);
    await setUp(dashboard);
    const key = await createKey(page, 'shop');
    await visit(page, 'Notifications');
    await addChat(page, receiver);
    await page.getByRole('button', { name: 'Send a test to on call' }).click();
    await page.getByText('The test to on call was accepted.').waitFor();
    await page.getByText('accepted: ok <b>').waitFor();
    assert.equal(receiver.received.length, 1);
    status = 404;
    await page.getByRole('button', { name: 'Send a test to on call' }).click();
    await page.getByText('The test to on call did not arrive.').waitFor();
    status = 200;
    await addMail(page, mail.port);

    await untilStatus(served, key, attack, 403);
    await untilStatus(served, key, attack, 403);
    await until('the chat is notified', () => receiver.received.length >= 3);
    assert.match(receiver.received[2]?.body ?? '', /203\.0\.113\.9/);
    await until('the mail arrives', () => mail.mails.length === 1);
    assert.match(mail.mails[0] ?? '', /^Subject: Sallyport: \d requests? blocked \(critical\)\r$/m);

    await editChat(page, receiver);
    await checkThemes(dashboard);
    await page.getByRole('button', { name: 'Remove the team' }).click();
    await page.getByRole('button', { name: 'Edit the team' }).waitFor({ state: 'detached' });
    assert.deepEqual(dashboard.faults, []);
  },
);
