import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagOf, settings, variableOf } from '../../src/config/settings.ts';
import { readGuide } from './code-blocks.ts';

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
