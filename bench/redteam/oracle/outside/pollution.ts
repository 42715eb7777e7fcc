import { createContext, Script } from 'node:vm';
import { answerLines, type Victim } from './answer-lines.ts';

// Functions as they stand in many applications, run in a realm that is thrown away.

const prelude = new Script(`
  function merge(target, source) {
    for (const key in source) {
      if (typeof source[key] === 'object' && source[key] !== null) {
        if (!target[key]) target[key] = {};
        merge(target[key], source[key]);
      } else target[key] = source[key];
    }
    return target;
  }
  function clone(value) {
    if (typeof value !== 'object' || value === null) return value;
    const copy = Array.isArray(value) ? [] : {};
    for (const key of Object.keys(value)) copy[key] = clone(value[key]);
    return copy;
  }
  function set(target, steps, value) {
    for (const step of steps.slice(0, -1)) {
      if (target[step] === undefined) target[step] = {};
      target = target[step];
    }
    target[steps[steps.length - 1]] = value;
  }
  const dots = (path) => path.split('.');
  const brackets = (path) =>
    path.replace(/\\[(?:"([^"]*)"|'([^']*)'|([^\\]]*))\\]/g, '.$1$2$3').split('.');
  function unflatten(flat) {
    const target = {};
    for (const path of Object.keys(flat)) set(target, dots(path), flat[path]);
    return target;
  }
  function parseQuery(text) {
    const target = {};
    for (const pair of text.split('&')) {
      const [name, value = ''] = pair.split('=').map((one) => decodeURIComponent(one.replaceAll('+', ' ')));
      if (name !== '') set(target, brackets(name), value);
    }
    return target;
  }
  // Own members, whatever their names are, as JSON has them.
  function nested(names, values) {
    const text = (steps, value) =>
      steps.reduceRight((inner, step) => '{' + JSON.stringify(step) + ':' + inner + '}', JSON.stringify(value));
    return names.map((name, at) => JSON.parse(text(name.split('.').slice(1), values[at])));
  }
  const basket = { items: [], user: { name: 'alice' }, settings: { theme: 'light' } };
  const toString = Object.prototype.toString;
  const members = Reflect.ownKeys(Object.prototype).length;
  const isPolluted = () =>
    Reflect.ownKeys(Object.prototype).length !== members ||
    Object.prototype.toString !== toString ||
    ({}).isAdmin !== undefined;
  // A member that the client sent itself is refused: only one that is inherited opens the gate.
  const opens = (user) => user.isAdmin !== undefined && !Object.hasOwn(user, 'isAdmin');
`);

/** The last statement says whether a gate is open; a polluted prototype opens all. */
function victim(code: string): Victim {
  const script = new Script(code);
  const check = new Script('isPolluted()');
  return (values, names) => {
    const context = createContext({ text: values[0] ?? '', other: values[1] ?? '', values, names });
    // Lists of this realm would lead to its own prototypes.
    new Script(
      'values = JSON.parse(' +
        `${JSON.stringify(JSON.stringify(values))}); names = JSON.parse(${JSON.stringify(JSON.stringify(names))});`,
    ).runInContext(context);
    prelude.runInContext(context);
    let isOpen = false;
    let failure: unknown;
    try {
      isOpen = script.runInContext(context) === true;
    } catch (error) {
      failure = error;
    }
    if (isOpen || check.runInContext(context) === true) return true;
    if (failure !== undefined) throw failure;
    return false;
  };
}

answerLines({
  'merge, JSON text': victim('merge(basket, JSON.parse(text))'),
  'merge, list of JSON': victim('for (const one of [].concat(JSON.parse(text))) merge({}, one)'),
  'merge, JSON by concatenation': victim(
    `merge(basket, JSON.parse('{"name":"' + text + '","theme":"dark"}'))`,
  ),
  'merge, JSON': victim('for (const one of nested(names, values)) merge(basket, one)'),
  'merge, name removed': victim(`merge(basket, JSON.parse(text.replaceAll('__proto__', '')))`),
  'assign, gate': victim(
    `const sent = JSON.parse(text); opens(Object.assign({ name: 'alice' }, sent))`,
  ),
  'clone, gate': victim('opens(clone(JSON.parse(text)))'),
  'unflatten, JSON text': victim('unflatten(JSON.parse(text))'),
  'set by path': victim('set(basket, dots(text), other)'),
  'set by path, brackets': victim('set(basket, brackets(text), other)'),
  'set by path, a step before': victim(`set(basket, dots('settings.' + text), other)`),
  'set by path, name refused': victim(
    `const steps = brackets(text); if (!steps.includes('__proto__')) set(basket, steps, other)`,
  ),
  'query string': victim('parseQuery(text)'),
  form: victim(
    `parseQuery(names.map((name, at) =>
      encodeURIComponent(name.slice(name.indexOf('.') + 1)) + '=' + encodeURIComponent(values[at])).join('&'))`,
  ),
});
