import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** Line breaks, in all the forms in which they reach a header, and what follows them. */
export const crlf: Grammar = {
  language: 'crlf',
  attack(random, _oracle, { name }) {
    const isRequest = name.startsWith('request');
    const [kind, make] = random.pick(isRequest ? requestKinds : responseKinds);
    const isPath = name.startsWith('request, path');
    const text = random.pick([aText(random), `/${aName(random)}`, 'https://shop.test/']);
    const before =
      name === 'name of a header' ? `${aName(random)}: 1` : text + (isPath ? ' HTTP/1.1' : '');
    const end = isPath ? `\nX-${aName(random)}: ` : random.pick(['', `\nX-${aName(random)}: `]);
    const [form, write] = random.pick(formsIn(name));
    const breaks = random.pick(['\r\n', '\r\n', '\n']);
    const plain = `${before}\n${make(random)}${end}`.replaceAll('\n', breaks);
    return { kind: `${kind}, ${form}/${name}`, values: [write(plain, random)] };
  },
};

type Kind = readonly [kind: string, make: Maker];
type Form = readonly [form: string, write: (plain: string, random: Random) => string];

const header: Maker = oneOf(
  (random) => `Set-Cookie: ${aName(random)}=${aText(random)}`,
  (random) => `Set-Cookie: session=${aNumber(random)}; Path=/; HttpOnly`,
  (random) => `X-${aName(random)}: ${aText(random)}`,
  (random) => `${aName(random)}: ${aText(random)}`,
  (random) => `Location: https://${aName(random)}.test/${aName(random)}`,
  (random) => `Refresh: 0;url=//${aName(random)}.test`,
  () => 'Access-Control-Allow-Origin: *',
  () => 'Content-Security-Policy: default-src *',
  () => 'X-XSS-Protection: 0',
  (random) => `Link: <//${aName(random)}.test/a.css>; rel=stylesheet`,
  () => 'Cache-Control: public, max-age=99999',
  () => 'X-Forwarded-For: 127.0.0.1',
);

const script: Maker = (random) =>
  random.pick([
    `<script>alert(${aNumber(random)})</script>`,
    `<html>${aName(random)}</html>`,
    `<svg onload=alert(${aNumber(random)})>`,
    `<a href=//${aName(random)}.test>${aName(random)}</a>`,
  ]);

const responseKinds: readonly Kind[] = [
  ['header', header],
  ['two headers', (random) => `${header(random)}\n${header(random)}`],
  ['body', (random) => `Content-Type: text/html\nContent-Length: 99\n\n${script(random)}`],
  ['body only', (random) => `\n${script(random)}`],
  [
    'second response',
    (random) =>
      `Content-Length: 0\n\nHTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: ${aNumber(random)}\n\n${script(random)}`,
  ],
];

const requestKinds: readonly Kind[] = [
  ['header', header],
  ['two headers', (random) => `${header(random)}\n${header(random)}`],
  ['host', (random) => `Host: ${aName(random)}.test`],
  [
    'second request',
    (random) =>
      `Host: a\n\n${random.pick(['GET', 'POST', 'DELETE'])} /${aName(random)} HTTP/1.1\nHost: ${aName(random)}`,
  ],
  [
    'second request, body',
    (random) => `Content-Length: 0\n\nPOST /admin HTTP/1.1\n${header(random)}`,
  ],
];

const hex = (text: string, random: Random): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const digits = byte.toString(16).padStart(2, '0');
      return `%${random.chance(50) ? digits : digits.toUpperCase()}`;
    })
    .join('');

const percent = (plain: string, random: Random): string =>
  plain.replace(/[\r\n%]/g, (one) => hex(one, random));

/** A character whose last eight bits are those of a line break. */
const wide = (plain: string, random: Random): string =>
  plain.replace(/[\r\n]/g, (one) =>
    String.fromCharCode((1 + random.below(0xd7)) * 256 + one.charCodeAt(0)),
  );

const same: Form = ['plain', (plain) => plain];
const once: Form = ['percent', percent];
const all: Form = [
  'percent, all',
  (plain, random) => plain.replace(/[^a-z\d]/gi, (one) => hex(one, random)),
];
const twice: Form = ['percent twice', (plain, random) => hex2(percent(plain, random))];

function hex2(text: string): string {
  return text.replaceAll('%', '%25');
}

function formsIn(name: string): readonly Form[] {
  const isNarrow = name.includes('latin1');
  if (name.includes('twice')) return [twice, once];
  if (name.includes('decoded')) {
    const narrow: Form = ['wide, percent', (plain, random) => encodeURI(wide(plain, random))];
    return isNarrow ? [once, all, narrow] : [same, once, all];
  }
  return isNarrow ? [same, ['wide', wide]] : [same];
}
