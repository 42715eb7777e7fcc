import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly version?: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const lockText = readFileSync(`${root}/package-lock.json`, 'utf8');
const { packages }: { packages: Readonly<Record<string, Entry>> } = JSON.parse(lockText);
const readText = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

/**
 * Builds whose hash the registry that the lock file was made with does not have; the guide says
 * what that means. `node .ci/lock-hashes.mjs` fills in what another registry has: then take it out.
 */
const unknownHere = [
  /^node_modules\/(?:uWebSockets\.js\/node_modules\/)?@uwsjs\/(?:darwin|win32|linux-arm)/,
];

test('every package in the lock file has the hash of its content', () => {
  const entries = Object.entries(packages).filter(([place, { link }]) => place !== '' && !link);
  assert.ok(entries.length > 100);
  const lacking = entries.filter(([, { integrity }]) => !integrity).map(([place]) => place);
  const strangers = lacking.filter((place) => !unknownHere.some((known) => known.test(place)));
  assert.deepEqual(strangers, [], 'run `node .ci/lock-hashes.mjs`, which asks the registry');
  for (const known of unknownHere) {
    assert.ok(
      lacking.some((place) => known.test(place)),
      `all are there now: take ${known} out`,
    );
  }
  for (const [place, { integrity = '' }] of entries) {
    if (!lacking.includes(place)) assert.match(integrity, /^sha512-[\w+/]{86}==$/, place);
  }
});

test('the lock file names no registry', () => {
  assert.deepEqual(lockText.match(/"resolved"|https?:\/\/[^"]*\.tgz/g), null);
});

test('the native parts that are installed are the ones that the guide names', () => {
  const guide = readText('src/http/README.md');
  const builds = [
    ...['22', '24', '26'].map((node) => `node_modules/@uwsjs/linux-x64-${node}`),
    'node_modules/uWebSockets.js/node_modules/@uwsjs/linux-x64-22',
  ];
  for (const build of builds) {
    const file = `${root}/${build}/uws.node`;
    if (!existsSync(file)) continue;
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    assert.ok(guide.includes(hash), `${build}: compare ${hash} and record it`);
  }
});
