import { drawnTexts, filesBelow, lacking } from './files.ts';
import type { Origin } from './origin.ts';
import { fieldFor, piecesOf } from './pieces.ts';

const folder = '/usr/share/man';

const pages = () => filesBelow([folder], /\/man[1-9]\/[^/]+\.[1-9][a-z]*(?:\.gz)?$/);

/** Manual pages in all languages, as they look when they are copied from a terminal. */
export const manuals: Origin = {
  name: 'manual pages',
  missing: () => lacking(pages(), folder),
  *texts(random) {
    for (const { path, text } of drawnTexts(random, pages())) {
      const section = /\/man([1-9])\//.exec(path)?.[1] ?? '';
      const isTranslated = !path.startsWith(`${folder}/man`);
      const kind = isTranslated ? 'translated manual' : `manual, section ${section}`;
      for (const one of piecesOf(random, plainManual(text))) {
        yield { name: fieldFor(random, one), text: one, kind };
      }
    }
  },
};

const characters: Readonly<Record<string, string>> = {
  aq: "'",
  dq: '"',
  lq: '“',
  rq: '”',
  oq: '‘',
  cq: '’',
  bu: '•',
  em: '—',
  en: '–',
  ti: '~',
  ha: '^',
  rs: '\\',
  co: '©',
};

/** The text of a page in roff, without its layout: enough of the language for what people read. */
export function plainManual(source: string): string {
  const lines: string[] = [];
  for (const line of source.split('\n')) {
    if (/^[.']\s*(?:\\"|de\b|ds\b|if\b|ie\b|el\b|nr\b|nh|ad\b|ft\b|tr\b|so\b|\.)/.test(line))
      continue;
    const macro = /^[.']\s*(\w+)[ \t]*(.*)$/.exec(line);
    if (macro === null) lines.push(unescaped(line));
    else if (/^(?:S[HS]|PP|LP|P|TP|IP|Sh|Ss|Pp|sp)$/.test(macro[1] ?? '')) lines.push('');
    if (macro !== null && macro[2] !== '') lines.push(unescaped(argumentsOf(macro)));
  }
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Alternating fonts (`.BR a b`) join their arguments. */
function argumentsOf([, name = '', rest = '']: RegExpExecArray): string {
  const words = rest.match(/"(?:[^"]|"")*"?|\S+/g) ?? [];
  const joined = words.map((word) => word.replace(/^"|"$/g, ''));
  return joined.join(/^(?:BR|RB|BI|IB|IR|RI)$/.test(name) ? '' : ' ');
}

function unescaped(text: string): string {
  return text
    .replaceAll(/\\".*$/g, '')
    .replaceAll(/\\f(?:\[\w*\]|\(\w\w|\w)/g, '')
    .replaceAll(/\\s[-+]?\d+/g, '')
    .replaceAll(/\\\*?(?:\((\S\S)|\[(\w+)\])/g, (_, short, long) => characters[short ?? long] ?? '')
    .replaceAll(/\\[,/&|^%:!]/g, '')
    .replaceAll(/\\([-' .`])/g, '$1')
    .replaceAll(/\\[e\\]/g, '\\');
}
