import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { aName, aNumber } from '../grammar/words.ts';
import { rewriteMatches } from './matches.ts';

const xmlRewriter = (
  name: string,
  pattern: RegExp,
  change: (match: RegExpExecArray, random: Random) => string,
): Rewriter => ({
  name,
  language: 'xml',
  rewrite: (value, random) => rewriteMatches(value, pattern, random, change),
});

const spaces = ['\t', '\n', '\r\n', '  ', ' \n '];
const declarations = [
  '<?xml version="1.0"?>',
  "<?xml version='1.0' encoding='utf-8'?>",
  '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
  '<?xml version = "1.0" encoding="us-ascii"?>',
];

const comment = (random: Random): string =>
  random.pick([
    `<!--${aName(random)}-->`,
    '<!---->',
    `<?${aName(random)}_ ${aNumber(random)}?>`,
    '\n',
  ]);

/** Declarations that nothing uses. */
const idle = (random: Random): string =>
  random.pick([
    `<!ELEMENT ${aName(random)} (#PCDATA)>`,
    `<!ENTITY ${aName(random)}_1 "${aName(random)}">`,
    `<!ATTLIST ${aName(random)} ${aName(random)} CDATA #IMPLIED>`,
    `<!NOTATION ${aName(random)} PUBLIC "${aName(random)}">`,
    `<!ENTITY % ${aName(random)}_2 '${aNumber(random)}'>`,
  ]);

const reference = (character: string, random: Random): string => {
  const code = character.charCodeAt(0);
  const zeros = '0'.repeat(random.below(4));
  return random.chance(50) ? `&#${zeros}${code};` : `&#x${zeros}${code.toString(16)};`;
};

/** Other names for the entities that a value declares, everywhere. */
function renamed(value: string, random: Random): string | undefined {
  const names = [...value.matchAll(/<!ENTITY\s+(?:%\s+)?([\w.-]+)/g)].map(
    (match) => match[1] ?? '',
  );
  if (names.length === 0) return undefined;
  const old = random.pick(names);
  const name = random.pick([
    `${aName(random)}.${aNumber(random)}`,
    `_${aName(random)}`,
    `é${aName(random)}`,
  ]);
  return value
    .replaceAll(`&${old};`, `&${name};`)
    .replaceAll(`%${old};`, `%${name};`)
    .replace(new RegExp(`(<!ENTITY\\s+(?:%\\s+)?)${old.replace('.', '\\.')}(?=\\s)`), `$1${name}`);
}

/** Rewriters of XML 1.0 with a document type, and of XInclude. */
export const xmlRewriters: readonly Rewriter[] = [
  xmlRewriter('white space', /(?<=<!(?:DOCTYPE|ENTITY)[^<[]*) |(?<=<[\w:-]+) /g, (_, random) =>
    random.pick(spaces),
  ),
  xmlRewriter('space before the end', /(?<=["'\w])(?=\/?>)|(?<=\])(?=>)/g, (_, random) =>
    random.pick(spaces),
  ),
  xmlRewriter('declaration', /^(?:<\?xml[^>]*\?>)?\s*(?=<)/g, (_, random) =>
    random.pick(declarations),
  ),
  xmlRewriter('no declaration', /^<\?xml[^>]*\?>/g, () => ''),
  xmlRewriter('comment before the type', /(?=<!DOCTYPE)/g, (_, random) => comment(random)),
  xmlRewriter('comment in the type', /(?<=\[)|(?<=[\w"']>)(?=<!E)|(?=\]>)/g, (_, random) =>
    comment(random),
  ),
  xmlRewriter('idle declaration', /(?<=<!DOCTYPE [\w:]+ \[)/g, (_, random) => idle(random)),
  xmlRewriter(
    'public identifier',
    /SYSTEM\s+(?=["'])/g,
    (_, random) =>
      `PUBLIC ${random.pick([`"${aName(random)}"`, "''", `"-//${aName(random)}//EN"`])} `,
  ),
  xmlRewriter('system identifier', /PUBLIC\s+(?:"[^"]*"|'[^']*')\s+/g, () => 'SYSTEM '),
  xmlRewriter(
    'quotes',
    /(?<==|SYSTEM )"([^"'<>]*)"|(?<==|SYSTEM )'([^"'<>]*)'/g,
    ([one = ''], _) => (one.startsWith('"') ? `'${one.slice(1, -1)}'` : `"${one.slice(1, -1)}"`),
  ),
  { name: 'names of entities', language: 'xml', rewrite: renamed },
  xmlRewriter(
    'percent signs in an address',
    /(?<=(?:file|http|https|ftp):\/\/[^"']*)[a-z]/g,
    ([one = '']) => `%${one.charCodeAt(0).toString(16)}`,
  ),
  xmlRewriter('another spelling of file', /file:\/\//g, (_, random) =>
    random.pick(['file:', 'FILE://', 'file://localhost', 'fIlE:///', 'file:////']),
  ),
  xmlRewriter('path', /\/(?=etc|proc|var|home)/g, (_, random) =>
    random.pick(['//', '/./', '/usr/../', '/tmp/..//']),
  ),
  xmlRewriter(
    'references in an attribute',
    /(?<=(?:href|parse|xmlns:?\w*)=["'][^"'<>]*)[^"'<>&;#](?=[^"'<>;]*["'])/g,
    ([one = ''], random) => reference(one, random),
  ),
  xmlRewriter('prefix', /^.*xmlns:(\w+)=.*$/gs, ([value = '', prefix = ''], random) =>
    value.replace(new RegExp(`(?<=[<:/])${prefix}(?=[:=])`, 'g'), `${aName(random)}_`),
  ),
  xmlRewriter('reference in an element', /&[\w.]+;(?=<\/)/g, ([one = ''], random) =>
    random.pick([
      `<b>${one}</b>`,
      `<!---->${one}`,
      `${one}${one}`,
      `<![CDATA[]]>${one}`,
      `${aName(random)}${one}`,
    ]),
  ),
  xmlRewriter(
    'external type beside',
    /(?<=<!DOCTYPE [\w:]+ )(?=\[)/g,
    (_, random) => `SYSTEM "${aName(random)}.dtd" `,
  ),
];
