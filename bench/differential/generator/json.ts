import type { Random } from '../../lib/random.ts';
import { name, text, word } from './texts.ts';

/** A JSON text, or what some readers take for one. */
export function json(random: Random): string {
  const plain = value(random, 0, random.below(8));
  return dialect(plain, random);
}

function value(random: Random, depth: number, shape: number): string {
  if (depth > 3 || shape > 6) return scalar(random);
  if (shape < 5) return object(random, depth);
  const items = random.times(1 + random.below(3), () => value(random, depth + 1, random.below(14)));
  return `[${items.join(',')}]`;
}

function object(random: Random, depth: number): string {
  const members = random.times(1 + random.below(3), () => {
    const key = quoted(name(random), random);
    return `${key}:${value(random, depth + 1, random.below(14))}`;
  });
  const [first] = members;
  // A name that comes again: readers keep the first, the last or both.
  if (first !== undefined && random.chance(15)) members.push(`${keyOf(first)}:${scalar(random)}`);
  if (random.chance(4)) members.unshift('"fieldname":1', '"mimetype":1');
  return `{${members.join(random.chance(95) ? ',' : ' , ')}}`;
}

function keyOf(member: string): string {
  return /^"(?:[^"\\]|\\.)*"/.exec(member)?.[0] ?? '"a"';
}

function scalar(random: Random): string {
  if (random.chance(88)) return quoted(text(random), random);
  return random.pick(['1', '-1.5e3', 'true', 'false', 'null', '12345678901234567890', '""']);
}

/** A string with more or with fewer escapes than it needs. */
function quoted(value: string, random: Random): string {
  const plain = JSON.stringify(value);
  switch (random.below(12)) {
    case 0:
      return `"${[...plain.slice(1, -1)].map((one) => (one === '\\' ? one : one)).join('')}"`;
    case 1:
      return `"${value.replace(/[\s\S]/g, unicodeEscape)}"`;
    case 2:
      return `"${plain.slice(1, -1).replaceAll('/', '\\/').replaceAll("'", '\\u0027')}"`;
    default:
      return plain;
  }
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** What only some readers of JSON take. */
function dialect(plain: string, random: Random): string {
  if (random.chance(70)) return plain;
  const isObject = plain.startsWith('{');
  const inside = isObject ? plain.slice(1, -1) : `"${word(random)}":${plain}`;
  const deep = 20 + random.below(120);
  return random.pick([
    `\ufeff${plain}`,
    `{"n":NaN,${inside}}`,
    `{${inside},"n":-Infinity}`,
    `{${inside},}`,
    `[${plain},]`,
    `/*${word(random)}*/${plain}`,
    `{//${word(random)}\n${inside}}`,
    `#${word(random)}\n${plain}`,
    plain.replaceAll('"', "'"),
    `{${word(random)}:${isObject ? plain : `"${word(random)}"`}}`,
    `{${inside},"s":"\\ud800${word(random)}"}`,
    `{${inside},"c":"${word(random)}\u0001${word(random)}"}`,
    `{${inside},"l":"${word(random)}\n${word(random)}"}`,
    `{${inside},"x":"\\x27${word(random)}"}`,
    `{${inside},"h":0x1F,"p":+1,"d":.5,"e":01}`,
    `${'{"a":'.repeat(deep)}${plain}${'}'.repeat(deep)}`,
    `${'['.repeat(deep)}${plain}${']'.repeat(deep)}`,
    `${plain}${word(random)}`,
    `${plain}\n${plain}`,
    `)]}',\n${plain}`,
    `${' '.repeat(random.below(60))}${plain}\n\n`,
    `\v\f\u00a0${plain}`,
    `{"__proto__":${plain},${inside}}`,
    plain.slice(0, -1),
    `a=${plain}`,
    `${plain}=${word(random)}`,
    JSON.stringify(plain),
  ]);
}
