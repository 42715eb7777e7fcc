import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { inflated } from '../../../src/core/text/inflate.ts';
import { makesObjects, mayMakeObjects } from '../../../src/core/text/object-stream.ts';
import { isBlocked } from '../../property/screen.ts';

const charsMax = 4_096;
const compressed = (text: string): string =>
  deflateSync(Buffer.from(text, 'latin1')).toString('latin1');

test('zlib streams are read as Node.js writes them', () => {
  const texts = ['a', 'tea '.repeat(400), 'c__builtin__\neval\n(Vprint(1)\ntR.'];
  texts.push(
    Array.from({ length: 2_000 }, (_, at) => String.fromCharCode((at * at) % 256)).join(''),
  );
  for (const text of texts) assert.equal(inflated(compressed(text), charsMax), text);
  const stored = deflateSync(Buffer.from('tea pot'), { level: 0 }).toString('latin1');
  assert.equal(inflated(stored, charsMax), 'tea pot');
});

test('a stream that is cut off, broken or none is read as far as it goes', () => {
  const whole = compressed('tea and coffee, tea and coffee');
  assert.ok(
    'tea and coffee, tea and coffee'.startsWith(inflated(whole.slice(0, 12), charsMax) ?? ''),
  );
  for (const text of ['', 'x', 'x\u009c', 'xylophone', 'hello']) inflated(text, charsMax);
  const bomb = compressed('a'.repeat(1_000_000));
  assert.ok((inflated(bomb, charsMax) ?? '').length <= charsMax);
});

const streams: readonly (readonly [boolean, string])[] = [
  [true, "cos\nsystem\n(S'ls'\ntR."],
  [true, 'cos\nsystem\nVls\n\u0085R'],
  [true, '(N0cos\nsystem\nVls\no.'],
  [true, '(1(U\u0002lsios\nsystem\n.'],
  [true, '\u0080\u0004\u008c\u0002os\u008c\u0006system\u0093\u008c\u0002ls\u0085R.'],
  [true, '\u0080\u0002(cos\nsystem\nX\u0002\u0000\u0000\u0000lsq\u0000o.'],
  [true, `${'('.repeat(80)}cos\nsystem\n(S'ls'\ntR.`],
  [true, "cos\nsystem\np7\n0g7\n(S'ls'\ntR."],
  [false, "cos\nsystem\np7\n0g6\n(S'ls'\ntR."],
  [false, 'NK\u0001\u0093NR.'],
  [false, 'cos\nsystem\nNNR.'],
  [false, '(dp0\nVtea\nI2\ns.'],
  [false, 'cat\ndog\n.'],
  [false, '(id\nname\n)'],
  [false, 'cos\nsystem\nR.'],
  [false, '\u0082\u0015NR'],
  [true, '\u0004\bo:\bERB\u0000'],
  [true, '\u0004\b[\u0007I"\u0006a\u0006:\u0006ETU:\bERB[\u0006T'],
  [true, '\u0004\b{\u0006:\u0006au:\bERB\u0006x'],
  [false, '\u0004\b[\u0007i\u0007i\b'],
  [false, '\u0004\b"\u000eo:\bERB\u0000tea'],
  [false, '\u0004\bi\u0006o:\bERB\u0000'],
];

test('streams that call functions or make objects differ from plain data', () => {
  for (const [isEffective, stream] of streams) {
    assert.equal(makesObjects(stream), isEffective, JSON.stringify(stream));
  }
  assert.equal(makesObjects(compressed("cos\nsystem\n(S'ls'\ntR.")), true);
  assert.equal(makesObjects(compressed('(dp0\nVtea\nI2\ns.')), false);
});

test('data of any length in front of a call hides it in no encoding', () => {
  let state = 1;
  const noise = Array.from({ length: 20_000 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 256;
  });
  const data = String.fromCharCode(...noise);
  const size = '\u0020\u004e\u0000\u0000';
  const pickle = `\u0080\u0004B${size}${data}0cos\nsystem\n(S'ls'\ntR.`;
  const marshal = `\u0004\b[\u0007"\u0002\u0020\u004e${data}o:\bERB\u0000`;
  for (const stream of [pickle, marshal, compressed(pickle)]) {
    const bytes = Buffer.from(stream, 'latin1');
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      assert.ok(isBlocked(bytes.toString(encoding)), encoding);
    }
  }
  const plain = Buffer.from(`\u0080\u0004B${size}${data}.`, 'latin1').toString('base64');
  assert.ok(!isBlocked(plain));
});

test('no beginning of a stream that makes objects is ruled out', () => {
  const effective = streams.filter(([isEffective]) => isEffective).map(([, stream]) => stream);
  for (const stream of [...effective, compressed("cos\nsystem\n(S'ls'\ntR.")]) {
    for (let length = 1; length <= stream.length; length++) {
      assert.ok(mayMakeObjects(stream.slice(0, length)), JSON.stringify(stream.slice(0, length)));
    }
  }
  for (const head of ['', 'tea', 'cat dog', 'cats\ndogs in rain', '\u0004\u0009', '\u0082aR']) {
    assert.ok(!mayMakeObjects(head), JSON.stringify(head));
  }
});

test('no text makes the readers throw', () => {
  for (let seed = 1; seed < 4_000; seed++) {
    let state = seed;
    const bytes = Array.from({ length: 40 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state % 256;
    });
    makesObjects(String.fromCharCode(...bytes));
    makesObjects(String.fromCharCode(0x78, 0x9c, ...bytes));
    makesObjects(String.fromCharCode(4, 8, ...bytes));
  }
});
