import { fileURLToPath } from 'node:url';
import { buildRelease } from './release.ts';
import { versionOf } from './version.ts';

// `npm run release`: builds what is released from the built package into dist/packages.

const root = fileURLToPath(new URL('../..', import.meta.url));
const names = await buildRelease(versionOf(root), `${root}dist/packages`);
process.stdout.write(names.map((name) => `dist/packages/${name}\n`).join(''));
