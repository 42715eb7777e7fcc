import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { limits } from '../../../src/contract/limits.ts';
import {
  type Field,
  isSamePlace,
  memberNameOf,
  pointerOf,
} from '../../../src/core/extract/field.ts';
import { readJson } from '../../../src/core/extract/json-reader.ts';

/** What the reader found: `where pointer = text`. */
function read(text: string): { fault: string | undefined; found: string[] } {
  const fields: Field[] = [];
  const fault = readJson(text, fields);
  const found = fields.map((one) => `${one.where} ${pointerOf(one.node)} = ${one.text}`);
  return { fault, found };
}

/** The same from a parsed document, which holds no duplicates. */
function walk(value: unknown, pointer: string, found: string[]): string[] {
  if (typeof value === 'string' && pointer !== '') found.push(`value ${pointer} = ${value}`);
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, item] of Object.entries(value)) {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Array.isArray(value)) found.push(`name ${place} = ${key}`);
    walk(item, place, found);
  }
  return found;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const json = fc.json({ depthSize: 'medium', stringUnit: 'binary' });

/** JSON text, damaged: a piece taken out, doubled, or put in. */
const damaged = fc
  .tuple(json, fc.nat(), fc.nat(6), fc.constantFrom('', ...'{}[]",:0-.eE+\\u\n\t /x\u0001\u00a0'))
  .map(([text, at, length, put]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + put + text.slice(start + length);
  });

/** What readers of JSON differ on, in a scalar, a name or the white space between. */
const scalar = fc.constantFrom(
  ...['0', '-0', '00', '-', '1.', '.5', '1e5', '1E+', '1e400', '-1e-400', '9007199254740993', '+1'],
  ...['0x1', '1_0', 'NaN', 'Infinity', '-Infinity', 'undefined', 'null', 'Null', 'true', 'tru'],
  ...[
    '"a"',
    "'a'",
    '"\\x41"',
    '"\\u0041"',
    '"\\u004"',
    '"\\ud800"',
    '"\ud800"',
    '"\\udc00\\ud800"',
  ],
  ...[
    '"\n"',
    '"\u0000"',
    '"\\0"',
    '"\\/"',
    '"\u2028"',
    '"\u007f"',
    '"\ufeff"',
    '"\\',
    '"',
    '[]',
    '{}',
    '',
  ],
);
const name = fc.constantFrom(
  '"a"',
  '"a"',
  '"\\u0061"',
  '"__proto__"',
  '"1"',
  '""',
  'a',
  "'a'",
  '1',
);
const between = fc.oneof(
  { weight: 12, arbitrary: fc.constant('') },
  fc.constantFrom(
    ' ',
    '\t',
    '\r\n',
    '\u00a0',
    '\ufeff',
    '\v',
    '\f',
    '\u2028',
    '/**/',
    '//\n',
    '\u0000',
  ),
);
const { value: cornered } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(fc.array(tie('value'), { maxLength: 3 }), between, fc.constantFrom('', '', '', ','))
    .map(([items, space, end]) => `${space}[${items.join(`${space},`)}${end}]`),
  object: fc
    .tuple(
      fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }),
      between,
      fc.constantFrom('', '', '', ',', '}'),
    )
    .map(([members, space, end]) => {
      const list = members.map(([key, value]) => `${key}${space}:${value}`);
      return `{${list.join(',')}${end}}${space}`;
    }),
}));

describe('readJson', () => {
  it('finds the names and strings that JSON.parse gives', () => {
    fc.assert(
      fc.property(json, (text) => {
        const { fault, found } = read(text);
        const { value } = parse(text) ?? assert.fail('the generator makes JSON');
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
        assert.equal(fault, isObject ? undefined : 'body-not-object');
        // Objects of JavaScript put names that are whole numbers first; the order is no matter
        // here.
        assert.deepEqual(found.sort(), walk(value, '', []).sort());
      }),
      { numRuns: 500 },
    );
  });

  it('accepts what JSON.parse accepts, and nothing else', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const fault = read(text).fault;
        assert.equal(fault === 'body-not-json', parse(text) === undefined, JSON.stringify(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('accepts what JSON.parse accepts of texts made of corners', () => {
    fc.assert(
      fc.property(cornered, (text) => {
        const fault = readJson(text, [], { depthMax: 1e9, membersMax: 1e9 });
        const parsed = parse(text);
        const isObject =
          typeof parsed?.value === 'object' &&
          parsed.value !== null &&
          !Array.isArray(parsed.value);
        const expected = parsed === undefined ? 'body-not-json' : 'body-not-object';
        assert.equal(fault, isObject ? undefined : expected, JSON.stringify(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('takes texts as deep and numbers as long as JSON.parse does', () => {
    const bounds = { depthMax: 1e9, membersMax: 1e9 };
    for (const text of [
      `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
      `{"a":${'['.repeat(2_000)}${']'.repeat(1_999)}}`,
      `{"a":${'1'.repeat(100_000)}}`,
      `{"a":-0.${'0'.repeat(100_000)}1e-999999999}`,
      `{"a":1e${'9'.repeat(1_000)},"a":0${'0'.repeat(9)}}`,
      `{${Array.from({ length: 5_000 }, () => '"a":1').join()}}`,
    ]) {
      const isRefused = readJson(text, [], bounds) !== undefined;
      assert.equal(isRefused, parse(text) === undefined, text.slice(0, 40));
    }
  });

  it('agrees with JSON.parse on the corners of the grammar', () => {
    const rows = [
      '',
      ' ',
      '{}',
      ' \t\r\n{ } ',
      '{}{}',
      '{},',
      '{"a"}',
      '{"a":}',
      '{a:1}',
      "{'a':1}",
    ];
    rows.push('{"a":1,}', '{,}', '[1,]', '[,1]', '[1 2]', '{"a":01}', '{"a":-}', '{"a":-0}');
    rows.push(
      '{"a":1.}',
      '{"a":.5}',
      '{"a":1e}',
      '{"a":1e+5}',
      '{"a":+1}',
      '{"a":0x1}',
      '{"a":NaN}',
    );
    rows.push('{"a":tru}', '{"a":True}', '{"a":nulll}', '{"a":"\\x41"}', '{"a":"\\u12g4"}');
    rows.push(
      '{"a":"\\u00"}',
      '{"a":"\n"}',
      '{"a":"\u007f\u2028"}',
      '{"a":"\\"}',
      '{"a":"',
      '\ufeff{}',
    );
    rows.push(
      '{"a":/**/1}',
      '{"a":1}\u0000',
      '\u00a0{}',
      '{"a":"\\ud800"}',
      '{"\\u0061":1}',
      '"a"',
    );
    for (const text of rows) {
      assert.equal(read(text).fault === 'body-not-json', parse(text) === undefined, text);
    }
  });

  it('keeps every occurrence of a name, escaped or not', () => {
    assert.deepEqual(read('{"q":"1","q":"2","\\u0071":{"q":"3"}}').found, [
      'name /q = q',
      'value /q = 1',
      'name /q = q',
      'value /q = 2',
      'name /q = q',
      'name /q/q = q',
      'value /q/q = 3',
    ]);
  });

  it('says where a string stands', () => {
    assert.deepEqual(read('{"a/b":[{"~":"x"},["y"]],"":"z"}').found, [
      'name /a~1b = a/b',
      'name /a~1b/0/~0 = ~',
      'value /a~1b/0/~0 = x',
      'value /a~1b/1/0 = y',
      'name / = ',
      'value / = z',
    ]);
    const fields: Field[] = [];
    readJson('{"filters":{"q":[["x"]]}}', fields);
    assert.equal(memberNameOf(fields.at(-1)?.node ?? assert.fail()), 'q');
  });

  it('reads the whole of an array, though it is no body', () => {
    assert.deepEqual(read('["a",{"b":"c"}]'), {
      fault: 'body-not-object',
      found: ['value /0 = a', 'name /1/b = b', 'value /1/b = c'],
    });
  });

  it('bounds the nesting', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    assert.equal(read(nested(limits.jsonDepthMax - 1)).fault, undefined);
    assert.equal(read(nested(limits.jsonDepthMax)).fault, 'body-too-deep');
    const objects = '{"a":'.repeat(100_000);
    assert.equal(read(objects).fault, 'body-too-deep');
    assert.equal(read(`{"a":${'['.repeat(100_000)}`).fault, 'body-too-deep');
  });

  it('bounds the number of members and items', () => {
    const items = (count: number): string => `{"a":[${Array(count).fill('1').join(',')}]}`;
    assert.equal(read(items(limits.jsonMembersMax - 1)).fault, undefined);
    assert.equal(read(items(limits.jsonMembersMax)).fault, 'body-too-many-members');
    const names = (count: number): string => `{${Array(count).fill('"a":1').join(',')}}`;
    assert.equal(read(names(limits.jsonMembersMax)).fault, undefined);
    assert.equal(read(names(limits.jsonMembersMax + 1)).fault, 'body-too-many-members');
  });

  it('knows places that have the same pointer', () => {
    const fields: Field[] = [];
    readJson('{"a":{"x":"1","y":"2"},"b":{"x":"3"},"a":{"x":"4"},"x":"5"}', fields);
    const values = fields.filter((field) => field.where === 'value');
    for (const one of values) {
      for (const other of values) {
        const isSame = pointerOf(one.node) === pointerOf(other.node);
        assert.equal(isSamePlace(one.node, other.node), isSame, `${one.text} ${other.text}`);
      }
    }
    const shared = values.filter((one) => pointerOf(one.node) === '/a/x').map((one) => one.text);
    assert.deepEqual(shared, ['1', '4']);
  });
});
