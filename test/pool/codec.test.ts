import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { categories } from '../../src/contract/category.ts';
import { defaultPolicy, type Policy } from '../../src/contract/policy.ts';
import type { ScanInput } from '../../src/contract/ports.ts';
import { noContext, type RequestContext } from '../../src/contract/request.ts';
import type { Finding, Verdict } from '../../src/contract/verdict.ts';
import {
  packBatch,
  packReply,
  type Screened,
  screenBatchWith,
  unpackBatch,
  unpackReply,
} from '../../src/pool/codec.ts';
import { scanInput } from '../support/scan-input.ts';

/** Records with the usual prototype, as the product makes them. */
function plain<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model, { noNullPrototype: true });
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\ufeffmark', 'naïve 日本語 😀', '\u0000', '"}'),
);
const anyUnits = fc.oneof(text, fc.constantFrom('\ud800', 'a\udfffb'));

const context: fc.Arbitrary<RequestContext> = fc.oneof(
  fc.constant(noContext),
  plain({
    method: anyUnits,
    proto: anyUnits,
    host: anyUnits,
    uri: anyUnits,
    for: anyUnits,
    origin: anyUnits,
    referer: anyUnits,
    secFetchSite: anyUnits,
    contentType: anyUnits,
    cookie: anyUnits,
  }),
);

const policies: readonly Policy[] = [
  defaultPolicy,
  { ...defaultPolicy, sensitivity: 4, categoriesOff: ['xss'] },
  { ...defaultPolicy, mode: 'monitor', trustedOrigins: ['https://a.example'] },
];

const finding: fc.Arbitrary<Finding> = plain({
  category: fc.constantFrom(...categories),
  rule: text,
  cwe: fc.constant('CWE-89'),
  severity: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
  pointer: text,
  where: fc.constantFrom('value' as const, 'name' as const, 'context' as const),
  decoded: fc.array(text, { maxLength: 3 }),
  span: fc.tuple(fc.nat(), fc.nat()),
  evidence: anyUnits,
  score: fc.nat(100),
  message: text,
});

const verdict: fc.Arbitrary<Verdict> = plain({
  decision: fc.constantFrom('allow' as const, 'block' as const),
  score: fc.oneof(fc.nat(100), fc.constantFrom(300, 12.5)),
  threshold: fc.oneof(fc.constantFrom(90, 70, 50, 30), fc.nat(1000)),
  findings: fc.oneof(fc.constant([]), fc.array(finding, { maxLength: 3 })),
  coverage: plain({
    complete: fc.boolean(),
    bytes: fc.oneof(fc.nat(2_000_000), fc.constant(2 ** 40)),
    reasons: fc.constantFrom([], ['views' as const]),
  }),
});

const outcome: fc.Arbitrary<Screened> = fc.oneof(
  verdict.map((value): Screened => ({ kind: 'verdict', verdict: value })),
  fc.constantFrom<Screened>(
    { kind: 'rejected', fault: 'body-too-deep' },
    { kind: 'failed', detail: 'Error: thrown\n    at here' },
  ),
);

const plainAllow: Verdict = {
  decision: 'allow',
  score: 12,
  threshold: 70,
  findings: [],
  coverage: { complete: true, bytes: 812, reasons: [] },
};

/** What a message port does to a message. */
function sent<T>(message: T, transfer: ArrayBuffer[] = []): T {
  return structuredClone(message, { transfer });
}

describe('batch message', () => {
  it('carries bodies, contexts and policies to the other side', () => {
    const request = plain({ text, context, policy: fc.constantFrom(...policies) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 20 }), (requests) => {
        const inputs = requests.map(({ text: body, ...rest }) => scanInput(body, rest));
        const message = packBatch(inputs);
        const items = unpackBatch(sent(message, [message.packed.buffer]));
        assert.deepEqual(
          items,
          requests.map(({ text: body, context: c, policy }) => ({
            request: { body, context: c },
            policy,
          })),
        );
      }),
    );
  });

  it('leaves the bodies of the caller as they are, also when they are views of a larger block', () => {
    const block = Buffer.from('xx{"a":"é"}yy');
    const body = block.subarray(2, block.length - 2);
    const message = packBatch([scanInput('', { body }), scanInput('{}')]);
    const items = unpackBatch(sent(message, [message.packed.buffer]));
    assert.deepEqual(
      items.map(({ request }) => request?.body),
      ['{"a":"é"}', '{}'],
    );
    assert.equal(block.toString(), 'xx{"a":"é"}yy');
  });

  it('gives no text for a body that is not UTF-8, whatever stands beside it', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.constantFrom('\ufffd', 'é', '日本', '😀', '\ufeff', '{}').map((one) => Buffer.from(one)),
      fc.constantFrom([0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80], [0xa9]),
    );
    const body = fc.array(piece, { maxLength: 4 }).map((pieces) => {
      return Buffer.concat(pieces.map((one) => Uint8Array.from(one)));
    });
    fc.assert(
      fc.property(fc.array(body, { maxLength: 6 }), (bodies) => {
        const items = unpackBatch(packBatch(bodies.map((one) => scanInput('', { body: one }))));
        assert.deepEqual(
          items.map(({ request }) => request?.body),
          bodies.map((one) => (isUtf8(one) ? one.toString() : undefined)),
        );
      }),
    );
  });

  it('costs nothing for requests without a context, and one entry for a common policy', () => {
    const inputs: ScanInput[] = Array.from({ length: 64 }, () => scanInput('{}'));
    const message = packBatch(inputs);
    assert.equal(message.contextText, '');
    assert.deepEqual(message.policies, { from: 0, added: [defaultPolicy] });
    assert.equal(message.packed.length, (2 + 64 * 3) * 4 + 64 * 2);
    assert.equal(message.packed.length, message.packed.buffer.byteLength);
    const [first] = unpackBatch(message);
    assert.equal(first?.request?.context, noContext);
  });
});

describe('batch reply', () => {
  it('carries every kind of outcome', () => {
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 20 }), (outcomes) => {
        assert.deepEqual(unpackReply(sent(packReply(outcomes)), outcomes.length), outcomes);
      }),
    );
  });

  it('is two words for each plain allow, with no JSON', () => {
    const outcomes: Screened[] = Array.from({ length: 64 }, () => ({
      kind: 'verdict',
      verdict: plainAllow,
    }));
    const reply = packReply(outcomes);
    assert.ok(reply instanceof Uint32Array);
    assert.equal(reply.length, 128);
    assert.deepEqual(unpackReply(sent(reply), 64), outcomes);
  });

  it('is refused when it does not fit the batch', () => {
    const reply = packReply([{ kind: 'verdict', verdict: plainAllow }]);
    assert.throws(() => unpackReply(reply, 2), /malformed/);
    const words = new Uint32Array(2);
    assert.throws(() => unpackReply({ words, json: '[]' }, 1), /malformed/);
    assert.throws(() => unpackReply(words, 1), /malformed/);
  });

  it('fails only the request whose screening throws', () => {
    const message = packBatch(['1', 'bad', '3'].map((body) => scanInput(body)));
    const reply = screenBatchWith(({ body }) => {
      if (body === 'bad') throw new TypeError('broken');
      return { kind: 'verdict', verdict: { ...plainAllow, score: Number(body) } };
    }, message);
    const [first, second, third] = unpackReply(reply, 3);
    assert.deepEqual(first, { kind: 'verdict', verdict: { ...plainAllow, score: 1 } });
    assert.ok(second?.kind === 'failed' && second.detail.includes('TypeError: broken'));
    assert.deepEqual(third, { kind: 'verdict', verdict: { ...plainAllow, score: 3 } });
  });

  it('leaves behind what the engine says beyond the port', () => {
    const message = packBatch([scanInput('{}')]);
    const blocked: Verdict = { ...plainAllow, decision: 'block' };
    const result = { kind: 'verdict' as const, verdict: blocked, steps: 99 };
    const reply = screenBatchWith(() => result, message);
    assert.deepEqual(unpackReply(reply, 1), [{ kind: 'verdict', verdict: blocked }]);
  });
});
