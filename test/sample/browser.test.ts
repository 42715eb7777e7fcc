import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../dashboard/browser.ts';
import { type OpenShop, openGuardedShop, openShop } from './two-shops.ts';

/** Addresses whose page runs the script of whoever made the link. */
const links: readonly (readonly [string, string, string])[] = [
  ['in the text', '/search?q=', '<img src=x onerror=alert(1)>'],
  ['in an attribute', '/search?q=', '" autofocus onfocus="alert(1)'],
  ['in a script', '/voucher?code=', "'-alert(1)-'"],
];

test('scripts in links and comments run without Sallyport and not with it', async (t) => {
  const browser = await openBrowser(t);
  if (browser === undefined) return;
  const [open, guarded] = [await openShop(t), await openGuardedShop(t)];
  for (const [name, path, script] of links) {
    const target = path + encodeURIComponent(script);
    assert.equal(await alerts(browser, open, target), 1, name);
    assert.equal(await alerts(browser, guarded, target), 0, name);
  }
  for (const [shop, expected] of [[open, 1] as const, [guarded, 0] as const]) {
    const comment = { author: 'eve', text: 'Nice! <svg onload=alert(1)></svg>' };
    await fetch(`${shop.url}/comments`, { method: 'POST', body: new URLSearchParams(comment) });
    assert.equal(await alerts(browser, shop, '/comments'), expected, 'a stored comment');
  }
  assert.deepEqual(guarded.outages, []);
});

test('a form on another site changes an account without Sallyport and not with it', async (t) => {
  const browser = await openBrowser(t);
  if (browser === undefined) return;
  for (const [shop, mail] of [
    [await openShop(t), 'eve@evil.example'] as const,
    [await openGuardedShop(t), 'anna@example.com'] as const,
  ]) {
    const page = await browser.newPage();
    await page.goto(`${shop.url}/comments`);
    // The cookie does not say SameSite: Chromium sends it with foreign forms for two minutes.
    await page.evaluate(`fetch('/login', { method: 'POST', body: new URLSearchParams({
      name: 'anna', password: 'correct horse battery staple' }) })`);
    await page.goto(await evilSite(t, `${shop.url}/mail`));
    await page.waitForURL(`${shop.url}/mail`);
    await page.goto(`${shop.url}/mail`);
    assert.equal(await page.textContent('body'), mail);
    await page.close();
  }
});

/** How many alerts a page of a shop opens. */
async function alerts(browser: Browser, shop: OpenShop, path: string): Promise<number> {
  const page = await browser.newPage();
  let seen = 0;
  page.on('dialog', (dialog) => {
    seen++;
    void dialog.dismiss();
  });
  await page.goto(`${shop.url}${path}`, { waitUntil: 'load' });
  // Dialogs and this answer come in order.
  await page.evaluate('document.title');
  await page.close();
  return seen;
}

/** A page on another site, for a browser: `localhost` is not `127.0.0.1`. It submits by itself. */
async function evilSite(t: TestContext, action: string): Promise<string> {
  const html = `<!doctype html><form method="post" action="${action}">
    <input name="mail" value="eve@evil.example"></form><script>document.forms[0].submit()</script>`;
  const server = createServer((_req, res) => {
    res.setHeader('content-type', 'text/html');
    res.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}
