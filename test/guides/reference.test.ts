import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { thresholds } from '../../src/contract/policy.ts';
import { createEngine } from '../../src/core/engine.ts';
import { validateDocument } from '../../src/policies/validate.ts';
import { blocksIn, readGuide, root } from './code-blocks.ts';

test('the policy of the guide is one that is accepted', () => {
  const example = blocksIn(readGuide('src/policies/README.md')).find(
    ({ language }) => language === 'json',
  );
  const check = validateDocument(JSON.parse(example?.text ?? ''));
  if (check.kind !== 'valid') assert.fail(JSON.stringify(check.problems));
  assert.deepEqual(createEngine().checkPolicy(check.document), []);
});

test('the guide to the middleware has each option, and no other', () => {
  const listed = cellsOf('src/clients/README.md', /^\| `\w+`(?: `\w+`)* +\|/).flatMap(([cell]) => [
    ...(cell ?? '').matchAll(/`(\w+)`/g),
  ]);
  const known = [
    ...membersOf('src/clients/guard-options.ts', 'GuardSettings'),
    ...membersOf('src/clients/client.ts', 'ClientOptions'),
    // Its type differs by framework.
    'respond',
  ].filter((name) => name !== 'url' && name !== 'key');
  assert.deepEqual(listed.map(([, name]) => name).sort(), known.sort());
});

test('the frameworks of the guide are entries of the package', () => {
  const { exports: entries } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    exports: Readonly<Record<string, unknown>>;
  };
  const listed = cellsOf('src/clients/README.md', /`sallyport\//).map(([, cell = '']) =>
    cell.replaceAll('`', '').replace('sallyport', '.'),
  );
  const known = Object.keys(entries).filter((name) => !['.', './package.json'].includes(name));
  assert.deepEqual(listed.sort(), known.sort());
});

for (const guide of ['src/contract/README.md', 'src/policies/README.md']) {
  test(`the thresholds of ${guide} are those of the program`, () => {
    const rows = cellsOf(guide, /^\| [1-4] /).map(([level = '', threshold]) => [
      level.charAt(0),
      Number(threshold),
    ]);
    assert.deepEqual(Object.fromEntries(rows), thresholds);
  });
}

/** The cells of the rows of all tables of a guide that a pattern finds. */
function cellsOf(guide: string, pattern: RegExp): string[][] {
  return readGuide(guide)
    .split('\n')
    .filter((line) => line.startsWith('|') && pattern.test(line))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** Names of the members of an interface, from its source. */
function membersOf(path: string, name: string): string[] {
  const source = readFileSync(`${root}${path}`, 'utf8');
  const body = source.split(`interface ${name} {`)[1]?.split('\n}')[0] ?? '';
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member = '']) => member);
}
