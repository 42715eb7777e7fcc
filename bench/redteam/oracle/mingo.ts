import type { Context, Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

const logIn: Omit<Context, 'name'> = {
  members: ['body.username', 'body.password'],
  benign: ['alice', 'not her password'],
};

const contexts: readonly Context[] = [
  // What a query is made of by its names: values alone do nothing.
  { name: 'log-in, form', ...logIn },
  { name: 'log-in, JSON', ...logIn },
  oneField('token, form', 'query.token', '4e1f8a0c'),
  // What a query is made of by a text.
  oneField('token, JSON text', 'query.token', '"4e1f8a0c"'),
  oneField('filter, JSON text', 'query.filter', '{"age":{"$gt":18}}'),
  oneField('JSON by concatenation, string', 'body.email', 'alice@shop.test'),
  oneField('JSON by concatenation, number', 'query.age', '31'),
  { name: 'JSON by concatenation, log-in', ...logIn },
  // Scripts that the server runs.
  oneField('where, single quotes', 'query.token', '4e1f8a0c'),
  oneField('where, double quotes', 'query.token', '4e1f8a0c'),
  oneField('where, template literal', 'body.token', '4e1f8a0c'),
  oneField('where, number', 'query.age', '18'),
  oneField('where, function', 'body.q', 'shop'),
  oneField('where, regular expression', 'query.q', 'shop'),
  oneField('where, property', 'query.field', 'username'),
  { name: 'where, log-in', ...logIn },
];

/**
 * Queries of a document database: mingo reads them, and Node runs their scripts. A log-in, documents
 * of others, a function of the database that is called, or a script in a filter is the canary.
 */
export const mingo: Oracle = lineOracle({
  name: 'mingo',
  category: 'nosqli',
  language: 'nosql',
  tools: [],
  contexts,
  ...runs.node('nosql.ts'),
});
