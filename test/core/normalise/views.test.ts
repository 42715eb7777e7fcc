import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { limits } from '../../../src/contract/limits.ts';
import type { Decoder } from '../../../src/core/normalise/decoder.ts';
import { decoders } from '../../../src/core/normalise/registry.ts';
import { replay } from '../../../src/core/normalise/replay.ts';
import { ViewQueue } from '../../../src/core/normalise/views.ts';
import { viewsOf } from './views-of.ts';

/** Texts in which every decoder finds something to do, alone and together. */
const encodedText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['%41', '%253c', '%u0027', '%c0%af', '%', '+', '+ADw-', '&#60;', '&amp;lt;', '&quot;'],
        ...['\\x41', '\\u003c', '\\101', '\\41 ', '\\\\', '\\"', '\u0000', '\u200b', '＜', 'ａ'],
        ...['PHNjcmlwdD4=', 'JTNDc2NyaXB0JTNF', '0x3c7363726970743e', '"', '{', '}', '[', ']'],
        ...['a=1&b=', '; c=', '?q=', '{"a":"<', '"}', '<?xml ?><a b="', '">', '--b\r\n\r\n', ' '],
      ),
      fc.string({ maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

describe('views', () => {
  it('each is what replay makes of the raw text and its chain', () => {
    fc.assert(
      fc.property(encodedText, (text) => {
        for (const view of viewsOf(text).views) {
          assert.equal(replay(text, view.decoded), view.text, view.decoded.join(' > '));
        }
      }),
      // A run of base64 and what is text of the whole: two results of one decoder.
      { numRuns: 2_000, examples: [['PHNjcmlwdD4=JTNDc2NyaXB0JTNF']] },
    );
  });

  it('are each judged once', () => {
    fc.assert(
      fc.property(encodedText, (text) => {
        const keys = viewsOf(text).views.map((view) => `${view.where} ${view.text}`);
        assert.equal(new Set(keys).size, keys.length);
      }),
    );
  });

  it('stay within the bounds', () => {
    fc.assert(
      fc.property(encodedText, (text) => {
        const { views } = viewsOf(text);
        const decoded = views.slice(1);
        const chars = decoded.reduce((sum, view) => sum + view.text.length, 0);
        assert.ok(views.length <= limits.viewsMax);
        const share = limits.expansionFactorMax * text.length + limits.expansionSlackChars;
        assert.ok(chars <= share + limits.expansionPoolChars);
        assert.ok(decoded.every((view) => view.decoded.length <= limits.decodeDepthMax));
      }),
    );
  });

  it('name the depth that was not reached', () => {
    let text = "'";
    for (let layer = 0; layer <= limits.decodeDepthMax; layer++) text = encodeURIComponent(text);
    assert.deepEqual(viewsOf(text).reasons, []);
    let deep = '%27';
    for (let layer = 0; layer < limits.decodeDepthMax; layer++) deep = deep.replace('%', '%25');
    assert.deepEqual(viewsOf(deep).reasons, ['decode-depth']);
    assert.deepEqual(viewsOf(deep.replace('%25', '%')).reasons, []);
  });

  it('name the number of views', () => {
    let made = 0;
    const counter: Decoder = {
      name: 'counter',
      applies: () => true,
      decode: (_text, emit) => {
        emit(String(made++));
      },
    };
    const queue = new ViewQueue([counter, counter, counter], []);
    const text = 'x'.repeat(2_000);
    queue.startRequest();
    queue.start(text);
    let views = 1;
    const marks = { classes: 0, wide: 0, longestRun: 0 };
    queue.expand({ text, where: 'value', decoded: [] }, marks);
    for (let view = queue.next(); view !== undefined; view = queue.next()) {
      views++;
      queue.expand(view, marks);
    }
    assert.equal(views, limits.viewsMax);
    assert.ok(queue.reasons.has('views'));
  });

  it('name the expansion', () => {
    const text = `%41&#65;\\x41A\u0000${'x'.repeat(20_000)}%41+\\41 `;
    const { views, reasons } = viewsOf(text);
    assert.ok(
      views.some((view) => view.text.startsWith('AAAAx')),
      'the fully decoded text is there',
    );
    assert.deepEqual(reasons, ['expansion']);
  });

  it('of a long text follow one chain of the additive decoders', () => {
    const text = `%41&#65;\\x41${'x'.repeat(2_000)}`;
    assert.deepEqual(
      viewsOf(text).views.map((view) => view.decoded.join(' ')),
      ['', 'percent', 'percent html-entity', 'percent html-entity js-escape'],
    );
  });

  it('of a fixpoint are none', () => {
    fc.assert(
      fc.property(encodedText, (text) => {
        const { views } = viewsOf(text);
        const last = views.at(-1)?.text ?? '';
        for (const decoder of decoders) {
          decoder.decode(last, (result) => {
            assert.notEqual(result, last, `${decoder.name} emits the text unchanged`);
          });
        }
      }),
    );
  });

  it('cost work in proportion to the length', () => {
    const units = ['%41', '%', '&#65;', '&lt', '\\x41', '\\', '+A', 'PHNjcmlwdD4=/', '3c', 'a=1&'];
    units.push(
      '{"a":"',
      '[',
      '?',
      ';a=',
      '<?xml ?>',
      '--b\n',
      '\u200b',
      '＜',
      '\\41 ',
      '&#',
      '%c0',
    );
    for (const unit of units) {
      const short = viewsOf(unit.repeat(1_000)).steps;
      const long = viewsOf(unit.repeat(4_000)).steps;
      assert.ok(long <= 4.4 * short + 10_000, `${JSON.stringify(unit)}: ${short} → ${long}`);
    }
  });
});

describe('replay', () => {
  it('tells the parts of a text apart', () => {
    const text = 'a=%27&a=%22&b=1';
    assert.equal(replay(text, ['form:a']), '%27');
    assert.equal(replay(text, ['form:#1', 'percent']), '"');
  });

  it('of a chain that does not fit is undefined', () => {
    assert.equal(replay('plain', ['percent']), undefined);
    assert.equal(replay('%41', ['percent', 'percent']), undefined);
    assert.equal(replay('%41', ['rot13']), undefined);
  });
});
