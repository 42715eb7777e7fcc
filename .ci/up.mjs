// Starts Sallyport from a clone: `npm run up`. Installs and builds first, but only what has changed
// since the last time. This runs under any Node from 20 on; all that it starts runs under the one
// that is named here, which npm fetches.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const node = 'node@22.23.3';
const root = fileURLToPath(new URL('..', import.meta.url));
/** npm, as the one who runs this has it: a program for Node on each system. */
const npm = process.env['npm_execpath'];

/** What each step reads and makes. Its stamp lies with what it makes, and goes away with it. */
const install = {
  sources: ['package.json', 'package-lock.json', '.npmrc'],
  makes: ['node_modules/.package-lock.json'],
  stamp: 'node_modules/.sallyport-up',
  command: ['ci', '--no-audit', '--no-fund'],
};
const build = {
  sources: [...install.sources, 'tsconfig.json', 'src', 'workers', 'bench', 'test'],
  makes: ['dist/src/cli/bin.js', 'dist/dashboard/index.html'],
  stamp: 'dist/.sallyport-up',
  command: ['run', 'build'],
};

if (npm === undefined) {
  console.error('Start it with npm: npm run up');
  process.exit(2);
}
for (const step of [install, build]) {
  if (isDone(step)) continue;
  const { status } = spawnSync(...underNode([npm, ...step.command]));
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(join(root, step.stamp), markOf(step));
}
const started = spawn(...underNode(['dist/src/cli/bin.js', 'up', ...process.argv.slice(2)]));
// The terminal sends Ctrl+C to all that runs in it; others send a signal to this one alone.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => started.kill('SIGTERM'));
started.on('exit', (code) => process.exit(code ?? 1));

/** The arguments of `spawn` for a program for Node. */
function underNode(program) {
  // Without `--call`, npm would take over that of a command around it.
  const args = [npm, 'exec', '--call=', '--yes', `--package=${node}`, '--', 'node', ...program];
  return [process.execPath, args, { cwd: root, stdio: 'inherit' }];
}

function isDone(step) {
  try {
    return readFileSync(join(root, step.stamp), 'utf8') === markOf(step);
  } catch {
    return false;
  }
}

/** Tells what was read, by content, and what was made of it, by time: others build as well. */
function markOf({ sources, makes }) {
  const hash = createHash('sha256').update(node);
  for (const path of sources.flatMap(filesAt)) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  for (const path of makes) hash.update(`\0${path} ${statSync(join(root, path)).mtimeMs}`);
  return hash.digest('hex');
}

/** A file, or all files below a folder, in a fixed order. */
function filesAt(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesAt(`${path}/${name}`));
}
