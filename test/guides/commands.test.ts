import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands/list.ts';
import { eventOptions } from '../../src/cli/event-filter.ts';
import { flagOf } from '../../src/config/settings.ts';
import { blocksIn, guidePaths, readGuide } from './code-blocks.ts';

const guide = readGuide('src/cli/README.md');

test('the table of commands has each of them, and no other', () => {
  const [, table = ''] = guide.split('| command ');
  const [rows = ''] = table.split('\n\n');
  const listed = rows
    .split('\n')
    .slice(2)
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, name]) => name);
  assert.deepEqual(listed.sort(), commands.map(({ name }) => name).sort());
});

test('the filters of events are those of the guide', () => {
  const [, line = ''] = /^Filters: (.+)$/m.exec(guide) ?? [];
  const listed = [...line.matchAll(/`--([a-z]+)`/g)].map(([, name]) => name);
  assert.deepEqual(
    listed,
    eventOptions.map(({ name }) => name),
  );
});

test('each command that a guide tells people to run is there, with its options', () => {
  let seen = 0;
  const wrong = guidePaths().flatMap((path) =>
    blocksIn(readGuide(path))
      .filter(({ language }) => language === 'sh')
      .flatMap(({ text }) => [...text.matchAll(/^(?:.*\| )?(?:npx |sudo )?sallyport (.+)$/gm)])
      .flatMap(([, words = '']) => {
        seen += 1;
        return complaintOn(words.replace(/ +#.*$/, ''), path);
      }),
  );
  assert.ok(seen > 10, 'the commands were not found');
  assert.deepEqual(wrong, []);
});

function complaintOn(words: string, path: string): string[] {
  const command = commands.find(({ name }) => `${words} `.startsWith(`${name} `));
  if (command === undefined) {
    return /^(?:--help|--version|help)/.test(words) ? [] : [`${path}: there is no ${words}`];
  }
  const known = optionsOf(command);
  const used = [...words.matchAll(/ --([a-z-]+)/g)].map(([, option = '']) => option);
  return used
    .filter((option) => !known.has(option))
    .map((option) => `${path}: ${command.name} has no --${option}`);
}

function optionsOf({ options = [], settings }: Command): ReadonlySet<string> {
  return new Set([...options.map(({ name }) => name), ...settings.map(flagOf), 'help']);
}
