import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasUser, type Url, urlGrammar } from '../../../../src/core/grammars/url/url.ts';

function urlsOf(text: string): readonly Url[] {
  return urlGrammar.read(text).urls;
}

/** A URL as `scheme host port rest`. */
function show(text: string, url: Url): string {
  const host = text.slice(url.hostStart, url.hostEnd);
  return `${url.scheme} ${host} ${url.port} ${text.slice(url.pathStart, url.end)}`;
}

function check(text: string, expected: readonly string[]): void {
  assert.deepEqual(
    urlsOf(text).map((url) => show(text, url)),
    expected,
    text,
  );
}

describe('url', () => {
  it('reads scheme, host, port and path', () => {
    check('http://www.example.com/a?b#c', ['http www.example.com -1 /a?b#c']);
    check('HTTPS://example.com:8443', ['https example.com 8443 ']);
    check('ftp://user:pw@example.com/x', ['ftp example.com -1 /x']);
    check('//example.com/x', [' example.com -1 /x']);
    check('\\\\example.com\\x', [' example.com -1 \\x']);
    check('http:127.1/x', ['http 127.1 -1 /x']);
    check('https:\\\\example.com\\x', ['https example.com -1 \\x']);
    check('http://[::1]:80/', ['http [::1] 80 /']);
    check('compress.zlib://http://example.com/x', ['compress.zlib http -1 //example.com/x']);
  });

  it('finds URLs in the query of another and in text', () => {
    check('/p?u=http://a.example/x&v=//b.example', [
      'http a.example -1 /x&v=//b.example',
      ' b.example -1 ',
    ]);
    check('see http://a.example, or <https://b.example/>', [
      'http a.example, -1 ',
      'https b.example -1 /',
    ]);
  });

  it('sees no URL in times, ratios and comments', () => {
    check('at 10:30, 4:3, a: b, x // y, std::map', []);
  });

  it('keeps user information apart from the host', () => {
    const text = 'http://a.example@b.example/';
    const [url] = urlsOf(text);
    assert.ok(url);
    assert.equal(hasUser(text, url), true);
    check(text, ['http b.example -1 /']);
    check('http://a@@b.example/', ['http b.example -1 /']);
    const [plain] = urlsOf('http://b.example/@x');
    assert.ok(plain);
    assert.equal(hasUser('http://b.example/@x', plain), false);
  });

  it('tells where a URL stands', () => {
    const placeOf = (text: string) => urlsOf(text)[0]?.place;
    assert.equal(placeOf('http://a.example/'), 'whole');
    assert.equal(placeOf('x.php?u=http://a.example/'), 'parameter');
    assert.equal(placeOf('go to http://a.example/ now'), 'prose');
    assert.equal(placeOf('see "http://a.example/" there'), 'quoted');
  });

  it('is linear where every mark could start a URL', () => {
    // Each URL ends where the next begins, so none is read twice.
    const { urls } = urlGrammar.read('//a'.repeat(2_000));
    assert.equal(urls.length, 1);
    assert.equal(urlGrammar.read('=//a'.repeat(2_000)).urls.length, 2_000);
  });

  it('says when a text holds more URLs than are read', () => {
    const many = urlGrammar.read('=//a'.repeat(20_000));
    assert.equal(many.complete, false);
    assert.ok(many.urls.length < 20_000);
    assert.equal(urlGrammar.read('=//a'.repeat(1_000)).complete, true);
  });
});
