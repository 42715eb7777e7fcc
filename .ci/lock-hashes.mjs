// Fills the integrity hashes that npm leaves out of package-lock.json: those of optional builds for
// other platforms. Asks the registry for each by name and version; changes nothing else.
// Run it after every change of dependencies: node .ci/lock-hashes.mjs
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
const folder = 'node_modules/';
const strong = /^sha512-[A-Za-z0-9+/]{86}==$/;
const missing = [];
let filled = 0;

for (const [place, entry] of Object.entries(lock.packages)) {
  if (place === '' || entry.link || entry.inBundle || entry.integrity !== undefined) continue;
  const name = entry.name ?? place.slice(place.lastIndexOf(folder) + folder.length);
  const wanted = `${name}@${entry.version}`;
  const asked = spawnSync('npm', ['view', wanted, 'dist.integrity'], { encoding: 'utf8' });
  const integrity = asked.stdout.trim();
  if (asked.status !== 0 || !strong.test(integrity)) {
    missing.push(wanted);
    continue;
  }
  // Where npm writes it: behind the version.
  const { version, ...rest } = entry;
  lock.packages[place] = { version, integrity, ...rest };
  filled += 1;
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${filled} hashes filled in`);
if (missing.length > 0) {
  console.error(`The registry gave no SHA-512 of ${missing.length}: ${missing.join(', ')}`);
  process.exitCode = 1;
}
