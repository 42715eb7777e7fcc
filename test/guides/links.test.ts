import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { guidePaths, readGuide, root } from './code-blocks.ts';

test('every link of a guide leads to a file, and every anchor to a heading', () => {
  const guides = guidePaths();
  assert.ok(guides.length > 10, 'the guides were not found');
  const broken = guides.flatMap((from) =>
    linksIn(readGuide(from)).flatMap((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? from : posix.join(posix.dirname(from), path);
      if (!existsSync(root + target)) return [`${from}: ${link} leads to nothing`];
      if (anchor === undefined || statSync(root + target).isDirectory()) return [];
      return anchorsOf(readGuide(target)).has(anchor) ? [] : [`${from}: ${link} has no heading`];
    }),
  );
  assert.deepEqual(broken, []);
});

test('every guide of a folder is linked from another one', () => {
  const linked = new Set(
    guidePaths().flatMap((from) =>
      linksIn(readGuide(from)).map((link) =>
        posix.join(posix.dirname(from), link.split('#')[0] ?? ''),
      ),
    ),
  );
  const unseen = guidePaths().filter(
    (path) => path.endsWith('README.md') && path !== 'README.md' && !linked.has(path),
  );
  assert.deepEqual(unseen, []);
});

/** Targets inside of the repository; code is not read. */
function linksIn(guide: string): string[] {
  const prose = guide.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/(?:\]\(|<img src=")([^()\s"]+)[)"]/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** As forges make them of headings. */
function anchorsOf(guide: string): ReadonlySet<string> {
  const prose = guide.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return new Set(
    [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
