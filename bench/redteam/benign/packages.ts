import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageInfo } from '../../../src/config/package-info.ts';
import { drawnTexts, filesBelow } from './files.ts';
import type { Origin } from './origin.ts';
import { codeField, fieldFor, piecesOf } from './pieces.ts';
import { commentOf } from './sources.ts';

const folder = join(packageInfo().root, 'node_modules');

/** Read-me files and changelogs in Markdown, and JavaScript and TypeScript, of npm packages. */
export const packages: Origin = {
  name: 'npm packages',
  missing: () => (existsSync(folder) ? [] : ['node_modules']),
  *texts(random) {
    const all = filesBelow([folder], /\.(?:md|[cm]?[jt]s)$/i);
    const pages = drawnTexts(
      random,
      all.filter((path) => /\.md$/i.test(path)),
    );
    const code = drawnTexts(
      random,
      all.filter((path) => !/\.md$/i.test(path)),
    );
    for (;;) {
      const drawn = (random.chance(60) ? pages : code).next();
      if (drawn.done) return;
      const { path, text } = drawn.value;
      const isPage = /\.md$/i.test(path);
      for (const one of piecesOf(random, text)) {
        const comment = isPage ? '' : commentOf(one);
        if (isPage) {
          const kind = /change|history/i.test(path) ? 'changelog' : 'readme';
          yield { name: fieldFor(random, one), text: one, kind };
        } else if (comment.length > 40 && random.chance(50)) {
          yield { name: fieldFor(random, comment), text: comment, kind: 'comment' };
        } else yield { name: codeField(random), text: one, kind: 'code' };
      }
    }
  },
};
