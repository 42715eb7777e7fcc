import { basename } from 'node:path';
import { drawnTexts, filesBelow, lacking } from './files.ts';
import type { Origin } from './origin.ts';
import { fieldFor, piecesOf } from './pieces.ts';

const folder = '/usr/share/doc';
const isBinary =
  /\.(?:png|jpe?g|svgz|gif|pdf|ps|dvi|ico|woff2?|js|css|html?|db|zip|xz|bz2)(?:\.gz)?$/i;

const files = () => filesBelow([folder], /./).filter((path) => !isBinary.test(path));
/** Half of all files are copyright notices, which say the same. */
const isNotice = (path: string) => basename(path) === 'copyright';
const withoutNotices = () => files().filter((path) => !isNotice(path));

/** Read-me files, changelogs, copyright notices, news and examples of the installed packages. */
export const documentation: Origin = {
  name: 'documentation',
  missing: () => lacking(withoutNotices(), folder),
  *texts(random) {
    const notices = files().filter(isNotice);
    const draws = [drawnTexts(random, withoutNotices()), drawnTexts(random, notices)] as const;
    for (;;) {
      const drawn = draws[random.chance(92) ? 0 : 1].next();
      if (drawn.done) return;
      const { path, text } = drawn.value;
      const kind = kindOf(path);
      for (const one of piecesOf(random, text)) {
        yield { name: fieldFor(random, one), text: one, kind };
      }
    }
  },
};

function kindOf(path: string): string {
  const name = basename(path).toLowerCase().replace(/\.gz$/, '');
  if (name === 'copyright') return 'copyright';
  if (name.startsWith('changelog') || name.startsWith('changes')) return 'changelog';
  if (name.startsWith('news')) return 'news';
  if (name.startsWith('readme')) return 'readme';
  return path.includes('/examples/') ? 'example' : 'other documentation';
}
