import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';
import { findConstructorPrototype, findProto } from './path.ts';

/**
 * A member name that reaches the prototype: `__proto__`, `a[__proto__][b]`,
 * `constructor.prototype.b`.
 */
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

/** The segments of a property path as items of an array: `["__proto__", "x"]`. */
export const pathArray: RequestRule = {
  id: 'protopollution.path-array',
  category: 'protopollution',
  cwe: 'CWE-1321',
  severity: 'high',
  score: 85,
  message: 'spells a path to the prototype as the items of an array',
  examples: [
    { body: { path: ['__proto__', 'x'], value: true } },
    { body: { keys: ['a', '__proto__', 'b'] } },
  ],
  lookalikes: [
    { body: { tags: ['proto', 'prototype'] } },
    { body: { q: '__proto__' } },
    { body: { path: ['constructor', 'name'] } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    const field = request.fields.findIndex(
      (one) =>
        one.where === 'value' && one.text === '__proto__' && typeof one.node.key === 'number',
    );
    return field < 0 ? undefined : { field, start: 0, end: '__proto__'.length };
  },
};

/** Attributes that lead from any Python object to its class and the module's globals. */
const pythonAttributes =
  /^__(?:class|init|globals|builtins|base|bases|mro|subclasses|dict|kwdefaults|import)__$/;

/** Class pollution in Python: members that a recursive merge follows to the class. */
export const pythonMember: ValueRule = {
  id: 'protopollution.python-member',
  category: 'protopollution',
  cwe: 'CWE-915',
  severity: 'high',
  score: 85,
  message: 'names an attribute that leads to the class and globals of a Python object',
  trigger: { literals: [['__']] },
  examples: [
    { body: { __class__: { __init__: { x: 1 } } } },
    { body: { user: { __globals__: { DEBUG: 'on' } } } },
  ],
  lookalikes: [
    { body: { __typename: 'User', __v: '3' } },
    { body: { __RequestVerificationToken: 'x', __VIEWSTATE: 'y' } },
    { body: { class: 'A', init: 'B' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where !== 'name' || !pythonAttributes.test(subject.text)) return undefined;
    return { start: 0, end: subject.text.length };
  },
};
