import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';

const jinja = ['jinja'];
const curly = ['jinja', 'twig', 'nunjucks'];
const percent = ['erb', 'ejs'];
const onScript = ['nunjucks', 'ejs', 'pug'];
const engines = [...curly, ...percent, 'pug'];

type Rewrite = (value: string, random: Random, language: string) => string;

/** One rewriter for each of some languages. */
export function each(name: string, languages: readonly string[], rewrite: Rewrite): Rewriter[] {
  return languages.map((language) => ({
    name,
    language,
    rewrite: (value: string, random: Random) => {
      const result = rewrite(value, random, language);
      return result === value ? undefined : result;
    },
  }));
}

const hex = (code: number) => code.toString(16).padStart(2, '0');

/** Strings that are arguments or keys, and no part of what surrounds the value. */
export const string = /(?<=[([,=]\s*)(["'])((?:(?!\1)[^\\\n])+)\1(?=\s*[)\],])/g;

/** Numbers that are no part of a name or of a string. */
export const whole = /(?<![\w.'"])\d{2,}(?![\w.'"])/g;

const joins: Readonly<Record<string, string>> = { jinja: '~', twig: '~' };

/** Ways to write what template engines evaluate in the same way. */
export const templateRewriters: readonly Rewriter[] = [
  ...each('space in marks', [...engines, 'handlebars'], (value, random, language) => {
    const space = () =>
      random
        .times(1 + random.below(3), () =>
          random.pick(language === 'pug' ? [' ', '\t'] : [' ', '\t', '\n']),
        )
        .join('');
    return value
      .replace(/(\{\{[-~]?|<%[-=]|[#!]\{)(?![{#/&])/g, (mark) => mark + space())
      .replace(/(?<![}\s])([-~]?\}\}|-?%>)(?!\})/g, (mark) => space() + mark);
  }),
  ...each('space round operators', engines, (value, random) =>
    value.replace(/(?<=[\w)])([*+~|])(?=[\w(])/g, (mark) =>
      random.pick([` ${mark}`, `${mark} `, ` ${mark} `, `\t${mark}`]),
    ),
  ),
  ...each('numbers in parts', engines, (value, random) =>
    value.replace(whole, (digits) => {
      const part = 1 + random.below(90);
      return random.pick([
        `(${Number(digits) + part}-${part})`,
        `(${Number(digits) - part}+${part})`,
        `(${digits}/1)`,
        `(${digits}*1)`,
        `(0+${digits})`,
      ]);
    }),
  ),
  ...each('number forms', ['jinja', ...percent, 'pug'], (value, random) =>
    value.replace(whole, (digits) =>
      random.pick([
        `0x${Number(digits).toString(16)}`,
        `0b${Number(digits).toString(2)}`,
        `0o${Number(digits).toString(8)}`,
        `${digits[0]}_${digits.slice(1)}`,
      ]),
    ),
  ),
  ...each('brackets', engines, (value, random) =>
    value.replace(
      /(\{\{-?|<%[-=]|[#!]\{)\s*([^{}%#]+?)\s*(-?\}\}|-?%>|\})/g,
      (all, open: string, inner: string, close: string) =>
        /^(?:if|for|set|var)\b/.test(inner)
          ? all
          : `${open} ${random.pick(['(', '(('])}${inner}))`.replace(
              /(\(\(?)([\s\S]*)\)\)$/,
              (_, left: string, text: string) => left + text + ')'.repeat(left.length),
            ) + (close.startsWith('-') ? ` ${close}` : close),
    ),
  ),
  ...each('members by name', [...jinja, ...onScript], (value, random) => {
    const quote = ['"', "'"].find((one) => !value.includes(one));
    if (quote === undefined) return value;
    return value.replace(/(?<=[\w\])'"}])\.(__\w+__|[a-z]\w+)/g, (all, name: string) =>
      random.chance(70) ? `[${quote}${name}${quote}]` : all,
    );
  }),
  ...each('attribute filter', jinja, (value, random) =>
    value
      .replace(/\.(__\w+__)/g, (all, name: string) =>
        random.chance(80) ? `|attr('${name}')` : all,
      )
      .replace(/(\|attr\('\w+'\))\[/g, '$1.__getitem__['),
  ),
  ...each('concatenated strings', engines, (value, random, language) =>
    value.replace(string, (_, quote: string, text: string) => {
      const cut = random.below(text.length);
      const join = joins[language] ?? '+';
      return `${quote}${text.slice(0, cut)}${quote}${join}${quote}${text.slice(cut)}${quote}`;
    }),
  ),
  ...each('escaped strings', ['jinja', 'ejs', 'pug'], (value, random) =>
    value.replace(string, (_, quote: string, text: string) => {
      const inner = [...text].map((one) =>
        random.chance(50) ? `\\${random.pick(['x', 'u00'])}${hex(one.charCodeAt(0))}` : one,
      );
      return quote + inner.join('') + quote;
    }),
  ),
  ...each('comment before', curly, (value, random) =>
    value.replace(
      /\{[{%]/,
      (mark) => `{#${random.pick(['', 'x', ' ', '-', '}}', `${random.below(99)}`])}#}${mark}`,
    ),
  ),
  ...each('comment before', percent, (value, random) =>
    value.replace(
      /<%/,
      (mark) => `<%#${random.pick(['', 'x', ' ', `${random.below(99)}`])}%>${mark}`,
    ),
  ),
  ...each('comment before', ['handlebars'], (value, random) =>
    value.replace(
      /\{\{/,
      (mark) => `${random.pick(['{{!}}', '{{! x }}', '{{!-- }} --}}'])}${mark}`,
    ),
  ),
  ...each('verbatim before', ['jinja', 'nunjucks'], (value, random) =>
    value.replace(
      /\{[{%]/,
      (mark) => `{% raw %}${random.pick(['{{', '{#', 'x', '}}'])}{% endraw %}${mark}`,
    ),
  ),
  ...each('in a condition', curly, (value, random) =>
    value.replace(/\{\{-?([^{}]+?)-?\}\}/, (all, inner: string) =>
      random.pick([
        `{{${inner} if 1 else 0}}`,
        `{% if 1 %}${all}{% endif %}`,
        `{% if not 0 %}${all}{% else %}x{% endif %}`,
        `{{[${inner}]|first}}`,
      ]),
    ),
  ),
  ...each('by a variable', curly, (value, random) =>
    value.replace(/\{\{-?([^{}]+?)-?\}\}/, (_, inner: string) => {
      const name = `v${random.below(999)}`;
      return `{% set ${name}=${inner} %}{{${name}}}`;
    }),
  ),
  ...each('in a list', ['ejs', 'erb', 'pug'], (value, random) =>
    value.replace(
      /(<%[-=]|[#!]\{)([^{}%#"]+?)(-?%>|\})/,
      (_, open: string, inner: string, close: string) =>
        `${open}${random.pick([`[${inner}][0]`, `[0,${inner}][1]`, `(true&&(${inner}))`])}${close}`,
    ),
  ),
  ...each(
    'blocks',
    ['handlebars'],
    (value, random) =>
      value.replace(/\{\{/, (mark) => `{{#if @root}}${mark}`) +
      (value.includes('{{') ? random.pick(['{{/if}}', '{{else}}x{{/if}}']) : ''),
  ),
  ...each('segments in brackets', ['handlebars'], (value) =>
    value.replace(/config\.(\w+)/g, 'config.[$1]'),
  ),
];
