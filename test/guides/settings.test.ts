import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load.ts';
import { flagOf, settings, variableOf } from '../../src/config/settings.ts';
import { guidePaths, readGuide } from './code-blocks.ts';

test('the guide to the settings has each of them, and no other', () => {
  const rows = readGuide('src/config/README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `--'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const flags = rows.flatMap(([, cell = '']) => cell.split(' ')).sort();
  const variables = rows.flatMap(([, , cell = '']) => cell.split(' ')).sort();
  const known = settings.filter(({ name }) => name !== 'config');
  assert.deepEqual(flags, known.map(({ name }) => `\`--${flagOf(name)}\``).sort());
  assert.deepEqual(variables, known.map(({ name }) => `\`${variableOf(name)}\``).sort());
});

test('the program starts with each variable that a guide tells people to set', () => {
  const named = guidePaths().flatMap((path) => [
    ...(readGuide(path).match(/SALLYPORT_[A-Z_]*[A-Z]/g) ?? []),
  ]);
  const environment = Object.fromEntries(named.map((name) => [name, '']));
  assert.ok('SALLYPORT_KEY' in environment && 'SALLYPORT_TIMEOUT_MS' in environment);
  const outcome = loadConfig({ flags: {}, environment });
  assert.deepEqual(outcome.kind === 'invalid' ? outcome.problems : [], []);
});
