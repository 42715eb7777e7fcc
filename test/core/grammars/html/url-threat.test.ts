import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { threatOfUrl, type UrlThreat } from '../../../../src/core/grammars/html/url-threat.ts';

function check(url: string, expected: UrlThreat): void {
  assert.equal(threatOfUrl(url, 0, url.length), expected, JSON.stringify(url));
}

describe('threat of a URL', () => {
  it('finds script schemes through case, white space, controls and references', () => {
    check('JavaScript:go()', 'script');
    check(' \u0001java\tscr\nipt\u00ad:go()', 'script');
    check('java&Tab;script&colon;go()', 'script');
    check('&#106;avascript&#x3a;go()', 'script');
    check('0;url=vbscript:go', 'script');
    check('`javascript:go()`', 'script');
  });

  it('finds documents that come with the URL', () => {
    check('data:text/html,<b>', 'document');
    check('data:image/svg+xml;base64,PHN2Zz4=', 'image-document');
  });

  it('tells script that does nothing', () => {
    check('javascript:void(0)', 'inert');
    check('javascript:;', 'inert');
  });

  it('passes paths that name a scheme, and images', () => {
    check('/wiki/JavaScript:_The_Good_Parts', 'none');
    check('https://example.org/?a=b', 'none');
    check('data:image/png;base64,AAAA', 'none');
    check('#data:text/html', 'none');
  });
});
