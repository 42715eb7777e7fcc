import { marked } from 'marked';
import type { Context } from '../../contract.ts';

/** What a vulnerable application makes of a value. */
export interface AttackedPage {
  /** The document as the server sends it. */
  readonly html: string;
  /** What its script then writes by `innerHTML` into the element `out`. */
  readonly fill?: string;
}

/** A page of an application, and the value put into it the way it is often done wrong. */
export interface PageContext extends Context {
  /** Its own scripts do what else only an attack would do, such as set timers. */
  readonly hasScripts?: boolean;
  page(value: string): AttackedPage;
}

/** Where the attacked pages come from, and the libraries that they load. */
export const origin = 'http://app.test';

function context(
  name: string,
  member: string,
  inBody: (value: string) => string,
  benign = 'blue shelves',
): PageContext {
  return { name, members: [member], benign: [benign], page: (value) => whole(inBody(value)) };
}

function inScript(name: string, member: string, script: (value: string) => string): PageContext {
  return context(name, member, (value) => `<p>Results</p><script>${script(value)}</script>`);
}

function filled(name: string, member: string, fill: (value: string) => string): PageContext {
  const page = (value: string) => ({ ...whole('<div id="out"></div>'), fill: fill(value) });
  return { name, members: [member], benign: ['blue shelves'], page };
}

function whole(body: string, head = ''): AttackedPage {
  return {
    html: `<!doctype html><html><head><title>Shop</title>${head}<style>@keyframes pulse{from{opacity:.5}}</style></head><body>${body}</body></html>`,
  };
}

/** As servers do it for text and quoted attributes: right there, but not enough elsewhere. */
function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** All ways into a page. */
export const pageContexts: readonly PageContext[] = [
  context('text', 'query.q', (value) => `<h1>Results for ${value}</h1><p>None found.</p>`),
  {
    ...context('title', 'query.title', (value) => value),
    page: (value) => ({
      html: `<!doctype html><html><head><title>${value} - Shop</title></head><body><p>Hi</p></body></html>`,
    }),
  },
  context('textarea', 'body.message', (value) => `<form><textarea>${value}</textarea></form>`),
  context(
    'before a script',
    'query.name',
    (value) => `<p>Hello ${value}</p><script src="app.js"></script>`,
  ),
  context(
    'attribute, double quotes',
    'query.search',
    (value) => `<form><input name="search" value="${value}"><button>Go</button></form>`,
  ),
  context(
    'attribute, single quotes',
    'query.name',
    (value) => `<p class='name' title='${value}'>Profile</p>`,
  ),
  context(
    'attribute, no quotes',
    'query.page',
    (value) => `<a class=next rel=next title=${value}>Next page</a>`,
    '2',
  ),
  context(
    'link',
    'body.website',
    (value) => `<a href="${escaped(value)}">My page</a>`,
    '/blog/shelves',
  ),
  context(
    'frame address',
    'query.url',
    (value) => `<iframe src="${escaped(value)}"></iframe>`,
    '/help',
  ),
  context(
    'form action',
    'query.next',
    (value) => `<form action="${escaped(value)}"><button>Go on</button></form>`,
    '/next',
  ),
  inScript(
    'script string, double quotes',
    'query.lang',
    (value) => `{ const lang = "${value}"; void lang; }`,
  ),
  inScript(
    'script string, single quotes',
    'query.q',
    (value) => `{ const q = '${value}'; void q; }`,
  ),
  inScript(
    'template literal',
    'query.name',
    (value) => `{ const hi = \`Hi ${value}!\`; void hi; }`,
  ),
  inScript('json in script', 'body.profile', (value) => {
    return `{ const state = ${JSON.stringify({ profile: { name: value } })}; void state; }`;
  }),
  {
    ...inScript('script number', 'query.id', (value) => `{ const id = ${value}; void id; }`),
    benign: ['42'],
  },
  context('style', 'body.color', (value) => `<style>h1{color:${value}}</style><h1>Hi</h1>`, 'red'),
  context('comment', 'query.debug', (value) => `<!-- search: ${value} --><p>Results</p>`),
  context(
    'handler attribute',
    'query.tab',
    (value) => `<button onclick="void '${escaped(value)}'">Open</button>`,
  ),
  context(
    'srcdoc',
    'body.preview',
    (value) => `<iframe srcdoc="${escaped(`<p>${value}</p>`)}"></iframe>`,
  ),
  filled('innerHTML', 'body.comment', (value) => value),
  filled('markdown', 'body.text', (value) => marked.parse(value, { async: false })),
  {
    ...context('vue template', 'query.q', (value) => value),
    hasScripts: true,
    page: (value) =>
      whole(
        `<div id="app"><h1>Results for ${escaped(value)}</h1></div><script>Vue.createApp({}).mount('#app')</script>`,
        `<script src="${origin}/vue.js"></script>`,
      ),
  },
  {
    ...context('alpine expression', 'query.tab', (value) => value),
    hasScripts: true,
    page: (value) =>
      whole(
        `<div x-data="{ tab: '${escaped(value)}' }"><p x-text="tab"></p></div>`,
        `<script defer src="${origin}/alpine.js"></script>`,
      ),
  },
];
