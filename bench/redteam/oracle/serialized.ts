import { deflateSync } from 'node:zlib';
import type { Context, Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

const cart = 'a:1:{s:3:"tea";i:2;}';
const pickled = "(dp0\nS'tea'\nI2\ns.";
const marshalled = '\u0004\b[\u0007i\u0007i\b';
const json = '{"tea":2}';

const family = { category: 'deserialization', language: 'serialized' } as const;
const php = (name: string, value: string): Context => oneField(name, 'cookies.cart', value);
const state = (name: string, value: string): Context => oneField(name, 'body.state', value);

/** PHP's `unserialize`: an object of a class that is loaded for it is the canary. */
export const phpSerialized: Oracle = lineOracle({
  ...family,
  name: 'PHP unserialize',
  tools: ['php'],
  contexts: [
    php('text', cart),
    php('base64', base64(cart)),
    php('percent signs', encodeURIComponent(cart)),
    php('member of a list', 'i:2;'),
    php('base64, percent signs', encodeURIComponent(base64(cart))),
  ],
  ...runs.php('unserialize.php'),
});

/** Python's pickle, and YAML that may name objects: a call of anything is the canary. */
export const pickle: Oracle = lineOracle({
  ...family,
  name: 'pickle and PyYAML',
  tools: ['python3', 'python3 -m yaml'],
  contexts: [
    state('text', pickled),
    state('base64', base64(pickled)),
    state('base64url', base64(pickled)),
    state('compressed', deflateSync(Buffer.from(pickled)).toString('base64')),
    state('hexadecimal', Buffer.from(pickled, 'latin1').toString('hex')),
    state('YAML', 'tea: 2'),
    state('YAML, member', '2'),
  ],
  ...runs.python('unpickle.py'),
});

/** Ruby's Marshal, and YAML that may name objects: one of a class of gadgets is the canary. */
export const marshal: Oracle = lineOracle({
  ...family,
  name: 'Marshal and Psych',
  tools: ['ruby'],
  contexts: [
    state('Marshal, base64', base64(marshalled)),
    state('Marshal, base64url', base64(marshalled)),
    state('Marshal, hexadecimal', Buffer.from(marshalled, 'latin1').toString('hex')),
    state('YAML', 'tea: 2'),
    state('YAML, member', '2'),
  ],
  ...runs.ruby('unmarshal.rb'),
});

/** Functions in JSON that are revived, and JSON that is evaluated: a call of Node's is the canary. */
export const revived: Oracle = lineOracle({
  ...family,
  name: 'functions in JSON',
  tools: [],
  contexts: [
    state('functions in JSON', json),
    state('functions in JSON, base64', base64(json)),
    state('eval of JSON', json),
    state('eval of JSON, member', json),
  ],
  ...runs.node('revive.ts'),
});
