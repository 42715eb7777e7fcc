import type { ValueRule } from '../rule.ts';
import { findDirective } from './directives.ts';

/** `<!--#echo var="DOCUMENT_ROOT" -->`, `<!--#printenv -->`, `<!--#set …-->`, `<!--#if …-->` */
export const variable: ValueRule = {
  id: 'ssi.variable',
  category: 'ssi',
  cwe: 'CWE-97',
  severity: 'medium',
  score: 86,
  message: 'makes the web server print or set its own variables',
  trigger: {
    literals: [['<!--'], ['echo', 'printenv', 'config', 'set', 'if', 'block', 'cookie']],
  },
  judge: (subject) =>
    findDirective(
      subject,
      ({ kind, name, attribute }) =>
        kind === 'ssi' &&
        (name === 'printenv' || attributes.get(name)?.includes(attribute) === true),
    ),
  examples: [
    '<!--#echo var="SERVER_NAME" -->',
    '<!--#printenv -->',
    "<!--#config timefmt='%Y' -->",
    '<!--#set var=x value=y -->',
    '<!--#if expr="$REMOTE_ADDR = /^127/" -->',
    "Hello <!--#echo encoding='none' var='DATE_LOCAL'-->",
  ],
  lookalikes: [
    '<!-- #region settings -->',
    '<!--[if lt IE 9]> old <![endif]-->',
    '<!-- set the title, echo the name -->',
    '<!-- #if we keep this section -->',
    '<!-- prettier-ignore #config -->',
  ],
};

/** The attributes that each directive takes. */
const attributes: ReadonlyMap<string, readonly string[]> = new Map([
  ['echo', ['var', 'encoding', 'decoding', 'default']],
  ['config', ['errmsg', 'echomsg', 'sizefmt', 'timefmt']],
  ['set', ['var', 'value', 'encoding', 'decoding']],
  ['if', ['expr']],
  ['elif', ['expr']],
  ['block', ['name']],
]);
