import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { refusalOf } from '../../src/client-request/refusal.ts';
import { refusalPage } from '../../src/client-request/refusal-page.ts';
import { pageTexts } from '../../src/client-request/refusal-texts.ts';

const reason = { why: 'harmful', status: 403 } as const;

function refused(headers: Readonly<Record<string, string>>) {
  return refusalOf({ method: 'GET', url: '/', headers, address: '' }, reason, '0190');
}

const html = 'text/html; charset=utf-8';
const json = 'application/problem+json';
const text = 'text/plain; charset=utf-8';

test('the form is the one that is wanted most', () => {
  const rows: readonly (readonly [accept: string, type: string])[] = [
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', html],
    ['application/xhtml+xml', html],
    ['TEXT/HTML', html],
    ['application/json, text/plain, */*', json],
    ['application/json;q=0.5, text/html', html],
    ['application/vnd.api+json', json],
    ['text/html;q=0, application/json', json],
    ['text/plain', text],
    ['text/*', text],
    ['*/*', text],
    ['', text],
    [`${'a/b,'.repeat(5_000)}text/html`, text],
  ];
  for (const [accept, type] of rows) {
    assert.equal(refused({ accept }).headers['content-type'], type, accept.slice(0, 80));
  }
  assert.equal(refused({ 'content-type': 'application/json' }).headers['content-type'], json);
});

test('the language is the one that is wanted most, of those that there are', () => {
  const languageFor = (wanted: string) =>
    /<html lang="(\w+)">/.exec(
      refused({ accept: 'text/html', 'accept-language': wanted }).body,
    )?.[1];
  assert.equal(languageFor('de-CH, en;q=0.5'), 'de');
  assert.equal(languageFor('en;q=0.5, fr-FR'), 'fr');
  assert.equal(languageFor('xx, ES;q=0.3'), 'es');
  assert.equal(languageFor('xx'), 'en');
  assert.equal(languageFor(''), 'en');
  assert.equal(languageFor('__proto__, constructor, toString'), 'en');
});

test('the page loads and runs nothing, and its style is the one that is allowed', () => {
  for (const language of ['en', 'de', 'fr', 'es'] as const) {
    for (const why of [
      'harmful',
      'partial',
      'unchecked',
      'large',
      'coded',
      'unreadable',
    ] as const) {
      const page = refusalPage({ why, status: 403, id: '0190', language });
      assert.doesNotMatch(page, /<script|<link|<img|https?:|url\(|\son\w+=/i);
      assert.ok(page.includes(pageTexts[language][why][0].replaceAll("'", '&#39;')));
    }
  }
  const { body, headers } = refused({ accept: 'text/html' });
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(headers['content-security-policy']?.includes(`style-src 'sha256-${hash}'`));
  assert.match(headers['content-security-policy'] ?? '', /^default-src 'none';/);
});

test('an id is text on a page', () => {
  const page = refusalPage({ ...reason, id: `<b>&"'`, language: 'en' });
  assert.ok(page.includes('<dd>&lt;b&gt;&amp;&quot;&#39;</dd>'));
});
