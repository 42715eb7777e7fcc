import { serverInclude } from '../../grammars/html/server-include.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `<!--#echo var="DOCUMENT_ROOT" -->`, `<!--#printenv -->`, `<!--#set …-->`, `<!--#if …-->` */
export const variable: ValueRule = {
  id: 'ssi.variable',
  cwe: 'CWE-97',
  severity: 'medium',
  score: confidence.strong,
  message: 'makes the web server print or set its own variables',
  trigger: {
    literals: [
      ['<!--', '#'],
      ['echo', 'printenv', 'config', 'set', 'if', 'block', 'cookie'],
    ],
  },
  judge: (subject) =>
    subject
      .tokens(serverInclude)
      .find(
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
    '#echo var=\'nick\' default="none" ',
    '#config errmsg="gone"',
  ],
  lookalikes: [
    '<!-- #region settings -->',
    '<!--[if lt IE 9]> old <![endif]-->',
    '<!-- set the title, echo the name -->',
    '<!-- #if we keep this section -->',
    '<!-- prettier-ignore #config -->',
    '#set var="x" is what I wrote in the page',
    '#config #set #echo',
    '#if DEBUG == "yes"',
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
