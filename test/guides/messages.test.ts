import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readGuide, root } from './code-blocks.ts';

test('what the troubleshooting guide quotes is what the program says', () => {
  const said = wordsOfTheProgram();
  const [, guide = ''] = readGuide('src/cli/README.md').split('## Troubleshooting\n');
  const quoted = [...guide.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).filter(isMessage);
  assert.ok(quoted.length > 20, 'the quotations were not found');
  const wrong = quoted.filter((message) =>
    message
      .split('…')
      .map((part) => part.trim())
      .some((part) => part.length > 2 && !said.includes(part)),
  );
  assert.deepEqual(wrong, []);
});

/** A sentence or title, not a command, a member or a header. */
function isMessage(text: string): boolean {
  return /^(?:[A-Z][a-z]|API |…)[^=]* \S|^(?:keys|policies|events|shared|key must) /.test(text);
}

/** The sources, with texts that were broken over lines put together, and `…` for what differs. */
function wordsOfTheProgram(): string {
  return readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(`${root}src/${path}`, 'utf8'))
    .join('\n')
    .replaceAll(/['`] \+\s+['`]/g, '')
    .replaceAll(/\$\{[^}]*\}/g, '…');
}
