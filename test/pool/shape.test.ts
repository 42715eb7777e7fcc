import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import type { Scanner } from '../../src/contract/ports.ts';
import { BatchDesk } from '../../src/pool/batch-desk.ts';
import { type CheckShape, ThreadDesk } from '../../src/pool/codec.ts';
import { createInlineScanner } from '../../src/pool/inline-scanner.ts';
import { createPooledScanner } from '../../src/pool/pooled-scanner.ts';
import { shapeFault } from '../../src/pool/shape.ts';
import { keepLog } from '../access/key-fixture.ts';
import { scanInput } from '../support/scan-input.ts';

const atMost = limits.bodyInlineBytesMax;
const padded = (text: string, bytes: number): string =>
  text + ' '.repeat(bytes - Buffer.byteLength(text));

test('a body is held against the schema', () => {
  const rows = [
    ['{}', undefined],
    ['{"a":[1]}', undefined],
    ['{"a":1,}', 'body-not-json'],
    ['', 'body-not-json'],
    ['\ufeff{}', 'body-not-json'],
    ['[{}]', 'body-not-object'],
    ['null', 'body-not-object'],
    ['"{}"', 'body-not-object'],
  ] as const;
  for (const [text, fault] of rows) assert.equal(shapeFault(text), fault, text);
});

test('nesting of a whole megabyte neither throws nor ends the thread', () => {
  const depth = limits.bodyBytesMax / 2 - 4;
  assert.equal(shapeFault(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`), undefined);
  assert.equal(shapeFault(`{"a":${'['.repeat(2 * depth)}`), 'body-not-json');
});

test('a desk asks for the shape of large bodies only, counted in bytes', () => {
  const asked: string[] = [];
  const checkShape: CheckShape = (text) => {
    asked.push(text);
    return text.startsWith('{"no') ? 'body-not-object' : undefined;
  };
  const small = padded('{"a":"small"}', atMost);
  const large = padded('{"a":"large"}', atMost + 1);
  // More bytes than are parsed in front, and fewer characters.
  const wide = `{"a":"${'\u20ac'.repeat(atMost / 3)}"}`;
  const refused = padded('{"no":1}', atMost + 1);
  const desk = new BatchDesk();
  const inputs = [small, large, wide, refused].map((body) => scanInput(body));
  const screened: string[] = [];
  const reply = new ThreadDesk(checkShape).screen(({ body }) => {
    screened.push(body);
    return { kind: 'rejected', fault: 'body-too-deep' };
  }, desk.pack(inputs));
  assert.deepEqual(asked, [large, wide, refused]);
  assert.deepEqual(screened, [small, large, wide]);
  const faults = desk.unpack(reply).map((one) => (one.kind === 'rejected' ? one.fault : one.kind));
  assert.deepEqual(faults.slice(0, 3), ['body-too-deep', 'body-too-deep', 'body-too-deep']);
  assert.equal(faults[3], 'body-not-object');
});

// What tells the two readers apart: the core stops at the bound of nesting before it comes to the
// end, and says so; `JSON.parse` says that there is none.
const open = padded(`{"a":${'['.repeat(100)}`, atMost + 1);

for (const [name, create] of [
  ['threads', () => createPooledScanner({ threads: 1, log: keepLog() })],
  ['no threads', () => createInlineScanner()],
] as const satisfies readonly (readonly [string, () => Scanner])[]) {
  test(`JSON.parse has the first word on a large body, with ${name}`, async (t) => {
    const scanner = create();
    t.after(() => scanner.close());
    const fault = { kind: 'rejected', fault: 'body-not-json' };
    assert.deepEqual(await scanner.scan(scanInput(open)), fault);
    const outcome = await scanner.scan(scanInput(open.slice(0, 110)));
    assert.deepEqual(outcome, { kind: 'rejected', fault: 'body-too-deep' });
  });
}
