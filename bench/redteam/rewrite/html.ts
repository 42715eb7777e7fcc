import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';

type Rewrite = (value: string, random: Random) => string;

function html(name: string, rewrite: Rewrite): Rewriter {
  return {
    name,
    language: 'html',
    rewrite: (value, random) => {
      const result = rewrite(value, random);
      return result === value ? undefined : result;
    },
  };
}

/** Start tags, as far as quotes let see. */
const tag = /<(\/?)([a-z][\w-]*)((?:[^"'<>]|"[^"]*"|'[^']*')*)>/gi;
/** An attribute with its value, in one of the three kinds of quotes. */
const attribute = /([\s/]+)([a-z][\w:-]*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>=`]+)/gi;

function inTags(value: string, change: (inside: string, name: string) => string): string {
  return value.replace(tag, (whole, slash: string, name: string, inside: string) =>
    slash === '' ? `<${name}${change(inside, name)}>` : whole,
  );
}

/** The text in an attribute of the value, whether its tag is in the value or before it. */
function inAttributes(value: string, change: (text: string, name: string) => string): string {
  return value.replace(attribute, (whole, lead: string, name: string, given: string) => {
    if (!/^(?:on|href|src|srcdoc|action|formaction|data|xlink)/i.test(name)) return whole;
    const quote = /^["']/.exec(given)?.[0] ?? '';
    const text = quote === '' ? given : given.slice(1, -1);
    return `${lead}${name}=${quote}${change(text, name.toLowerCase())}${quote}`;
  });
}

function randomCase(text: string, random: Random): string {
  return [...text]
    .map((one) => (random.chance(50) ? one.toUpperCase() : one.toLowerCase()))
    .join('');
}

function spaces(random: Random): string {
  return random
    .times(1 + random.below(3), () => random.pick([' ', '\t', '\n', '\f', '\r']))
    .join('');
}

/** Some characters as references: all kinds of numbers, with zeros, in either base. */
function referenced(text: string, random: Random, percent: number): string {
  return [...text]
    .map((one, at) => {
      if (!random.chance(percent)) return one;
      const code = one.codePointAt(0) ?? 0;
      const zeros = '0'.repeat(random.below(6));
      const next = text[at + 1] ?? ' ';
      const end = /[\da-f]/i.test(next) || random.chance(60) ? ';' : '';
      return random.chance(50)
        ? `&#${zeros}${code}${end}`
        : `&#${random.pick(['x', 'X'])}${zeros}${randomCase(code.toString(16), random)}${end}`;
    })
    .join('');
}

const named: Readonly<Record<string, string>> = {
  '(': '&lpar;',
  ')': '&rpar;',
  ':': '&colon;',
  '.': '&period;',
  '/': '&sol;',
  ',': '&comma;',
  '[': '&lbrack;',
  ']': '&rbrack;',
  "'": '&apos;',
  '`': '&grave;',
  '+': '&plus;',
  '=': '&equals;',
  '{': '&lbrace;',
  '}': '&rbrace;',
};

/** Ways to write what a parser of HTML reads in the same way. */
export const htmlRewriters: readonly Rewriter[] = [
  html('tag case', (value, random) =>
    value.replace(/(<\/?)([a-z][\w-]*)/gi, (_, open: string, name: string) => {
      return open + randomCase(name, random);
    }),
  ),
  html('attribute case', (value, random) =>
    value.replace(attribute, (_, lead: string, name: string, given: string) => {
      return `${lead}${randomCase(name, random)}=${given}`;
    }),
  ),
  html('space between attributes', (value, random) =>
    inTags(value, (inside) =>
      inside.replace(attribute, (_, __: string, name: string, given: string) => {
        return `${random.pick([spaces(random), '/', '/ ', ' / ', '//'])}${name}=${given}`;
      }),
    ),
  ),
  html('space round equals', (value, random) =>
    value.replace(attribute, (_, lead: string, name: string, given: string) => {
      return `${lead}${name}${spaces(random)}=${spaces(random)}${given}`;
    }),
  ),
  html('other quotes', (value, random) =>
    inTags(value, (inside) =>
      inside.replace(attribute, (whole, lead: string, name: string, given: string) => {
        const text = /^["']/.test(given) ? given.slice(1, -1) : given;
        const free = ['"', "'"].filter((quote) => !text.includes(quote) && quote !== given[0]);
        if (free.length === 0) return whole;
        const quote = random.pick(free);
        return `${lead}${name}=${quote}${text}${quote}`;
      }),
    ),
  ),
  html('no quotes', (value, random) =>
    inAttributes(value, (text) =>
      text.replace(/[\s"'`=<>]/g, (one) => referenced(one, random, 100).replace(/;?$/, ';')),
    ).replace(/=(["'])([^\s"'`=<>]+)\1/g, (_, __, text: string) => `=${text}`),
  ),
  html('numeric references', (value, random) =>
    inAttributes(value, (text) => referenced(text, random, 10 + random.below(80))),
  ),
  html('named references', (value, random) =>
    inAttributes(value, (text) =>
      [...text].map((one) => (random.chance(60) ? (named[one] ?? one) : one)).join(''),
    ),
  ),
  html('breaks in a scheme', (value, random) =>
    value.replace(/javascript:/gi, (scheme) =>
      [...scheme]
        .map((one) => (random.chance(30) ? random.pick(['\t', '\n', '\r']) + one : one))
        .join(''),
    ),
  ),
  html('references in a scheme', (value, random) =>
    value.replace(/javascript:/gi, (scheme) =>
      [...scheme]
        .map((one) =>
          random.chance(25) ? random.pick(['&Tab;', '&NewLine;', '&#9;', '&#10;']) + one : one,
        )
        .join(''),
    ),
  ),
  html('scheme case', (value, random) =>
    value.replace(/javascript:/gi, (scheme) => randomCase(scheme, random)),
  ),
  html('control before a scheme', (value, random) =>
    value.replace(/javascript:/gi, (scheme) => {
      return `${String.fromCharCode(1 + random.below(32))}${scheme}`;
    }),
  ),
  html('dead attributes', (value, random) =>
    inTags(value, (inside) => {
      const name = `data-${random.below(1000)}`;
      const dead = random.pick([
        ` ${name}`,
        ` ${name}=">"`,
        ` ${name}='/>'`,
        ` title="${random.below(99)}"`,
        ` "${random.below(99)}"=`,
      ]);
      return random.chance(50) || inside.endsWith('/') ? `${dead}${inside}` : `${inside}${dead}`;
    }),
  ),
  html('repeated attribute', (value, random) =>
    inTags(value, (inside) =>
      inside.replace(attribute, (whole, _, name: string) => {
        return random.chance(60) ? `${whole} ${name}="${random.below(99)}"` : whole;
      }),
    ),
  ),
  html('dead tags around', (value, random) =>
    value.replace(/<(?=[a-z])/i, () => {
      const name = random.pick([
        'b',
        'i',
        'u',
        'span',
        'center',
        `x${random.below(99)}`,
        'section',
      ]);
      return `<${name}${random.pick(['', ' ', '/', '\n'])}><`;
    }),
  ),
  html('dead comment before', (value, random) =>
    value.replace(/<(?=[a-z])/i, () => {
      return `${random.pick(['<!-->', '<!--->', '<!--x-->', '<?x>', '</ >', '<!x>', '<![CDATA[x]>'])}<`;
    }),
  ),
  html('unclosed tag', (value) => value.replace(/<\/(?!script|style|t)[a-z][\w-]*>\s*$/i, '')),
  html('end of tag left out', (value, random) =>
    value.replace(/>\s*$/, () => random.pick([' x=', '//', '\n', '<', ' '])),
  ),
  html('null characters', (value, random) =>
    value.replace(/(<[a-z][\w-]*)([\s/])/i, (_, name: string, rest: string) => {
      return `${name}${rest}\0${random.below(99)}${rest}`;
    }),
  ),
  html('slash before the name', (value, random) =>
    inTags(
      value,
      (inside) => `${random.times(1 + random.below(3), () => '/').join('')}${inside || ' '}`,
    ),
  ),
  html('end tag with attributes', (value, random) =>
    value.replace(
      /<\/(\w+)>/g,
      (_, name: string) => `</${name}${spaces(random)}x=${random.below(99)}>`,
    ),
  ),
];
