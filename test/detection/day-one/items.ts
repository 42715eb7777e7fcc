import { type Lot, lotOf } from '../uploads.ts';
import { diffOf, programOf, spanOf } from './code.ts';
import { configOf, logOf, regexOf, traceOf } from './documents.ts';
import { fill, pick, some } from './template.ts';
import { addressOf, graphqlOf, mailOf, richTextOf, searchOf, svgOf, tableOf } from './web.ts';
import { words } from './words.ts';

/** A body that an application sends for a benign user. */
export interface Item {
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The item of a number: all kinds in turn. */
export function itemOf(index: number): Item {
  const lot = lotOf(0x9e3779b1 * (index + 1));
  for (let warm = 0; warm < 8; warm++) lot.below(2);
  const kind = kinds[index % kinds.length] as string;
  return { kind, body: (makers[kind] as Maker)(lot) };
}

type Maker = (lot: Lot) => Record<string, unknown>;

const say = (lot: Lot, template: string): string => fill(lot, template, words);

const makers: Readonly<Record<string, Maker>> = {
  analytics: (lot) => ({
    event: {
      name: pick(lot, ['page_view', 'search', 'click', 'add_to_cart']),
      url: addressOf(lot),
      referrer: addressOf(lot),
      title: `${searchOf(lot)} - Search`,
      properties: {
        search_term: searchOf(lot),
        label: say(lot, '«product»'),
        value: lot.below(99),
      },
    },
    context: { ip: say(lot, '«ip»'), page: { url: addressOf(lot), path: '/search' } },
    sentAt: say(lot, '«time»'),
  }),
  beacon: (lot) => ({
    dl: addressOf(lot),
    dr: addressOf(lot),
    dt: searchOf(lot),
    'ep.link_url': addressOf(lot),
    payload: JSON.stringify({ u: addressOf(lot), e: [{ t: 'click', x: say(lot, '«product»') }] }),
  }),
  'page-html': (lot) =>
    pick(lot, [
      () => ({ page: { title: say(lot, '«product»'), html: richTextOf(lot) } }),
      () => ({ post: { content: richTextOf(lot), excerpt: say(lot, '«sentence»') } }),
      () => ({ html: richTextOf(lot), css: programOf(lot).text.slice(0, 0) }),
      () => ({ body_html: richTextOf(lot), vendor: say(lot, '«last» & Co') }),
    ])(),
  'editor-json': (lot) => pick(lot, editors)(lot),
  code: (lot) => {
    const { language, file, text } = programOf(lot);
    return pick<() => Record<string, unknown>>(lot, [
      () => ({ language, code: text }),
      () => ({ file: { path: file, source: text, encoding: 'utf-8' } }),
      () => ({ snippet: { title: say(lot, '«noun»'), language, code: text } }),
      () => ({ files: [{ name: file, source: text }], stdin: '' }),
      () => ({ cells: [{ cell_type: 'code', source: text.split(/(?<=\n)/) }] }),
      () => ({ textDocument: { uri: `file:///${file}`, languageId: language, text } }),
      () => ({ sourceCode: text, compiler: `${language}-latest`, options: '-O2 -Wall' }),
    ])();
  },
  diff: (lot) =>
    pick<() => Record<string, unknown>>(lot, [
      () => ({ diff: diffOf(lot) }),
      () => ({
        commit: {
          message: say(lot, '«noun»: «verb» the «noun»\n\n«sentence»'),
          patch: diffOf(lot),
        },
      }),
    ])(),
  'commit-message': (lot) => ({
    commit: {
      message: say(
        lot,
        `«noun»: «verb» \`${spanOf(lot)}\`\n\n«sentence»\n\n- «verb» «noun»\n- ${spanOf(lot)}\n\nSigned-off-by: «person» <«mail»>`,
      ),
    },
  }),
  'chat-with-code': (lot) => {
    const text = chatOf(lot);
    return pick<() => Record<string, unknown>>(lot, [
      () => ({ message: { text } }),
      () => ({ channel: 'dev', text, user: say(lot, '«user»') }),
      () => ({ comment: { body: text } }),
      () => ({ issue: { title: say(lot, "«noun» won't «verb»"), body: text } }),
    ])();
  },
  'bug-report': (lot) => {
    const { message, stack } = traceOf(lot);
    const text = `${say(lot, '«sentence»')}\n\n\`\`\`\n${stack}\n\`\`\`\n\n${say(lot, '«sentence»')}`;
    return pick<() => Record<string, unknown>>(lot, [
      () => ({ error: { message, stackTrace: stack, url: addressOf(lot) } }),
      () => ({ exception: { values: [{ type: 'Error', value: message, stacktrace: stack }] } }),
      () => ({ description: text, severity: 'high' }),
      () => ({ err: { msg: message, stack }, breadcrumbs: [{ message: logOf(lot) }] }),
      () => ({
        title: `Search says "${message}"`,
        steps: say(lot, '1. open «url»\n2. «verb» "«noun»"'),
      }),
    ])();
  },
  log: (lot) =>
    pick<() => Record<string, unknown>>(lot, [
      () => ({ log: logOf(lot) }),
      () => ({ job: { name: 'build', output: logOf(lot) } }),
      () => ({
        entries: logOf(lot)
          .split('\n')
          .map((line) => ({ level: 'info', message: line })),
      }),
      () => ({ text: `It says:\n\n\`\`\`\n${logOf(lot)}\n\`\`\`` }),
      () => ({ terminal: { transcript: logOf(lot) } }),
    ])(),
  config: (lot) => {
    const { file, text } = configOf(lot);
    return pick<() => Record<string, unknown>>(lot, [
      () => ({ file: { path: file, content: text } }),
      () => ({ config: text }),
      () => ({ files: [{ filename: file, content: text }] }),
      () => ({ message: `This is my ${file}:\n\n\`\`\`\n${text}\`\`\`\n\nWhat is wrong?` }),
    ])();
  },
  regex: (lot) => ({
    rule: { name: say(lot, '«noun» «verb»'), pattern: regexOf(lot), regex: regexOf(lot) },
    validation: { message: say(lot, "«noun» isn't valid"), test: regexOf(lot) },
  }),
  mail: (lot) =>
    pick<() => Record<string, unknown>>(lot, [
      () => ({ raw: mailOf(lot) }),
      () => ({
        email: {
          from: say(lot, '"«person»" <«mail»>'),
          subject: say(lot, "Re: «noun»; it's «adjective»"),
          text: say(lot, 'Hi «first»,\n\n«sentence»\n\n> «sentence»\n\n--\n«person»'),
          html: richTextOf(lot),
        },
      }),
    ])(),
  table: (lot) => pick(lot, [() => ({ csv: tableOf(lot) }), () => ({ body: tableOf(lot) })])(),
  graphql: graphqlOf as Maker,
  svg: (lot) => ({ icon: { name: say(lot, '«noun»'), svg: svgOf(lot) } }),
  'nested-json': (lot) => ({
    payload: JSON.stringify({
      type: 'doc',
      text: say(lot, '«sentence»'),
      meta: JSON.stringify({ url: addressOf(lot), by: say(lot, '«person»') }),
    }),
    token: jwtOf(lot),
  }),
  shop: (lot) => ({
    name: say(lot, '«person»'),
    city: say(lot, '«place»'),
    items: some(lot, [1, 2, 3], 2).map((qty) => ({ title: say(lot, '«product»'), qty })),
    note: say(lot, '«sentence» «sentence»'),
    coupon: say(lot, '«first»-«byte»%OFF'),
  }),
};

const kinds = Object.keys(makers);

/** How many kinds there are. */
export const kindCount: number = kinds.length;

const editors: readonly Maker[] = [
  (lot) => ({
    delta: {
      ops: [
        { insert: say(lot, '«sentence» ') },
        { insert: spanOf(lot), attributes: { code: true } },
        { insert: '\n', attributes: { 'code-block': 'javascript' } },
        { insert: say(lot, '«person»'), attributes: { link: addressOf(lot), bold: true } },
      ],
    },
  }),
  (lot) => ({
    type: 'doc',
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: say(lot, '«sentence»') }] },
      {
        type: 'codeBlock',
        attrs: { language: 'js' },
        content: [{ type: 'text', text: spanOf(lot) }],
      },
      {
        type: 'text',
        text: say(lot, '«product»'),
        marks: [{ type: 'link', attrs: { href: addressOf(lot) } }],
      },
    ],
  }),
  (lot) => ({
    children: [
      {
        type: 'p',
        children: [{ text: say(lot, '«sentence»') }, { text: spanOf(lot), code: true }],
      },
      { type: 'a', url: addressOf(lot), children: [{ text: searchOf(lot) }] },
    ],
  }),
];

function chatOf(lot: Lot): string {
  const parts = some(lot, chatParts, 1 + lot.below(4)).map((part) => part(lot));
  return parts.join('\n\n');
}

const chatParts: readonly ((lot: Lot) => string)[] = [
  (lot) => say(lot, '«sentence»'),
  (lot) => say(lot, `Have you tried \`${spanOf(lot)}\` «first»? It's «adjective».`),
  (lot) => say(lot, `I'd use ${spanOf(lot)} here, or \`${spanOf(lot)}\`.`),
  (lot) => {
    const { language, text } = programOf(lot, (one) => !['php', 'bash'].includes(one));
    return `${say(lot, '«sentence»')}\n\n\`\`\`${language}\n${text}\`\`\``;
  },
  (lot) => say(lot, '> «sentence»\n\nNo; «sentence»'),
  (lot) => say(lot, pick(lot, securityTalk)),
  (lot) => say(lot, `nit: rename \`«noun»\` -> \`${spanOf(lot)}\` (see «url»)`),
];

const securityTalk = [
  'The scanner reports SQL injection in the «noun» form; use prepared statements and never join strings.',
  'XSS: escape < and > and quotes before you echo the «noun», then add a Content-Security-Policy.',
  'A quote in the name "«last»" breaks the query, so it is injectable. Parameterise it!',
  'Path traversal means that ../ leaves the directory; resolve the path and compare the prefix.',
  'Log4Shell was about lookups such as jndi in messages; we are on 2.17.1 now.',
  'Please rotate the key: somebody committed .env and id_rsa to the «noun» repository.',
  'eval() and exec() of user input are evil, so is shell=True in subprocess.',
  'SSRF: block 169.254.169.254 and localhost in the fetcher of the «noun».',
  'The union of roles is too wide: select fewer, drop the "admin" one.',
];

function jwtOf(lot: Lot): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: say(lot, '«user»'), name: say(lot, '«person»'), iat: lot.below(1e9) };
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${lot.bytes(32).toString('base64url')}`;
}
