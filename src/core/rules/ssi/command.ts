import { serverInclude } from '../../grammars/html/server-include.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `<!--#exec cmd="id" -->` */
export const command: ValueRule = {
  id: 'ssi.command',
  cwe: 'CWE-97',
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
    '<!--#exec cmd="ls -la" -->',
    "<!--# exec cmd='id'-->",
    '<!-- #exec cgi="/cgi-bin/x.cgi" -->',
    'Nice! <!--#EXEC CMD=whoami -->',
    '<!--#perl sub="sub { system q(id) }" -->',
    '#exec cmd="id" ',
  ],
  lookalikes: [
    '<!-- exec summary goes here -->',
    'the #exec directive of SSI is switched off here <!-- see the manual -->',
    '<!-- #executive summary -->',
    '<!-- perl and odbc -->',
  ],
};

function runs(name: string, attribute: string): boolean {
  if (name === 'exec') return attribute !== '';
  return (
    (name === 'perl' && (attribute === 'sub' || attribute === 'arg')) ||
    (name === 'odbc' && attribute !== '')
  );
}
