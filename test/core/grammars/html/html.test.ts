import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../../../../src/contract/limits.ts';
import { html } from '../../../../src/core/grammars/html/html.ts';
import type { HtmlTag } from '../../../../src/core/grammars/html/html-tags.ts';

/** A tag as text: `name a=b c`, `/name` for an end tag, `…` where the tag stays open. */
function show(text: string, tag: HtmlTag): string {
  const attributes = [...tag.attributes].map(({ name, valueStart, valueEnd }) =>
    valueEnd > valueStart ? `${name}=${text.slice(valueStart, valueEnd)}` : name,
  );
  const name = tag.isEndTag ? `/${tag.name}` : tag.name;
  return [name, ...attributes].join(' ') + (tag.isClosed ? '' : '…');
}

function check(text: string, expected: readonly string[]): void {
  const tags = [...html.read(text).tags].map((tag) => show(text, tag));
  assert.deepEqual(tags, expected, text);
}

describe('html', () => {
  it('reads start tags, end tags and attributes', () => {
    check('<p>a</p>', ['p', '/p']);
    check('<A HREF="x" Title=\'y z\' id=q hidden>', ['a href=x title=y z id=q hidden']);
    check('<br/><img/src="x"/alt=y>', ['br', 'img src=x alt=y']);
    check('<svg:rect x="1"/>', ['rect x=1']);
  });

  it('takes every control character for a separator', () => {
    check('<img\fsrc\u000b=\u0001x\r\nonerror\n=\ny>', ['img src=x onerror=y']);
  });

  it('sees no tag in comparisons, hearts and addresses', () => {
    check('a < b && c <3 <= 4 <', []);
    check('<- back', []);
  });

  it('reads tags that the text leaves open', () => {
    check('<img src=x onerror=a', ['img src=x onerror=a…']);
    check('<a href="b c', ['a href=b c…']);
    check('<b', ['b…']);
  });

  it('starts a new tag where one is cut short', () => {
    check('<a <b c=<d>', ['a…', 'b c…', 'd']);
  });

  it('reads the markup inside of quoted values', () => {
    check('<p title="</s><img src=\'<i j>\'>">', [
      "p title=</s><img src='<i j>'>",
      '/s',
      'img src=<i j>',
      'i j',
    ]);
  });

  it('reads doubled quotation marks as one pair', () => {
    check('<a b=""c d"" e="" f>', ['a b=c d e f']);
  });

  it('drops quotation marks that belong to no value', () => {
    check('<a """ \'b=c`>', ['a b=c`']);
  });

  it('reads declarations and instructions', () => {
    check('<!DOCTYPE x><?xml version="1"?>', ['!doctype x', '?xml version=1 ?']);
    check('<!-- <b> -->', ['b']);
  });

  it('knows where the content of a script or style ends', () => {
    const text = 'x<script>a<b</script>c<style>d';
    const tags = [...html.read(text).tags];
    const contents = tags
      .filter((tag) => !tag.isEndTag && (tag.name === 'script' || tag.name === 'style'))
      .map((tag) => text.slice(tag.end, tag.contentEnd));
    assert.deepEqual(contents, ['a<b', 'd']);
  });

  it('leaves out tags that say nothing when there are very many, and no others', () => {
    const filler = '<td>'.repeat(20_000);
    const { tags, isComplete } = html.read(`${filler}<img src=x onerror=a><script>f()</script>`);
    assert.equal(isComplete, true);
    assert.ok(tags.length < 10_000);
    assert.deepEqual(
      [...tags].slice(-3).map((tag) => tag.name),
      ['img', 'script', 'script'],
    );
  });

  it('stops at the limit of tokens and says so', () => {
    const tokens = html.read('<a b=c>'.repeat(limits.tokensMax / 2 + 1));
    assert.equal(tokens.isComplete, false);
    assert.equal(tokens.tags.length, limits.tokensMax / 2);
    assert.equal(html.read('<a><b>').isComplete, true);
  });

  it('keeps all offsets inside of the text, for any mix of its marks', () => {
    const marks = ['<', '>', '"', "'", '/', '=', ' ', 'a', 'script', '!', '?', '&'];
    for (let seed = 1; seed < 400; seed++) {
      let text = '';
      for (let i = 0, x = seed * 7919; i < 40; i++, x = (x * 1103515245 + 12345) % 2147483648) {
        text += marks[(x >>> 8) % marks.length];
      }
      for (const tag of html.read(text).tags) {
        assert.ok(tag.start < tag.end && tag.end <= text.length, text);
        assert.ok(tag.contentEnd >= tag.end && tag.contentEnd <= text.length, text);
        for (const one of tag.attributes) {
          assert.ok(one.start <= one.valueStart && one.valueStart <= one.valueEnd, text);
          assert.ok(one.valueEnd <= tag.end, text);
        }
      }
    }
  });
});
