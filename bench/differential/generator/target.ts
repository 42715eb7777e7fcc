import type { Random } from '../../lib/random.ts';
import { name, percentEncoded, text, word } from './texts.ts';

/** The target of a request line: any form of URI and of query. */
export function target(random: Random): string {
  const written = `${prefix(random)}${path(random)}${random.chance(75) ? query(random) : ''}`;
  // A request line ends at the first space: what is left of them is for the mutations.
  return oneByteEach(written).replace(/[\s\x00-\x20\x7f]/g, (found) =>
    random.chance(98) ? `%${found.charCodeAt(0).toString(16).padStart(2, '0')}` : found,
  );
}

/** Characters outside of Latin-1 as the bytes of UTF-8, each one character. */
export function oneByteEach(value: string): string {
  return /^[\0-\xff]*$/.test(value) ? value : Buffer.from(value).toString('latin1');
}

function prefix(random: Random): string {
  if (random.chance(88)) return '';
  return random.pick([
    'http://127.0.0.1',
    `http://${word(random)}.example:8080`,
    'HTTP://LOCALHOST',
    `http://${word(random)}@localhost`,
    '/',
    '//',
    '/.',
    '/./',
    `/${word(random)}/..`,
    `//${word(random)}.example`,
  ]);
}

function path(random: Random): string {
  const first = random.pick(['/', '/p/', '/p/', '/p/', '/q/', '/P/', '/p//', '/%70/', '/p;']);
  const segments = random.times(random.below(3), () => segment(random));
  return `${first}${segments.join(random.pick(['/', '/', '/', '//', '/./', '%2f', '\\']))}`;
}

function segment(random: Random): string {
  const plain = percentEncoded(text(random), random);
  if (random.chance(75)) return plain;
  return random.pick([
    `${plain};${word(random)}=${word(random)}`,
    `${plain};jsessionid=${word(random)}`,
    `${word(random)}.${plain}`,
    `${plain}.json`,
    `%2e%2e/${plain}`,
    `${plain}%00${word(random)}`,
    `${plain}%ff`,
    `:${plain}`,
    `${plain},${word(random)}`,
  ]);
}

function query(random: Random): string {
  const start = random.pick(['?', '?', '?', '?', '?', '??', '?&', '?#', '#?', '%3f', '?&&']);
  const joint = random.pick(['&', '&', '&', '&', ';', '&amp;', '&&', ',', '%26']);
  return `${start}${pairs(random, joint)}`;
}

/** Names and values as a query or a form writes them. */
export function pairs(random: Random, joint = '&'): string {
  const made = random.times(1 + random.below(4), () => pair(random));
  const [first] = made;
  // A name that comes again, with another value.
  if (first !== undefined && random.chance(25)) {
    made.push(`${first.split('=')[0]}=${percentEncoded(text(random), random)}`);
  }
  return made.join(joint);
}

function pair(random: Random): string {
  const own = name(random);
  const key = random.chance(70) ? own : percentEncoded(own, random);
  const value = percentEncoded(text(random), random);
  switch (random.below(16)) {
    case 0:
      return key;
    case 1:
      return `=${value}`;
    case 2:
      return `${key}=`;
    case 3:
      return `${key}==${value}`;
    case 4:
      return `${key}=${word(random)},${value}`;
    case 5:
      return `${key}=%${value}`;
    case 6:
      return `${key}=${value}%ff`;
    case 7:
      return `${key}=${value}%u0027${word(random)}`;
    case 8:
      return `+${key}=+${value}+`;
    default:
      return `${key}=${value}`;
  }
}
