import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';
import { findConstructorPrototype, findProto } from './path.ts';

/** A member name that reaches the prototype: `__proto__`, `a[__proto__][b]`, `constructor.prototype.b`. */
export const memberName: ValueRule = {
  id: 'protopollution.member-name',
  category: 'protopollution',
  cwe: 'CWE-1321',
  severity: 'high',
  score: 95,
  message: 'names a property of the prototype that all objects share',
  trigger: { literals: [['__proto__', 'constructor']] },
  examples: [
    { body: { '__proto__[role]': 'root' } },
    { body: { 'a.__proto__.b': '1' } },
    { body: { 'constructor[prototype][x]': '1' } },
    { body: { 'constructor.prototype.x': '1' } },
    { body: { settings: JSON.parse('{"__proto__":{"x":1}}') } },
  ],
  lookalikes: [
    { body: { constructor: 'McLaren', driver: 'Prost' } },
    { body: { prototype: 'v2', proto: 'tcp' } },
    { body: { 'header.x-forwarded-proto': 'https' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where !== 'name') return undefined;
    return findProto(subject.text, 0) ?? findConstructorPrototype(subject.text, 0);
  },
};

/** The same written as nested objects: `{"constructor":{"prototype":{…}}}`. */
export const nestedMember: RequestRule = {
  id: 'protopollution.nested-member',
  category: 'protopollution',
  cwe: 'CWE-1321',
  severity: 'high',
  score: 95,
  message: 'nests members that lead to the prototype that all objects share',
  examples: [
    { body: { constructor: { prototype: { isRoot: true } } } },
    { body: { a: { constructor: { prototype: { x: 'y' } } } } },
  ],
  lookalikes: [
    { body: { constructor: { name: 'McLaren' }, prototype: { name: 'M1' } } },
    { body: { build: { prototype: { constructor: 'x' } } } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    const field = request.fields.findIndex(
      (one) =>
        one.where === 'name' && one.text === 'prototype' && one.node.parent?.key === 'constructor',
    );
    return field < 0 ? undefined : { field, start: 0, end: 'prototype'.length };
  },
};
