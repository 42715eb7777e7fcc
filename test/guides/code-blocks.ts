import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The guides, by their path from the top of the repository. */
export function guidePaths(): string[] {
  const inside = ['.github', 'src', 'workers', 'test', 'bench'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
  return ['README.md', 'CHANGELOG.md', ...inside];
}

export function readGuide(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8');
}

export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks below a heading of a guide, up to the next heading. */
export function blocksBelow(guide: string, heading: string): CodeBlock[] {
  const at = guide.indexOf(`${heading}\n`);
  if (at < 0) throw new Error(`there is no heading ${heading}`);
  return blocksIn(guide.slice(at + heading.length).split(/^#{2,6} /m)[0] ?? '');
}

export function blocksIn(text: string): CodeBlock[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', content = '']) => ({ language, text: content }),
  );
}
