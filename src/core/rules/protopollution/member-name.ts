import type { Field } from '../../extract/field.ts';
import { findConstructorPrototype, findProto } from '../../grammars/script/prototype-path.ts';
import { confidence } from '../../placement/confidence.ts';
import { firstField, foundBy } from '../../placement/evidence.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

/**
 * A member name that reaches the prototype: `__proto__`, `a[__proto__][b]`,
 * `constructor.prototype.b`.
 */
export const memberName: ValueRule = {
  id: 'protopollution.member-name',
  score: confidence.certain,
  message: 'names a property of the prototype that all objects share',
  trigger: { literals: [['__proto__', 'constructor', '__define', '__lookup']] },
  examples: [
    ...[{ body: { '__proto__[role]': 'root' } }, { body: { 'a.__proto__.b': '1' } }],
    { body: { 'constructor[prototype][x]': '1' } },
    { body: { 'constructor.prototype.x': '1' } },
    { body: { settings: JSON.parse('{"__proto__":{"x":1}}') } },
    { body: { __lookupGetter__: { call: 'x' } } },
    { body: { user: { __defineSetter__: 'x' } } },
  ],
  lookalikes: [
    { body: { 'header.x-forwarded-proto': 'https' } },
    { body: { constructor: 'McLaren', driver: 'Prost' } },
    { body: { prototype: 'v2', proto: 'tcp' } },
    { body: { __defined: '1', __lookup: 'x' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where !== 'name') return undefined;
    const path = findProto(subject.text, 0) ?? findConstructorPrototype(subject.text, 0);
    return path ?? foundBy(accessor.exec(subject.text));
  },
};

/** The methods of every object that define and read accessors (ECMAScript, B.2.2). */
const accessor = /^__(?:define|lookup)[GS]etter__$/;

/** The same written as nested objects: `{"constructor":{"prototype":{…}}}`. */
export const nestedMember: RequestRule = {
  id: 'protopollution.nested-member',
  score: confidence.certain,
  message: 'nests fields that lead to the prototype that all objects share',
  examples: [
    { body: { constructor: { prototype: { isRoot: true } } } },
    { body: { a: { constructor: { prototype: { x: 'y' } } } } },
  ],
  lookalikes: [
    { body: { constructor: { name: 'McLaren' }, prototype: { name: 'M1' } } },
    { body: { build: { prototype: { constructor: 'x' } } } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    return firstField(
      request.fields,
      ({ where, text, node }) =>
        where === 'name' && text === 'prototype' && node.parent?.key === 'constructor',
    );
  },
};

/** The segments of a property path as items of an array: `["__proto__", "x"]`. */
export const pathArray: RequestRule = {
  id: 'protopollution.path-array',
  score: confidence.strong,
  message: 'spells a path to the prototype as the items of an array',
  examples: [
    { body: { path: ['__proto__', 'x'], value: true } },
    { body: { keys: ['a', '__proto__', 'b'] } },
    { body: { path: ['constructor', 'prototype', 'isRoot'], value: true } },
    { body: { path: [['constructor'], ['prototype'], 'isRoot'] } },
  ],
  lookalikes: [
    { body: { q: '__proto__' } },
    { body: { tags: ['proto', 'prototype'] } },
    { body: { path: ['constructor', 'name'] } },
    { body: { tags: ['constructor', 'prototype', 'javascript'] } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    const { fields } = request;
    return firstField(fields, (one, index) => {
      if (one.where !== 'value' || typeof one.node.key !== 'number') return false;
      if (one.text === '__proto__') return true;
      const before = fields[index - 1];
      const list = listOf(one);
      return (
        one.text === 'prototype' &&
        before?.text === 'constructor' &&
        listOf(before) === list &&
        pathMember.test(String(list?.key))
      );
    });
  },
};

/** The list that a value is an item of, also in a list of its own: `[["constructor"],["prototype"]]`. */
function listOf({ node: { parent } }: Field): Field['node'] | undefined {
  return typeof parent?.key === 'number' ? parent.parent : parent;
}

/** Members whose items are the segments of a path, not tags. */
const pathMember = /path|keys|props$|propert/i;

/** A property by name, and the value that it is to have: `{"key":"__proto__","value":{…}}`. */
export const keyAndValue: RequestRule = {
  id: 'protopollution.key-and-value',
  score: confidence.strong,
  message: 'asks for a property of the prototype to be set',
  examples: [
    { body: { key: '__proto__', value: { isRoot: true } } },
    { body: { updates: [{ field: '__proto__', value: 'x' }] } },
    { body: { prop: '__proto__', val: { isRoot: true } } },
    { body: { name: 'constructor.prototype', value: 'x' } },
    { body: { section: '__proto__', key: 'isRoot', value: 1 } },
  ],
  lookalikes: [
    { body: { key: '__proto__' } },
    { body: { q: '__proto__', page: '2' } },
    { body: { title: 'constructor.prototype', data: 'x' } },
    { body: { key: 'proto', value: 'https' } },
    { body: { title: '__proto__', value: '5' } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    const { fields } = request;
    if (!fields.some(isProtoKey)) return undefined;
    const withValue = new Set<unknown>();
    for (const { where, text, node } of fields) {
      if (where === 'name' && valueMember.test(text)) withValue.add(node.parent);
    }
    return firstField(fields, (one) => isProtoKey(one) && withValue.has(one.node.parent));
  },
};

function isProtoKey({ where, text, node }: Field): boolean {
  const isProto = text === '__proto__' || text === 'constructor.prototype';
  return isProto && where === 'value' && setMember.test(String(node.key));
}

const setMember = /^(?:k|key|path|prop|property|field|name|attr|attribute|column|section)$/i;
const valueMember = /^(?:v|val|value|data|to)$/i;

/** Attributes that lead from any Python object to its class and the module's globals. */
const pythonAttributes =
  /^__(?:init|dict|import)__$|(?:^|[.[])__(?:class|globals|builtins|bases?|mro|subclasses|kwdefaults|code|defaults|wrapped|loader|spec|func|closure|reduce(?:_ex)?|setattr|getattribute)__(?:$|[\].[])/;

/** Class pollution in Python: members that a recursive merge follows to the class. */
export const pythonMember: ValueRule = {
  id: 'protopollution.python-member',
  cwe: 'CWE-915',
  score: confidence.strong,
  message: 'names an attribute that leads to the class and globals of a Python object',
  trigger: { literals: [['__']] },
  examples: [
    { body: { 'user.__class__.role': 'root' } },
    { body: { '__init__[__globals__][DEBUG]': 'on' } },
    { body: { __class__: { __init__: { x: 1 } } } },
    { body: { user: { __globals__: { DEBUG: 'on' } } } },
    { body: { run: { __kwdefaults__: { command: 'id' }, __code__: 'x' } } },
  ],
  lookalikes: [
    { body: { __typename: 'User', __v: '3' } },
    { body: { __RequestVerificationToken: 'x', __VIEWSTATE: 'y' } },
    { body: { class: 'A', init: 'B' } },
    { body: { 'files[__init__.py]': 'x', __name__: 'a', __doc__: 'b' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where !== 'name' || !pythonAttributes.test(subject.text)) return undefined;
    return { start: 0, end: subject.text.length };
  },
};
