import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { each, string, whole } from './template.ts';

const freemarker = ['freemarker'];
const velocity = ['velocity'];
const both = [...freemarker, ...velocity];

const spaces = (random: Random): string =>
  random.times(1 + random.below(3), () => random.pick([' ', '\t', '\n'])).join('');
const note = (random: Random): string => random.pick(['', 'x', ' note ', '-', '}', '"']);

/** An interpolation of FreeMarker without braces inside of it. */
const interpolation = /\$\{([^{}]+)\}/;
const interpolations = /\$\{([^{}]+)\}/g;
/** A reference of Velocity with its members. */
const reference = /\$(!?)([a-z]\w*)((?:\.\w+(?:\([^()]*\))?|\[[^\]]*\])*)/gi;
const methodNames: Readonly<Record<string, string>> = {
  class: 'getClass()',
  secret_key: 'get("secret_key")',
  name: 'getName()',
  type: 'getType()',
  classLoader: 'getClassLoader()',
  protectionDomain: 'getProtectionDomain()',
};

/** Comments between the tokens of an expression: https://freemarker.apache.org/docs/dgui_template_overallstructure.html */
function commented(inner: string, random: Random): string {
  return inner.replace(/(?<=[\w)"'])([?.+*,(])(?=[\w"'(])/g, (mark: string) =>
    random.chance(50) ? `<#--${note(random).replace('"', '')}-->${mark}` : mark,
  );
}

/** What both have. */
const shared: readonly Rewriter[] = [
  ...each('numbers in parts', both, (value, random) =>
    value.replace(whole, (digits) => {
      const part = 1 + random.below(90);
      return random.pick([
        `(${Number(digits) + part}-${part})`,
        `(${Number(digits) - part}+${part})`,
        `(${digits}*1)`,
        `(0+${digits})`,
      ]);
    }),
  ),
  ...each('space round operators', both, (value, random) =>
    value.replace(/(?<=[\w)])([*+=])(?=[\w("'])/g, (mark) =>
      random.pick([` ${mark}`, `${mark} `, ` ${mark} `, `\t${mark}`]),
    ),
  ),
  ...each('other quotes', both, (value) =>
    value.replace(string, (_, quote: string, text: string) => {
      const other = quote === '"' ? "'" : '"';
      return text.includes(other) ? quote + text + quote : other + text + other;
    }),
  ),
];

const freemarkerText: readonly Rewriter[] = [
  ...each('space in marks', freemarker, (value, random) =>
    value
      .replace(
        interpolations,
        (_, inner: string) => `\${${spaces(random)}${inner}${spaces(random)}}`,
      )
      .replace(/(?<=<#\w+ \w[^<>]*)>/g, () => `${spaces(random)}>`),
  ),
  ...each('square tags', freemarker, (value) =>
    value.replace(/<(\/?[#@])([^<>]*)>/g, (_, mark: string, inner: string) => `[${mark}${inner}]`),
  ),
  ...each(
    'comment before',
    freemarker,
    (value, random) => `${random.pick(['<#--', '<#-- '])}${note(random)}-->${value}`,
  ),
  ...each('verbatim before', freemarker, (value, random) => {
    return `<#noparse>${random.pick(['', '${x', '<#if', 'x'])}</#noparse>${value}`;
  }),
  ...each('in a directive', freemarker, (value, random) =>
    random.pick([
      `<#if true>${value}</#if>`,
      `<#if 2 gt 1>${value}<#else>x</#if>`,
      `<#compress>${value}</#compress>`,
      `<#attempt>${value}<#recover>x</#attempt>`,
      `<#switch 1><#case 1>${value}</#switch>`,
      `<#list 1..1 as i>${value}</#list>`,
      `<#escape x as x>${value}</#escape>`,
    ]),
  ),
  ...each('by a variable', freemarker, (value, random) =>
    value.replace(interpolation, (_, inner: string) => {
      const name = `v${random.below(999)}`;
      const kind = random.pick(['assign', 'global']);
      return random.pick([
        `<#${kind} ${name}=${inner}>\${${name}}`,
        `<#${kind} ${name}>\${${inner}}</#${kind}>\${${name}}`,
      ]);
    }),
  ),
];

const freemarkerExpressions: readonly Rewriter[] = [
  ...each('comments inside', freemarker, (value, random) => {
    const isText = interpolation.test(value) || value.includes('<#');
    if (!isText) return commented(value, random);
    return value.replace(interpolations, (_, inner: string) => `\${${commented(inner, random)}}`);
  }),
  ...each('space inside', freemarker, (value, random) =>
    value.replace(/(?<=[\w)"'])([?.(])(?=\w|["')])/g, (mark: string) =>
      random.chance(60) ? `${spaces(random)}${mark}${spaces(random)}` : mark,
    ),
  ),
  ...each('members by name', freemarker, (value, random) =>
    value.replace(/(?<=\b(?:config|user|class)|\])\.([a-z]\w+)/g, (all, name: string) =>
      random.chance(70) ? `[${random.pick([`"${name}"`, `'${name}'`])}]` : all,
    ),
  ),
  ...each('concatenated strings', freemarker, (value, random) =>
    value.replace(/(["'])([\w. /]{2,})\1/g, (_, quote: string, text: string) => {
      const cut = random.below(text.length);
      const parts = `${quote}${text.slice(0, cut)}${quote}+${quote}${text.slice(cut)}${quote}`;
      return `(${parts})`;
    }),
  ),
  ...each('escaped strings', freemarker, (value, random) =>
    value.replace(/(?<!r)(["'])([\w. /]{2,})\1/g, (_, quote: string, text: string) => {
      const inner = [...text].map((one) =>
        random.chance(50) ? `\\x${one.charCodeAt(0).toString(16).padStart(4, '0')}` : one,
      );
      return quote + inner.join('') + quote;
    }),
  ),
  ...each('raw strings', freemarker, (value) =>
    value.replace(/(?<![\w"'\\])(["'])([\w. /]{2,})\1(?=[?,)\]])/g, (all) => `r${all}`),
  ),
  ...each('changed strings', freemarker, (value, random) =>
    value.replace(/(["'])([\w.]{4,})\1(?=[?,)\]])/g, (all, quote: string, text: string) =>
      random.pick([
        `(${quote}x${text}${quote}?substring(1))`,
        `${quote}zz${text}${quote}[2..]`,
        `(${quote}${text.replace('.', '#')}${quote}?replace("#","."))`,
        `(${quote}${text}${quote}?trim)`,
        all,
      ]),
    ),
  ),
  ...each('brackets', freemarker, (value, random) =>
    value.replace(interpolations, (_, inner: string) =>
      random.pick([`\${(${inner})}`, `\${((${inner}))}`, `\${(${inner})!}`, `\${[${inner}][0]}`]),
    ),
  ),
  ...each('evaluated', freemarker, (value) =>
    value.replace(interpolations, (all, inner: string) => {
      const quote = ["'", '"'].find((one) => !inner.includes(one));
      return quote === undefined ? all : `\${${quote}${inner}${quote}?eval}`;
    }),
  ),
];

const velocityText: readonly Rewriter[] = [
  ...each('formal references', velocity, (value, random) =>
    value.replace(reference, (all, quiet: string, name: string, members: string) =>
      random.chance(70) ? `$${quiet || random.pick(['', '!'])}{${name}${members}}` : all,
    ),
  ),
  ...each('space in directives', velocity, (value, random) =>
    value.replace(/#(set|if|foreach|include|parse|evaluate)\(/g, (_, name: string) =>
      random.pick([`#${name} (`, `#${name}( `, `#${name}\t(`, `#${name}(\n`]),
    ),
  ),
  ...each('names in braces', velocity, (value) =>
    value.replace(/#(set|if|foreach|end|include|parse|evaluate)\b/g, '#{$1}'),
  ),
  ...each('comment before', velocity, (value, random) =>
    random.pick([`#*${note(random)}*#${value}`, `##${note(random)}\n${value}`, `#**x*#${value}`]),
  ),
  ...each('verbatim before', velocity, (value, random) => {
    return `#[[${random.pick(['', '$x', '#if(', 'x'])}]]#${value}`;
  }),
  ...each('in a directive', velocity, (value, random) =>
    random.pick([
      `#if(true)${value}#end`,
      `#if(1<2)${value}#{else}x#end`,
      `#foreach($i in [1..1])${value}#end`,
      `#if(!$none)${value}#end`,
    ]),
  ),
  ...each('macro', velocity, (value, random) => {
    const name = `m${random.below(999)}`;
    return `#macro(${name})${value}#end#${name}()`;
  }),
  ...each('evaluated', velocity, (value) =>
    value.includes("'") ? value : `#set($h='${value}')#evaluate($h)`,
  ),
];

const velocityExpressions: readonly Rewriter[] = [
  ...each('methods', velocity, (value, random) =>
    value.replace(/\.(\w+)\b(?!\()/g, (all, name: string) => {
      const method = methodNames[name];
      return method !== undefined && random.chance(80) ? `.${method}` : all;
    }),
  ),
  ...each('members by index', velocity, (value) =>
    value.replace(/\.(?:secret_key|get\((["'])secret_key\1\))/g, "['secret_key']"),
  ),
  ...each('by a variable', velocity, (value, random) =>
    value.replace(reference, (all) => {
      const name = `v${random.below(999)}`;
      return all.includes('.') ? `#set($${name}=${all})$${name}` : all;
    }),
  ),
  ...each('strings by a variable', velocity, (value, random) => {
    const name = `s${random.below(999)}`;
    const found = new RegExp(string.source).exec(value);
    const [all = '', , text = ''] = found ?? [];
    if (found === null || text.length < 2) return value;
    const cut = 1 + random.below(text.length - 1);
    const joined = `"\${${name}}${text.slice(cut)}"`;
    const end = found.index + all.length;
    const rest = value.slice(0, found.index) + joined + value.slice(end);
    return `#set($${name}='${text.slice(0, cut)}')${rest}`;
  }),
];

/** Ways to write what the template engines of Java evaluate in the same way. */
export const javaTemplateRewriters: readonly Rewriter[] = [
  ...shared,
  ...freemarkerText,
  ...freemarkerExpressions,
  ...velocityText,
  ...velocityExpressions,
];
