import type { Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

const page = '{ products(sort: PRICE) { id title price } }';

/** graphql-js: the schema, a secret or a forbidden change, or a page that costs too much. */
export const graphql: Oracle = lineOracle({
  name: 'graphql-js',
  category: 'graphql',
  language: 'graphql',
  tools: [],
  contexts: [
    oneField('document', 'body.query', page),
    oneField('batch', 'body', JSON.stringify([{ query: page }])),
    oneField('string argument', 'query.q', 'tea'),
    oneField('string argument, last', 'query.q', 'tea'),
    oneField('block string', 'body.q', 'tea'),
    oneField('number argument', 'query.id', '17'),
    oneField('enumeration argument', 'query.sort', 'TITLE'),
    oneField('field name', 'query.field', 'price'),
    oneField('name of the operation', 'query.page', 'Products'),
    oneField('mutation, string', 'body.comment', 'Good tea'),
    oneField('mutation, number', 'body.id', '17'),
  ],
  ...runs.node('graphql.ts'),
});
