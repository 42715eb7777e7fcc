import assert from 'node:assert/strict';
import { it } from 'node:test';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { JsonSchema } from '../../src/contract/shape.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import { createEngine } from '../../src/core/engine.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import { compileShape } from '../../src/shape/compile.ts';

const engine = createEngine(detectors, compileShape);

function screen(value: string, schema: JsonSchema | undefined, name = 'v'): Verdict {
  const request = { body: JSON.stringify({ [name]: value }), context: noContext };
  const shape = { body: { properties: { [name]: schema ?? true } } };
  const policy = schema === undefined ? defaultPolicy : { ...defaultPolicy, shape };
  const result = engine.screen(request, policy);
  assert.ok(result.kind === 'verdict');
  return result.verdict;
}

const injection = "' OR 1=1 --";
/** A program: in a field of unknown use its text is an attack. */
const program = 'SELECT a FROM t\nWHERE id = 1 OR 1=1;\nSELECT b FROM u UNION SELECT c FROM v;\n';

it('a value is closed by what it is, not by what was declared', () => {
  const closed: readonly JsonSchema[] = [
    { type: 'integer' },
    { type: 'string', format: 'uuid' },
    { type: 'string', format: 'date-time' },
    { enum: ['a', 'b'] },
    { type: 'string', pattern: '^[a-z0-9-]+$' },
  ];
  for (const schema of closed) {
    const { decision, findings } = screen(injection, schema);
    assert.equal(decision, 'block');
    assert.ok(
      findings.some(({ category }) => category === 'sqli'),
      JSON.stringify(schema),
    );
  }
});

it('an attack in a free text is found as before, whatever its role', () => {
  for (const is of ['prose', 'html', 'markdown', 'search', 'url', 'path', 'secret']) {
    const schema = { type: 'string', 'x-sallyport': { is } };
    assert.equal(screen(injection, schema).decision, 'block', is);
    assert.equal(screen('<script>alert(1)</script>', schema).decision, 'block', is);
  }
});

it('a declared role takes the place of the one that a name tells', () => {
  assert.equal(screen(program, undefined).decision, 'block');
  const sql = { type: 'string', 'x-sallyport': { is: 'sql' } };
  assert.equal(screen(program, sql).decision, 'allow');
  assert.equal(screen(program, undefined, 'sql').decision, 'allow');
  const word = { type: 'string', 'x-sallyport': { is: 'path' } };
  assert.equal(screen(program, word, 'sql').decision, 'block');
});

it('a declared use counts as a name that tells it', () => {
  const rows: readonly (readonly [is: string, text: string, name: string])[] = [
    ['path', '../config', 'file'],
    ['url', 'https:/evil.example', 'body.url'],
    ['secret', '//user/*', 'password'],
  ];
  for (const [is, text, named] of rows) {
    const schema = { type: 'string', 'x-sallyport': { is } };
    assert.equal(screen(text, undefined, 'note').decision, 'allow', text);
    assert.equal(screen(text, undefined, named).decision, 'block', text);
    assert.equal(screen(text, schema, 'note').decision, 'block', text);
  }
});

it('a declared use lowers what its name would lower, and a header only raises', () => {
  const mail = 'Dear team\nBcc: all@example.org\nthanks';
  const report = 'SELECT region, SUM(amount) FROM sales WHERE year = 2024 GROUP BY region';
  const rows: readonly (readonly [is: string, text: string, name: string])[] = [
    ...['prose', 'html', 'markdown', 'code', 'template'].map((is) => [is, mail, 'text'] as const),
    ['sql', report, 'sql'],
    ['search', '(objectClass=*)', 'search'],
  ];
  for (const [is, text, named] of rows) {
    const schema = { type: 'string', 'x-sallyport': { is } };
    assert.equal(screen(text, undefined).decision, 'block', text);
    assert.equal(screen(text, undefined, named).decision, 'allow', text);
    assert.equal(screen(text, schema).decision, 'allow', `${is}: ${text}`);
    const { decision } = screen('evil.example:x', schema, 'header.x-forwarded-host');
    assert.equal(decision, screen('evil.example:x', undefined, 'header.x-forwarded-host').decision);
    assert.equal(screen(mail, schema, 'header.x-tenant').decision, 'block', is);
  }
});

it('a declared constant is no attack; bytes may be one', () => {
  assert.equal(screen(injection, { enum: [injection] }).decision, 'allow');
  for (const text of ['<script>alert(1)</script>', '\xac\xed\x00\x05sr\x00\x11java.util.HashMap']) {
    const bytes = Buffer.from(text, 'latin1').toString('base64');
    for (const schema of [{ contentEncoding: 'base64' }, { type: 'string', format: 'byte' }]) {
      assert.equal(screen(bytes, schema).decision, 'block', text);
    }
  }
});

it('a core without a compiler says that it did not look', () => {
  const policy = { ...defaultPolicy, shape: { routes: [] } };
  const result = createEngine().screen({ body: '{"a":"b"}', context: noContext }, policy);
  assert.ok(result.kind === 'verdict');
  assert.deepEqual(result.verdict.coverage.reasons, ['shape']);
  assert.equal(result.verdict.decision, 'block');
});
