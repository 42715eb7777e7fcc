import { serverInclude } from '../../grammars/html/server-include.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `<!--#include file="/etc/passwd" -->`, `<!--#fsize …-->`, `<!--#flastmod …-->` */
export const include: ValueRule = {
  id: 'ssi.include',
  cwe: 'CWE-97',
  severity: 'high',
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
    '<!--#include file="../../config.php" -->',
    "<!--#include virtual='/server-status' -->",
    '<!--#fsize file=/etc/hosts -->',
    'x<!-- #include virtual=.htpasswd -->',
    '<!--#flastmod virtual="echo.html" -->',
    '#include virtual="/admin/list" wait="yes" ',
    '# include file=\'notes.html\' --><!--# echo var="pid"',
  ],
  lookalikes: [
    '<!-- include the logo here -->',
    '<!-- #includes: header, footer -->',
    'C: #include <stdio.h> /* <!-- no --> */',
    '<!-- #region include -->',
    '#include "file.h"\n#include <virtual.h>',
    'write #include file="x.html" into the page',
  ],
};

const names: ReadonlySet<string> = new Set(['include', 'fsize', 'flastmod']);
const sources: ReadonlySet<string> = new Set(['file', 'virtual', 'wait', 'set', 'stub', 'onerror']);
