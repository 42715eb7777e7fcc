import type { Random } from '../../lib/random.ts';
import type { Attack, Grammar } from '../contract.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** Ways to the prototype that all objects share. */
export const pollution: Grammar = {
  language: 'pollution',
  attack(random, _oracle, { name, members }) {
    const steps = stepsIn(name, random);
    const kind = `${steps.includes('__proto__') ? '__proto__' : 'constructor'}/${name}`;
    const value = random.pick([aText(random), 'true', '1', aNumber(random)]);
    if (name === 'form') {
      const [first = '', ...rest] = [...steps];
      const field = `body.${first}${rest.map((step) => `[${step}]`).join('')}`;
      return { kind, names: [field], values: [value] } satisfies Attack;
    }
    if (name === 'merge, JSON') {
      return { kind, names: [`body.${steps.join('.')}`], values: [value] };
    }
    if (members.length === 2) return { kind, values: [pathOf(steps, name, random), value] };
    if (name === 'query string') {
      const [first = '', ...rest] = steps;
      const pair = `${first}${rest.map((step) => `[${step}]`).join('')}=${encodeURIComponent(value)}`;
      return { kind, values: [random.chance(50) ? pair : `${aName(random)}=1&${pair}`] };
    }
    return { kind, values: [inJson(steps, name, random)] };
  },
};

/** What applications look for on objects, or anything. */
const property: Maker = oneOf(
  () => 'isAdmin',
  () => 'polluted',
  (random) => random.pick(['role', 'admin', 'shell', 'env', 'status', 'outputFunctionName', 'src']),
  () => 'toString',
  (random) => `${aName(random)}_`,
  (random) => `${aName(random)}X`,
);

function stepsIn(name: string, random: Random): string[] {
  const way = random.chance(50) ? ['__proto__'] : ['constructor', 'prototype'];
  const wayIn = random.chance(35) ? [random.pick(['settings', 'user', `${aName(random)}Y`])] : [];
  if (name.endsWith('gate')) return ['__proto__', 'isAdmin'];
  if (name.endsWith('refused')) return [...wayIn, 'constructor', 'prototype', property(random)];
  return [...wayIn, ...way, property(random)];
}

function pathOf(steps: readonly string[], name: string, random: Random): string {
  if (!/brackets|refused/.test(name)) return steps.join('.');
  return steps
    .map((step, index) =>
      random.pick([
        index === 0 ? step : `.${step}`,
        index === 0 ? step : `[${step}]`,
        index === 0 ? step : `['${step}']`,
        index === 0 ? step : `["${step}"]`,
      ]),
    )
    .join('');
}

const content: Maker = oneOf(
  () => 'true',
  aNumber,
  (random) => `"${aText(random)}"`,
  (random) => `["${aName(random)}"]`,
  (random) => `{"${aName(random)}":${aNumber(random)}}`,
);

const idle: Maker = (random) => `"${aName(random)}":${content(random)}`;

function inJson(steps: readonly string[], name: string, random: Random): string {
  const space = random.pick(['', ' ']);
  if (name.startsWith('unflatten')) {
    return `{"${steps.join('.')}":${space}${content(random)}}`;
  }
  const written = name.endsWith('removed')
    ? steps.map((step) => step.replace('__proto__', '____proto__proto__'))
    : steps;
  const nested = written.reduceRight(
    (inner, step) => `{"${step}":${space}${inner}}`,
    content(random),
  );
  const members = nested.slice(1, -1);
  if (name.endsWith('concatenation')) {
    return `${aText(random)}",${members},"${aName(random)}":"${aText(random)}`;
  }
  const object = random.pick([
    `{${members}}`,
    `{${idle(random)},${space}${members}}`,
    `{${members},${idle(random)}}`,
  ]);
  return name.includes('list') && random.chance(50) ? `[{},${object}]` : object;
}
