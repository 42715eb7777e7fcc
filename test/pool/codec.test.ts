import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { categories } from '../../src/contract/category.ts';
import { defaultPolicy, type Policy } from '../../src/contract/policy.ts';
import type { ScanInput } from '../../src/contract/ports.ts';
import {
  noContext,
  type RequestContext,
  type ScreeningRequest,
} from '../../src/contract/request.ts';
import type { Finding, Verdict } from '../../src/contract/verdict.ts';
import { blockTexts, type WrittenBlock } from '../../src/contract/written-block.ts';
import { BatchDesk } from '../../src/pool/batch-desk.ts';
import { type Screen, type Screened, ThreadDesk } from '../../src/pool/codec.ts';
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
  fc.constant({ ...noContext, client: '2001:db8::7' }),
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

/** A desk, and a thread at its other side that knows only what messages told it. */
function deskWith(screen: Screen): {
  readonly desk: BatchDesk;
  /** Sends a batch there and back, as a message port does. */
  exchange(inputs: readonly ScanInput[]): Screened[];
} {
  const desk = new BatchDesk();
  const thread = new ThreadDesk();
  const exchange = (inputs: readonly ScanInput[]) =>
    desk.unpack(thread.screen(screen, structuredClone(desk.pack(inputs))));
  return { desk, exchange };
}

/** A desk whose thread notes what it is given. */
function notingDesk(): {
  readonly seen: { readonly request: ScreeningRequest; readonly policy: Policy }[];
  exchange(inputs: readonly ScanInput[]): Screened[];
} {
  const seen: { readonly request: ScreeningRequest; readonly policy: Policy }[] = [];
  const { exchange } = deskWith((request, policy) => {
    seen.push({ request, policy });
    return { kind: 'verdict', verdict: plainAllow };
  });
  return { seen, exchange };
}

/** Keeps the thread busy. */
function work(ms: number): void {
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms);
}

it('a batch reports how long the thread worked on each request', () => {
  let calls = 0;
  const { desk, exchange } = deskWith(() => {
    work(calls++ * 10);
    return { kind: 'verdict', verdict: plainAllow };
  });
  exchange([0, 1, 2, 3].map((number) => scanInput(`{"a":${number}}`)));
  for (const index of [0, 1, 2, 3]) {
    const ms = desk.engineMs(index);
    assert.ok(ms >= index * 10 && ms < 60_000, `${index}: ${ms} ms`);
  }
});

describe('batch on its way there', () => {
  it('carries bodies, contexts and policies, one batch after the other', () => {
    const request = plain({ text, context, policy: fc.constantFrom(...policies) });
    const batch = fc.array(request, { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 4 }), (batches) => {
        const { seen, exchange } = notingDesk();
        for (const requests of batches) {
          exchange(requests.map(({ text: body, ...rest }) => scanInput(body, rest)));
        }
        assert.deepEqual(
          seen,
          batches.flat().map(({ text: body, context: c, policy }) => ({
            request: { body, context: c },
            policy,
          })),
        );
      }),
    );
  });

  it('carries bodies of every size, a small one after a large one', () => {
    const { seen, exchange } = notingDesk();
    const sizes = [0, 10, 70_000, 5, 1_048_576, 300_000, 2];
    for (const size of sizes) exchange([scanInput('a'.repeat(size)), scanInput('{}')]);
    assert.deepEqual(
      seen.map(({ request }) => request.body.length),
      sizes.flatMap((size) => [size, 2]),
    );
  });

  it('leaves the bodies of the caller as they are, also when they are views of a larger block', () => {
    const block = Buffer.from('xx{"a":"é"}yy');
    const { seen, exchange } = notingDesk();
    exchange([scanInput('', { body: block.subarray(2, block.length - 2) }), scanInput('{}')]);
    assert.deepEqual(
      seen.map(({ request }) => request.body),
      ['{"a":"é"}', '{}'],
    );
    assert.equal(block.toString(), 'xx{"a":"é"}yy');
  });

  it('rejects a body that is not UTF-8, whatever stands beside it', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.constantFrom('\ufffd', 'é', '日本', '😀', '\ufeff', '{}').map((one) => Buffer.from(one)),
      fc.constantFrom([0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80], [0xa9]),
    );
    const body = fc
      .array(piece, { maxLength: 4 })
      .map((pieces) => Buffer.concat(pieces.map((one) => Uint8Array.from(one))));
    fc.assert(
      fc.property(fc.array(body, { maxLength: 6 }), (bodies) => {
        const { seen, exchange } = notingDesk();
        const outcomes = exchange(bodies.map((one) => scanInput('', { body: one })));
        assert.deepEqual(
          outcomes.map((one) => one.kind === 'verdict' || (one.kind === 'rejected' && one.fault)),
          bodies.map((one) => isUtf8(one) || 'body-not-utf8'),
        );
        assert.deepEqual(
          seen.map(({ request }) => request.body),
          bodies.filter((one) => isUtf8(one)).map(String),
        );
      }),
    );
  });

  it('sends the desk and each policy once, and gives a request without context the shared one', () => {
    const { desk, exchange } = deskWith(() => ({ kind: 'verdict', verdict: plainAllow }));
    const inputs: ScanInput[] = Array.from({ length: 64 }, () => scanInput('{}'));
    const first = desk.pack(inputs);
    assert.ok(first.desk !== undefined);
    assert.deepEqual(first.policies, { from: 0, added: [defaultPolicy] });
    const noNews = { from: 0, added: [] };
    assert.deepEqual(desk.pack(inputs), { desk: undefined, contextText: '', policies: noNews });
    const { seen, exchange: note } = notingDesk();
    note(inputs);
    assert.equal(seen[0]?.request.context, noContext);
    assert.throws(() => exchange(inputs), /malformed/, 'a thread that missed the desk says so');
  });

  it('tells policies apart when more are in use than a thread holds', () => {
    const { seen, exchange } = notingDesk();
    const many = Array.from({ length: 2_500 }, (_, index): Policy => {
      return { ...defaultPolicy, trustedOrigins: [`https://${index}.example`] };
    });
    for (let from = 0; from < many.length; from += 60) {
      const some = [...many.slice(from, from + 60), ...many.slice(0, 4)];
      exchange(some.map((policy) => scanInput('{}', { policy })));
      assert.deepEqual(
        seen.splice(0).map(({ policy }) => policy),
        some,
      );
    }
  });
});

describe('batch on its way back', () => {
  it('carries every kind of outcome', () => {
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 20 }), (outcomes) => {
        let next = 0;
        const { exchange } = deskWith(() => outcomes[next++] as Screened);
        assert.deepEqual(exchange(outcomes.map(() => scanInput('{}'))), outcomes);
      }),
    );
  });

  it('carries blocks that are written down, between all others, with their verdicts', () => {
    const texts = plain(Object.fromEntries(blockTexts.map((name) => [name, text])));
    const category = fc.constantFrom(undefined, ...categories);
    const block = fc
      .tuple(texts, category, fc.boolean(), verdict)
      .map(([its, one, isComplete, judged]) => ({
        outcome: { kind: 'verdict' as const, verdict: { ...judged, decision: 'block' as const } },
        written: { ...its, category: one, isComplete } as WrittenBlock,
      }));
    const other = outcome
      .filter((one) => one.kind !== 'verdict' || one.verdict.decision === 'allow')
      .map((one) => ({ outcome: one, written: undefined }));
    fc.assert(
      fc.property(fc.array(fc.oneof(block, other), { maxLength: 20 }), (items) => {
        const desk = new BatchDesk();
        const thread = new ThreadDesk(undefined, ({ body }) => {
          const { written } = items[Number(body)] ?? {};
          if (written === undefined) throw new Error('only blocks are written');
          return written;
        });
        const screen: Screen = ({ body }) => items[Number(body)]?.outcome as Screened;
        const message = structuredClone(desk.pack(items.map((_, n) => scanInput(String(n)))));
        const outcomes = desk.unpack(structuredClone(thread.screen(screen, message)));
        items.forEach((item, index) => {
          const back = outcomes[index];
          assert.deepEqual(back?.kind === 'verdict' ? back.written : undefined, item.written);
          if (item.outcome.kind !== 'verdict') assert.deepEqual(back, item.outcome);
          else assert.deepEqual(back?.kind === 'verdict' && back.verdict, item.outcome.verdict);
        });
      }),
    );
  });

  it('carries the verdict of a block that could not be written down', () => {
    const desk = new BatchDesk();
    const thread = new ThreadDesk(undefined, () => {
      throw new TypeError('broken');
    });
    const blocked: Screened = { kind: 'verdict', verdict: { ...plainAllow, decision: 'block' } };
    const reply = thread.screen(() => blocked, desk.pack([scanInput('{}')]));
    assert.deepEqual(desk.unpack(reply), [blocked]);
  });

  it('takes no message for plain allows', () => {
    const desk = new BatchDesk();
    const message = desk.pack([scanInput('{}'), scanInput('{}')]);
    const reply = new ThreadDesk().screen(
      () => ({ kind: 'verdict', verdict: plainAllow }),
      message,
    );
    assert.deepEqual(reply, []);
    const expected: Screened = { kind: 'verdict', verdict: plainAllow };
    assert.deepEqual(desk.unpack(reply), [expected, expected]);
  });

  it('is refused when it does not fit the batch', () => {
    const desk = new BatchDesk();
    const message = desk.pack([scanInput('{}')]);
    assert.throws(() => desk.unpack([]), /malformed/);
    new ThreadDesk().screen(() => ({ kind: 'failed', detail: '' }), message);
    assert.throws(() => desk.unpack([]), /malformed/);
  });

  it('fails only the request whose screening throws', () => {
    const { exchange } = deskWith(({ body }) => {
      if (body === 'bad') throw new TypeError('broken');
      return { kind: 'verdict', verdict: { ...plainAllow, score: Number(body) } };
    });
    const [first, second, third] = exchange(['1', 'bad', '3'].map((body) => scanInput(body)));
    assert.deepEqual(first, { kind: 'verdict', verdict: { ...plainAllow, score: 1 } });
    assert.ok(second?.kind === 'failed' && second.detail.includes('TypeError: broken'));
    assert.deepEqual(third, { kind: 'verdict', verdict: { ...plainAllow, score: 3 } });
  });

  it('leaves behind what the engine says beyond the port', () => {
    const blocked: Verdict = { ...plainAllow, decision: 'block' };
    const result = { kind: 'verdict' as const, verdict: blocked, steps: 99 };
    const { exchange } = deskWith(() => result);
    assert.deepEqual(exchange([scanInput('{}')]), [{ kind: 'verdict', verdict: blocked }]);
  });
});
