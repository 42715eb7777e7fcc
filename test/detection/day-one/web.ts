import type { Lot } from '../uploads.ts';
import { fill, pick, some } from './template.ts';
import { words } from './words.ts';

/** A search as people type it. */
export function searchOf(lot: Lot): string {
  return fill(lot, pick(lot, words['query'] ?? []), words);
}

/** The address of a page of results, or of a page with what campaigns add to it. */
export function addressOf(lot: Lot): string {
  const search = searchOf(lot);
  const encode = pick(lot, [
    encodeURIComponent,
    (text: string) => encodeURIComponent(text).replaceAll('%20', '+'),
    (text: string) => new URLSearchParams({ q: text }).toString().slice(2),
  ]);
  const template = pick(lot, [
    'https://www.google.com/search?q=«q»&oq=«q»&gs_lcrp=EgZjaHJvbWU&sourceid=chrome&ie=UTF-8',
    'https://duckduckgo.com/?q=«q»&t=h_&ia=web',
    'https://www.bing.com/search?q=«q»&form=QBLH&sp=-1&pq=«q»&cvid=«hex»',
    'https://«host»/search?query=«q»&utm_source=newsletter&utm_medium=email&utm_campaign=«noun»_sale&utm_term=«q»',
    'https://stackoverflow.com/search?q=«q»#«noun»',
    'https://«host»/?s=«q»&fbclid=IwAR«hex»&_ga=2.«number».«number»',
    'https://«host»/redirect?to=https%3A%2F%2F«host»%2Fsearch%3Fq%3D«nested»',
  ]);
  const filled = template.replaceAll('«q»', encode(search));
  return fill(lot, filled.replaceAll('«nested»', encodeURIComponent(encode(search))), words);
}

/** Rich text as editors in browsers send it. */
export function richTextOf(lot: Lot): string {
  return fill(lot, some(lot, richParts, 1 + lot.below(6)).join(pick(lot, ['', '\n'])), words);
}

const richParts = [
  '<p>«sentence»</p>',
  '<p style="text-align:center"><strong>«noun»</strong> &amp; <em>«adjective»</em></p>',
  '<p><a href="«url»" target="_blank" rel="noopener noreferrer nofollow">«noun»</a> by «person»</p>',
  '<ul><li>«product»</li><li data-list="bullet">«sentence»</li></ul>',
  '<h2 id="«noun»">Why «person» can&#39;t «verb»</h2>',
  '<pre><code class="language-sql">SELECT name FROM «noun» WHERE id = «number»;</code></pre>',
  '<pre class="ql-syntax" spellcheck="false">const «noun» = document.querySelector(&quot;#«noun»&quot;);\n</pre>',
  '<figure class="image"><img src="https://«host»/«noun».png" alt="«noun»" width="«number»"><figcaption>«sentence»</figcaption></figure>',
  '<table><tbody><tr><td colspan="2">«product»</td></tr></tbody></table>',
  '<blockquote>«sentence»</blockquote><p><br></p>',
  '<span style="color: rgb(34, 34, 34); font-family: Arial, sans-serif; background-color: rgb(255, 255, 255);">«sentence»</span>',
  '<p class="MsoNormal"><o:p>&nbsp;</o:p></p>',
  '<p><span class="mention" data-id="«number»" data-value="«person»">@«user»</span>, use the &lt;script&gt; tag</p>',
  '<p>«sentence» <code>a &lt; b &amp;&amp; c</code></p>',
];

/** A drawing as tools for icons and charts write it. */
export function svgOf(lot: Lot): string {
  const shapes = some(lot, svgParts, 2 + lot.below(6)).join('');
  return fill(
    lot,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 «byte» «byte»" fill="none">${shapes}</svg>`,
    words,
  );
}

const svgParts = [
  '<path d="M«byte» «byte»L«byte».5-«byte»h«byte»v-2z" stroke="#«byte»" stroke-width="2"/>',
  '<g transform="translate(«byte», «byte») rotate(-45)"><circle cx="«byte»" cy="5" r="4"/></g>',
  '<title>«person» &amp; «noun»</title>',
  '<text x="«byte»" y="1em">«noun» &lt; «byte»</text>',
  '<defs><linearGradient id="g«byte»"><stop offset="0" stop-color="#fff"/></linearGradient></defs><rect fill="url(#g«byte»)" width="9" height="9"/>',
  '<style>.a{fill:none;stroke:#000}</style>',
  '<use href="#g«byte»"/>',
];

/** Mail, calendars and cards as they are sent and stored. */
export function mailOf(lot: Lot): string {
  return fill(lot, pick(lot, mails), words).replaceAll('\n', pick(lot, ['\n', '\r\n']));
}

const mails = [
  'From: "«person»" <«mail»>\nTo: «user»@«host»\nSubject: Re: «noun» «verb»\nDate: Wed, 4 Mar 2026 05:06:07 +0000\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n«sentence»\n\nOn Tue, «person» wrote:\n> «sentence»\n>> «sentence»\n-- \n«person»\n«host»',
  'Return-Path: <bounce@«host»>\nReceived: from «host» ([«ip»]) by «host» with ESMTPS id «hex»\n for <«mail»>; Wed, 4 Mar 2026 05:06:07 +0000\nFrom: «first» <«mail»>\nCc: «mail», «mail»\nSubject: =?UTF-8?Q?R=C3=A9sum=C3=A9_«noun»?=\nContent-Type: multipart/alternative; boundary="=_«hex»"\n\n--=_«hex»\nContent-Type: text/html\n\n<p>«sentence»</p>\n--=_«hex»--',
  'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//«noun»//EN\nBEGIN:VEVENT\nUID:«uuid»@«host»\nDTSTART:20260304T050607Z\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE\nSUMMARY:«noun» with «person»\nORGANIZER;CN="«person»":mailto:«mail»\nDESCRIPTION:«sentence»\\n\\nJoin: «url»\nEND:VEVENT\nEND:VCALENDAR',
  'BEGIN:VCARD\nVERSION:3.0\nN:«last»;«first»;;;\nFN:«person»\nORG:«noun» & «noun» Ltd.;R&D\nTEL;TYPE=CELL,VOICE:+44 20 7946 0«byte»\nEMAIL:«mail»\nNOTE:«sentence»\nURL:«url»\nEND:VCARD',
];

/** Tables: CSV of exports and spreadsheets, Markdown. */
export function tableOf(lot: Lot): string {
  const [head, rows] = pick(lot, tables);
  return fill(lot, `${head}\n${some(lot, rows, 2 + lot.below(6)).join('\n')}\n`, words);
}

const tables: readonly (readonly [string, readonly string[]])[] = [
  [
    'id,name,note,amount',
    [
      '«number»,"«person»","it""s «adjective»",-«byte».50',
      '«number»,«last»,=SUM(D1:D«byte»),«number»',
      '«number»,«first»,+44 20 7946 0«byte»,"1,«byte»"',
      '«number»,«person»,@«user»,"=IF(A1>0,""yes"",""no"")"',
      '«number»,"«noun»; «noun»",=VLOOKUP(A«byte»;Sheet2!A:B;2;FALSE),0',
    ],
  ],
  [
    '| «noun» | type | default |\n|---|:--|--:|',
    [
      '| `«noun»` | `string \\| null` | `""` |',
      '| «noun» | «sentence» | — |',
      '| `--«noun»=<«noun»>` | number | «byte» |',
    ],
  ],
];

/** GraphQL as clients send it. */
export function graphqlOf(lot: Lot): { query: string; variables: object } {
  const query = fill(lot, pick(lot, graphqlTexts), words);
  const search = searchOf(lot);
  return { query, variables: { id: String(lot.below(1e6)), q: search, first: 20, after: null } };
}

const graphqlTexts = [
  'query GetNode($id: ID!, $first: Int = 20) {\n  node(id: $id) {\n    __typename\n    ... on «noun» { id name «noun»s(first: $first, orderBy: {field: CREATED_AT, direction: DESC}) { edges { node { id } } pageInfo { hasNextPage } } }\n  }\n}',
  'mutation { update«noun»(input: {id: "«number»", name: "«last»", note: "«adjective» «noun»"}) { «noun» { id } errors { message } } }',
  'fragment F on «noun» { id «noun» { ...G } } fragment G on «noun» { url createdAt } query Q($q: String!) { search(query: $q, type: ISSUE, first: 10) { nodes { ...F } } }',
  'subscription OnChange { «noun»Changed(id: «number») { id @include(if: true) «noun» } }',
];
