import {
  findConstructorPrototype,
  findProto,
  type PrototypePath,
} from '../../grammars/script/prototype-path.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { isAlnum } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A path to the prototype inside a value: a query string, JSON, or an assignment. */
export const pathText: ValueRule = {
  id: 'protopollution.path-text',
  score: confidence.strong,
  message: 'writes a path to a property of the prototype that all objects share',
  trigger: { isOfValues: true, literals: [['__proto__', 'constructor']] },
  examples: [
    ...['?__proto__[x]=1', '{"__proto__": {"x": 1}}', '{"constructor":{"prototype":{"x":1}}}'],
    'o.__proto__.x = 1',
    'constconstructorructor[protoprototypetype][x]=1',
    ...['__pro__proto__to__[x]=1', '[["__proto__"],"x",1]', 'o.constructor.prototype.x=1'],
    ...['{"path":"__proto__.x","value":1}', '/__proto__/x', '/constructor/prototype/x'],
    ...['a.b.__proto__.x', 'a[0].__proto__[x]', "constructor['prototype'].env"],
    'settings.__proto__["polluted"]',
    '{"constructor":{"hp":38,"prototype":{"admin":2}}}',
    '{"constructor"\n: {"prototype" \n : {"x": true}}}',
    '{"constructor":{"a":"}","prototyp\\u0065":{"x":true}}}',
    ...['__proto__[\t"isAdmin"]', 'a: 1\n__proto__.x: 2'],
    'To show it:\n> a.__proto__ = { c: 6 };\n__proto__.x: 2',
    ...['\n{"a": 1,\n "b": {"__proto__": {"x": 1}}}', '[a.__proto__]\nisRoot = 1'],
    ...['{ __proto__: { b: 5 } }', 'a: { __proto__: { b: 5 } }', 'a={__proto__:{b:5}}'],
    ...['- { __proto__: { b: 5 } }', '[{ __proto__: { b: 5 } }]', 'a = { __proto__ = { b = 5 } }'],
    '<r><__proto__><isRoot>1</isRoot></__proto__></r>',
    'name,__proto__.isRoot\nann,1',
    { body: { path: 'It came too late. user.constructor.prototype.isRoot and so on' } },
  ],
  lookalikes: [
    'The __proto__ accessor is deprecated; use Object.getPrototypeOf.',
    'What is the difference between __proto__ and prototype in JavaScript?',
    ...['/docs/constructor/prototypes.html', 'const o = { __proto__: null, a: 1 };'],
    '({ __proto__: [] } instanceof Array)',
    'Consider this:\n\n```js\n> const a = \'{"__proto__":{ "b":5}}\';\n```',
    'To show it:\n> a.__proto__ = { c: 6 };\n> a.c',
    ...['const p = { __proto__: process, pid: 12 };', 'const p = { __proto__: { b: 5 } };'],
    'Scan it for the string "__proto__". Only if we find it, scan the object.',
    'The literal { __proto__: { b: 5 } } sets the prototype.',
    `'use strict'\n\nconst text = '{ "a": 5, "__proto__": { "x": 7 } }'\n`,
    ...['item["constructor"].name', '[constructor] prototype [of the machine]'],
    '{"constructor":{"nam\\u0065":"McLaren"},"prototype":{"name":"M1"}}',
    '{"constructor":{"name":"McLaren"},"prototype":{"name":"M1"}}',
    ...['call the constructor, then the prototype', 'The [__proto__] slot\nis old.'],
    'name,constructor,prototype\na,b,c',
    '<constructor><name>McLaren</name></constructor>',
    'every function has a constructor.prototype property, as far as I know.',
    { body: { path: 'docs/constructor.prototype.html' } },
    { body: { 'body.key': 'How __proto__.x works, and constructor.prototype.call' } },
    { body: { name: 'every function has a constructor.prototype.constructor, as far as I know.' } },
    'class A { constructor() { this.prototype = 1; } }',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const part = documentPart.exec(text);
    if (part !== null) return foundBy(part);
    const isSetting = pathMember.test(subject.member) && !text.includes('/');
    const found = firstAttack(text, '__proto__', findProto, isSetting);
    if (found !== undefined && found.score === undefined) return found;
    return firstAttack(text, 'constructor', findConstructorPrototype, isSetting) ?? found;
  },
};

/** A member that names what is set: words around the path become parts of the first name and the last. */
const pathMember = /(?:^|[._[])(?:(?:key_?)?path|key|field|prop(?:erty)?|pointer)\]?$/i;

/** A section of settings, an element of XML, a column of a table: what their readers make members of. */
const documentPart =
  /(?:^|\n)\[(?:[\w-]{1,40}\.){0,4}(?:__proto__|constructor\.prototype)(?:\.[\w-]{1,40}){0,4}\][ \t]{0,8}\r?\n\s{0,8}[\w"']|(?:^|>)\s{0,40}<__proto__[\s>]|^(?:[\w .-]{1,40},){0,20}(?:__proto__|constructor\.prototype)\.\w{1,40}(?:,[^\n]{0,200})?\r?\n/;

/** The first that is used, or else the first that a listing shows. */
function firstAttack(
  text: string,
  word: string,
  find: (text: string, from: number) => PrototypePath | undefined,
  isSetting: boolean,
): Match | undefined {
  const firstBreak = text.indexOf('\n');
  let shown: Match | undefined;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const path = find(text, at);
    if (path === undefined || path.start !== at) continue;
    if (!isAttack(text, path) && !(isSetting && isPart(text, path))) continue;
    const found = { start: path.start, end: path.end };
    const isBehind = firstBreak >= 0 && firstBreak < at;
    if (!(isBehind && isInListing(text, at)) && !isOfProgram(text, path)) return found;
    shown ??= { ...found, score: confidence.hint };
  }
  return shown;
}

/**
 * Within a line behind others, of a text that begins as no document: what merges or sets by path
 * reads a value from its start, or the names that lines of settings begin with.
 */
function isInListing(text: string, at: number): boolean {
  const first = text.slice(0, startCharsMax);
  if (documentStart.test(first) && !directive.test(first)) return false;
  const before = text.slice(Math.max(0, at - startCharsMax), at);
  const line = before.lastIndexOf('\n');
  return line < 0 || !nameFirst.test(before.slice(line + 1));
}

/**
 * `x = { __proto__: {} }`, `the literal { __proto__: {} }`: an object of a program, whose own prototype
 * it is. A document of YAML or JSON5 has neither a word nor `=` between blanks in front of a brace.
 */
function isOfProgram(text: string, { start, end }: PrototypePath): boolean {
  if (!proto.test(text.slice(start, end + 8))) return false;
  return programObject.test(text.slice(Math.max(0, start - objectCharsMax), start));
}

const objectCharsMax = 80;
const proto = /^__proto__\s{0,4}:/;
const programObject = /(?:[\w$)\]] = |(?:^|[\s(])[A-Za-z]{2,20} )\{\s{0,16}$/;

const startCharsMax = 200;
const documentStart = /^\s*(?:$|[{["'/#<?])/;
/** The directive that a script begins with, and a statement: no document stands behind it. */
const directive =
  /^\s{0,40}(?:'use strict'|"use strict");?\s{1,8}(?:const|let|var|import|function)\s/;
const nameFirst = /^[\s{["'-]*$/;

/** A name of its own, which has no blank in front: `late.__proto__.x`, and not `what is __proto__.x`. */
function isPart(text: string, { start, hasProperty }: PrototypePath): boolean {
  return hasProperty && !blank.test(text.charAt(start - 1));
}

const blank = /\s/;

/** The path is used, not only named: it goes on to a property and is a key or is assigned to. */
function isAttack(text: string, path: PrototypePath): boolean {
  const before = text[path.start - 1] ?? '';
  const isWhole = text.length <= propertyCharsMax && propertyPath.test(text);
  if (isWhole && path.hasProperty) return true;
  if (isQuoted(before) && isQuoted(text[path.end] ?? ''))
    return isKeyOrItem(text, path) && !isSaid(text, path);
  if (isRebuilt(text, path)) return true;
  return path.hasProperty && (assigns(text, path.end) || isWholeString(text, path));
}

/** Members behind dots and in brackets, as functions that set by path read them: anything up to `]`. */
const propertyPath = /^[\w$-]{0,60}(?:\.[\w$-]{1,60}|\[[^[\]]{1,60}\]){1,12}$/;
const propertyCharsMax = 200;

/** A string that is nothing but the path: `"__proto__.x"`, or the whole text. */
function isWholeString(text: string, path: PrototypePath): boolean {
  // A JSON pointer (RFC 6901) begins with a slash.
  let first = text[path.start - 1] === '/' ? path.start - 2 : path.start - 1;
  if (first === path.start - 1 && '.['.includes(text[first] ?? ' ')) first = pathStart(text, first);
  const before = text[first];
  if (before !== undefined && !isQuoted(before)) return false;
  let at = path.end;
  while (at < text.length && at - path.end < 96 && isOneOf(pathMarks, text.charCodeAt(at))) at++;
  return at === text.length ? before === undefined : text[at] === before;
}

/** Offset before the path that ends at `at`: `a.b[0].`. */
function pathStart(text: string, at: number): number {
  const limit = Math.max(-1, at - 64);
  let first = at;
  while (first > limit && isOneOf(segmentMarks, text.charCodeAt(first))) first--;
  return first;
}

const segmentMarks: Uint8Array = characterSet('_.[]');
const pathMarks: Uint8Array = characterSet('_.[]-$/');
const targetMarks: Uint8Array = characterSet('_[]."\'-$*% {');

/** A letter, a digit, or one of some marks. */
function isOneOf(marks: Readonly<Uint8Array>, code: number): boolean {
  return isAlnum(code) || (code < marks.length && marks[code] === 1);
}

function isQuoted(character: string): boolean {
  return character === '"' || character === "'";
}

/** `"__proto__":` or `["__proto__"`, through the braces of nested JSON. */
function isKeyOrItem(text: string, path: PrototypePath): boolean {
  return path.hasProperty || text[path.start - 2] === '[';
}

/** `the string "__proto__". Only if it is found`: words of a sentence before and behind it. */
function isSaid(text: string, { start, end }: PrototypePath): boolean {
  return (
    word.test(text.slice(Math.max(0, start - 4), start - 1)) && words.test(text.slice(end + 1))
  );
}

const word = /[a-z]{2} $/;
const words = /^[.,] [A-Za-z]{1,20} [a-z]{1,20}[ .,]/;

/** `__pro__proto__to__`: the word appears once the inner one is taken out. */
function isRebuilt(text: string, path: PrototypePath): boolean {
  const left = text.slice(Math.max(0, path.start - 5), path.start);
  const right = text.slice(path.end, path.end + 7);
  return left.endsWith('__pro') && right.startsWith('to__');
}

const named =
  /^\s{0,4}(?:(?!true\b|false\b|undefined\b)[A-Za-z][\w.]{0,40}|\[\])\s{0,4}(?:[,}\n]|$)/;

/** An assignment follows within the rest of the path. */
function assigns(text: string, end: number): boolean {
  for (let at = end; at < text.length && at - end < 96; at++) {
    const code = text.charCodeAt(at);
    if (code === 61) return text[at + 1] !== '=';
    // `__proto__: null`, `__proto__: []` and `__proto__: base` give an object of a program its prototype.
    if (code === 58) return !named.test(text.slice(at + 1, at + 48));
    if (!isOneOf(targetMarks, code)) return false;
  }
  return false;
}

/** `Object.prototype.isRoot=1`: a value that is a statement which changes the prototype itself. */
export const assignment: ValueRule = {
  id: 'protopollution.assignment',
  score: confidence.likely,
  message: 'is a statement that sets a property of the prototype that all objects share',
  trigger: { isOfValues: true, literals: [['Object.prototype', 'getPrototypeOf(']], charsMax: 240 },
  examples: [
    ...["Object.prototype.isRoot='1'", "';Object.prototype['x']=1;//"],
    ...['Object.assign(Object.prototype,{isRoot:1})', 'Reflect.getPrototypeOf({}).x=1'],
    "Object.defineProperty(Object.prototype, 'x', {value:1})",
    'Object.setPrototypeOf(Object.prototype, {})',
  ],
  lookalikes: [
    "Object.prototype.hasOwnProperty.call(o, 'x')",
    'Object.prototype.toString === f',
    'Why is Object.prototype.extend = function () {} bad style?',
    'Object.getPrototypeOf([]) === Array.prototype',
    'Object.prototype.x = 1 is seen by all objects, and that is bad.',
    'const p = Object.getPrototypeOf({});',
    'Dog.prototype = Object.create(Animal.prototype);',
  ],
  judge: ({ text }) => foundBy(statement.exec(text)),
};

/** The whole value is the statement, behind what closes a string or a call. */
const statement =
  /^[\s;'"`)}]{0,6}(?:(?:Object\.prototype|(?:Object|Reflect)\.getPrototypeOf\((?:\{\}|\[\]|''|"")\))(?:\.\w{1,40}|\[[^\]\s]{1,40}\])\s?=\s?(?!=|>)[^\s=]{1,120}|(?:Object|Reflect)\.(?:assign|define(?:Property|Properties)|setPrototypeOf|set)\(\s?Object\.prototype\s?,[^\n]{1,160}\));?\s{0,4}(?:\/\/.{0,40})?$/;
