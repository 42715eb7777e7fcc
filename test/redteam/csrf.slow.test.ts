import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingTools } from '../../bench/lib/installed.ts';
import { csrf as grammar } from '../../bench/redteam/grammar/csrf.ts';
import { verdictOfRequests } from '../../bench/redteam/judge/verdict.ts';
import { csrf } from '../../bench/redteam/oracle/csrf/csrf.ts';
import { csrfRewriters } from '../../bench/redteam/rewrite/csrf.ts';
import { createScreener } from '../../src/screener.ts';
import { requireInstalled } from '../support/require-tool.ts';
import { testOracle, testRewriters } from './laws.ts';

const form = (host: string, more = '') =>
  `<form id="f" method="post" action="http://${host}/account/email"${more}><input name="email" value="a@b.test"></form><script>f.submit()</script>`;
const json = `<form id="f" method="post" enctype="text/plain" action="http://shop.localhost/account/email"><input name='{"email":"a","x":"' value='"}'></form><script>f.submit()</script>`;
const override = 'http://shop.localhost/transfer?to=ann&amp;amount=9&amp;_method=DELETE';
const query = 'http://shop.localhost/account/delete?confirm=yes';
const image = `<img src="${query}">`;
const link = (url: string) => `<a id="a" href="${url}">x</a><script>a.click()</script>`;

testOracle(csrf, {
  form: [[form('shop.localhost')], [form('shop.localhost', ' enctype="multipart/form-data"')]],
  'form, cookie without SameSite': [[form('shop.localhost')]],
  'form, from a sibling host': [[form('shop.localhost')]],
  'form, plain HTTP': [[form('shop.test')]],
  'JSON of any type': [[json]],
  override: [
    [
      form('shop.localhost').replace(
        '"email" value',
        '"_method" value="PUT"><input name="email" value',
      ),
    ],
  ],
  'override of GET': [[link(override)]],
  query: [[image], [link(query)]],
  'query, lax cookie': [[link(query)]],
});

testRewriters(csrf, grammar, csrfRewriters);

test('cross-site requests: without the cookie there is no effect, with it the request is screened', async (t) => {
  const { tools, contexts } = csrf;
  if (!requireInstalled(t, tools.join(', '), missingTools({ tools }).length === 0)) return;
  const contextOf = (name: string) => {
    const found = contexts.find((one) => one.name === name);
    assert.ok(found, name);
    return found;
  };
  const running = await csrf.start();
  try {
    // An image sends no lax cookie, a frame none of the application, and GET is no POST.
    for (const [name, html] of [
      ['query, lax cookie', image],
      ['form', form('shop.localhost').replace('post', 'get')],
      [
        'form, cookie without SameSite',
        form('shop.localhost', ' target="z"').replace('<form', '<iframe name="z"></iframe><form'),
      ],
      ['form', form('shop.test')],
    ] as const) {
      assert.equal(await running.judge(contextOf(name), [html]), 'inert', `${name}: ${html}`);
    }
    const sent = await running.sent?.(contextOf('form'), [form('shop.localhost')]);
    assert.equal(sent?.requests.length, 1);
    const members: unknown = JSON.parse(sent?.requests[0]?.[0] ?? '');
    assert.ok(typeof members === 'object' && members !== null && 'header.origin' in members);
    assert.equal(members['header.origin'], 'http://elsewhere.localhost');
    const { isBlocked, rule } = await verdictOfRequests(createScreener(), sent?.requests ?? []);
    assert.deepEqual([isBlocked, rule], [true, 'csrf.cross-origin']);
  } finally {
    await running.close();
  }
});
