import type { Context, Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

const logIn: Omit<Context, 'name'> = {
  members: ['body.username', 'body.password'],
  benign: ['alice', 'not her password'],
};

const contexts: readonly Context[] = [
  { name: 'log-in, single quotes', ...logIn },
  { name: 'log-in, double quotes', ...logIn },
  oneField('text, single quotes', 'query.title', 'Green tea'),
  oneField('text, double quotes', 'query.title', 'Green tea'),
  oneField('attribute', 'query.sku', 't1'),
  oneField('attribute, last', 'query.sku', 't1'),
  oneField('number', 'query.price', '12'),
  oneField('position', 'query.page', '2'),
  oneField('contains', 'query.q', 'tea'),
  oneField('starts-with', 'query.q', 'Cup'),
  oneField('nested function', 'body.q', 'TEA'),
  oneField('string function', 'query.sku', 't1'),
  oneField('step', 'query.field', 'title'),
  oneField('name of an element', 'query.field', 'title'),
];

/** XPath of libxml2: a password, a hidden product or a log-in is the canary. */
export const xpath: Oracle = lineOracle({
  name: 'libxml2 XPath',
  category: 'xpathi',
  language: 'xpath',
  tools: ['python3', 'python3 -m lxml'],
  contexts,
  ...runs.python('xpath.py'),
});
