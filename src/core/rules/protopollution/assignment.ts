import { confidence } from '../../placement/confidence.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `Object.prototype.isRoot=1`: a value that is a statement which changes the prototype itself. */
export const assignment: ValueRule = {
  id: 'protopollution.assignment',
  cwe: 'CWE-1321',
  severity: 'high',
  score: confidence.likely,
  message: 'is a statement that sets a property of the prototype that all objects share',
  trigger: { literals: [['Object.prototype', 'getPrototypeOf(']] },
  examples: [
    "Object.prototype.isRoot='1'",
    "';Object.prototype['x']=1;//",
    'Object.assign(Object.prototype,{isRoot:1})',
    'Reflect.getPrototypeOf({}).x=1',
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
  judge(subject): Match | undefined {
    if (subject.where === 'name' || subject.text.length > statementChars) return undefined;
    const found = statement.exec(subject.text);
    return found === null ? undefined : { start: 0, end: found[0].length };
  },
};

const statementChars = 240;
/** The whole value is the statement, behind what closes a string or a call. */
const statement =
  /^[\s;'"`)}]{0,6}(?:(?:Object\.prototype|(?:Object|Reflect)\.getPrototypeOf\((?:\{\}|\[\]|''|"")\))(?:\.\w{1,40}|\[[^\]\s]{1,40}\])\s?=\s?(?!=|>)[^\s=]{1,120}|(?:Object|Reflect)\.(?:assign|define(?:Property|Properties)|setPrototypeOf|set)\(\s?Object\.prototype\s?,[^\n]{1,160}\));?\s{0,4}(?:\/\/.{0,40})?$/;
