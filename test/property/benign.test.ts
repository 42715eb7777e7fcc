import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Random } from '../../bench/lib/random.ts';
import { readFixtures } from '../support/fixtures.ts';
import { knownFailures } from './benign-known-failures.ts';
import { isBlocked, verdictOn } from './screen.ts';

type Body = Readonly<Record<string, unknown>>;

interface Case {
  readonly name: string;
  readonly body: Body;
}

function casesOf(kind: 'benign' | 'attacks'): readonly Case[] {
  const folder = new URL(`../fixtures/${kind}/`, import.meta.url);
  return readdirSync(folder).flatMap((file) =>
    readFixtures(new URL(file, folder)).map((fixture) => ({
      name: `${file.replace('.jsonl', '')}/${fixture.name}`,
      body: 'body' in fixture ? fixture.body : { value: fixture.input },
    })),
  );
}

/** Paragraphs and sentences of the texts that the benchmarks are made of. */
function proseCases(): readonly Case[] {
  return ['prose.txt', 'plain.txt'].flatMap((file) => {
    const text = readFileSync(new URL(`../../bench/data/${file}`, import.meta.url), 'utf8');
    const parts = [...text.split(/\n\n/), ...text.split(/(?<=[.!?])\s+/)];
    return parts.map((value, index) => ({ name: `${file}/${index}`, body: { value } }));
  });
}

const benign = [...casesOf('benign'), ...proseCases()];
const attacks = casesOf('attacks');

const additions: Readonly<Record<string, (text: string) => string>> = {
  'a signature': (text) => `${text} -- regards, Ann`,
  'a signature below': (text) => `${text}\n\n-- \nKind regards,\nAnn O'Neil`,
  'a bracketed remark': (text) => `${text} (see #12)`,
  'a remark in square brackets': (text) => `${text} [sic]`,
  'thanks after a semicolon': (text) => `${text}; thanks!`,
  'a quotation': (text) => `${text}, as "Ann & Bob's" page says`,
  'a greeting': (text) => `Hello Bob, ${text}`,
  'a greeting above': (text) => `Hi!\n\n${text}`,
  'a mark in brackets before': (text) => `[Draft] ${text}`,
};

/** Addresses, headers, statements and documents have no signature: only free text with words. */
function added(value: unknown, add: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return isProse(name, value) ? add(value) : value;
  if (Array.isArray(value)) return value.map((one) => added(one, add, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, added(one, add, `${name}.${key}`)]),
  );
}

function isProse(name: string, text: string): boolean {
  return /\s/.test(text) && !text.startsWith('{"') && !notProse.test(name);
}

const notProse = /header|cookie|query|sql|statement|^\.?path/i;

describe('benign and benign is benign', () => {
  for (const [law, add] of Object.entries(additions)) {
    it(law, () => {
      assert.equal(isBlocked(add('Hello')), false);
      const failing = benign.filter(({ body }) => decision(added(body, add)) === 'block');
      // A failure that is mended leaves the list.
      assert.deepEqual(failing.map(({ name }) => name).sort(), knownFailures[law] ?? []);
    });
  }

  it('lists no failure of a law that there is not', () => {
    assert.deepEqual(
      Object.keys(knownFailures).filter((law) => additions[law] === undefined),
      [],
    );
  });
});

describe('the order of fields and their neighbours', () => {
  it('changes no decision when fields come in another order', () => {
    const random = new Random(1);
    const moved = [...benign, ...attacks].filter(
      ({ body }) => decision(reordered(random, body)) !== decision(body),
    );
    assert.deepEqual(
      moved.map(({ name }) => name),
      [],
    );
  });

  it('changes no decision when benign fields stand before and behind', () => {
    const moved = [...benign, ...attacks].filter(({ body }) => {
      const among = { nickname: "Ann O'Neil", ...body, remark: 'Call 2 or 3 times; thanks (Bob)!' };
      return decision(among) !== decision(body);
    });
    assert.deepEqual(
      moved.map(({ name }) => name),
      [],
    );
  });

  it('changes no decision when two benign texts come in one request', () => {
    const random = new Random(2);
    const blocked = benign.flatMap((one) => {
      const other = random.pick(benign);
      const isTogether = decision({ first: one.body, second: other.body }) === 'block';
      const isAlone = [{ first: one.body }, { second: other.body }].some(
        (body) => decision(body) === 'block',
      );
      return isTogether && !isAlone ? [`${one.name} and ${other.name}`] : [];
    });
    assert.deepEqual(blocked, []);
  });
});

const decisions = new Map<string, string>();

/** Of a body, screened once: most laws leave some bodies as they are. */
function decision(body: unknown): string {
  const key = JSON.stringify(body);
  const decided = decisions.get(key) ?? verdictOn(body).decision;
  decisions.set(key, decided);
  return decided;
}

function reordered(random: Random, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => reordered(random, one));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, reordered(random, one)] as const);
  return Object.fromEntries(random.shuffled(entries));
}
