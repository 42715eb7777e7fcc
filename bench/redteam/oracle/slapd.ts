import type { Context, Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

const logIn: Omit<Context, 'name'> = {
  members: ['body.username', 'body.password'],
  benign: ['alice', 'not her password'],
};

const contexts: readonly Context[] = [
  { name: 'log-in, and', ...logIn },
  { name: 'log-in, three', ...logIn },
  { name: 'log-in, password first', ...logIn },
  { name: 'log-in, or', ...logIn },
  { name: 'log-in, first filter', ...logIn },
  oneField('alone', 'query.uid', 'alice'),
  oneField('exact, or', 'query.q', 'alice shop'),
  oneField('exact, matching rule', 'query.q', 'alice shop'),
  oneField('exact, first filter', 'query.name', 'alice shop'),
  oneField('contains, first filter', 'query.q', 'ali'),
  oneField('inner and', 'query.title', 'tea taster'),
  oneField('inner and, contains', 'body.q', 'alice'),
];

/** Filters of OpenLDAP: a hidden entry or a log-in is the canary. */
export const slapd: Oracle = lineOracle({
  name: 'slapd',
  category: 'ldapi',
  language: 'ldap',
  tools: ['/usr/sbin/slapd', 'python3', 'python3 -m ldap'],
  contexts,
  ...runs.python('ldap_filter.py'),
});
