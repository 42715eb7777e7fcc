import { graphql as grammar } from '../../bench/redteam/grammar/graphql.ts';
import { graphql } from '../../bench/redteam/oracle/graphql.ts';
import { graphqlRewriters } from '../../bench/redteam/rewrite/graphql.ts';
import { testOracle, testRewriters } from './laws.ts';

const flood = Array.from({ length: 200 }, (_, at) => `a${at}: products { title }`).join(' ');
const logIn = { query: '{ login(name: "admin", password: "guess") }' };
const depth = `{ products ${'{ related '.repeat(10)}{ title ${'} '.repeat(12)}`;

testOracle(graphql, {
  document: [
    ['{ __schema { types { name } } }'],
    ['{ users { password } }'],
    [`{ ${flood} }`],
    [depth],
    ['mutation { deleteUser(name: "alice") }'],
  ],
  batch: [[JSON.stringify(Array.from({ length: 20 }, () => logIn))]],
  'string argument': [['x") { title } users { password } y: search(text: "']],
  'string argument, last': [['x") { title } users { password } y: search(text: "']],
  'block string': [['x""") { title } users { token } y: search(text: """']],
  'number argument': [['1) { title } __schema { types { name } } } #']],
  'enumeration argument': [['TITLE) { title } users { password } y: products(sort: TITLE']],
  'field name': [['} users { password']],
  'name of the operation': [['x { users { password } } #']],
  'mutation, string': [['x") { id } deleteUser(name: "alice") y: rate(text: "']],
  'mutation, number': [['1) { id } setRole(name: "a", role: "admin") y: rate(id: 1']],
});

testRewriters(graphql, grammar, graphqlRewriters);
