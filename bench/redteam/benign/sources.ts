import { existsSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { drawnTexts, filesBelow, lacking } from './files.ts';
import type { BenignText, Origin } from './origin.ts';
import { codeField, fieldFor, piecesOf } from './pieces.ts';

/** The standard libraries of Python, Perl, Ruby and C, as far as they are installed. */
function folders(): readonly string[] {
  const pythons = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').filter((name) => /^python3(?:\.\d+)?$|^ruby$/.test(name))
    : [];
  return [...pythons.map((name) => `/usr/lib/${name}`), '/usr/share/perl', '/usr/include'].filter(
    (folder) => existsSync(folder),
  );
}

const files = () => filesBelow(folders(), /\.(?:py|rb|pm|pl|h|hpp)$/);

/** Code as people paste it, and its comments as they quote them. */
export const sources: Origin = {
  name: 'source trees',
  missing: () => lacking(files(), '/usr/lib/python3'),
  *texts(random) {
    for (const { path, text } of drawnTexts(random, files())) {
      const language = extname(path).slice(1);
      for (const one of piecesOf(random, text)) {
        const comment = commentOf(one);
        const piece: BenignText =
          comment.length > 40 && random.chance(50)
            ? { name: fieldFor(random, comment), text: comment, kind: `comment in ${language}` }
            : { name: codeField(random), text: one, kind: `code in ${language}` };
        yield piece;
      }
    }
  },
};

/** The lines of a piece that are comments, without their marks. */
export function commentOf(code: string): string {
  return code
    .split('\n')
    .flatMap((line) => /^\s*(?:#|\/\/+|\/?\*+)\s?(.*?)(?:\*\/)?$/.exec(line)?.[1] ?? [])
    .join('\n')
    .trim();
}
