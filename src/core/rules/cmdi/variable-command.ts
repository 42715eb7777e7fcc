import { commands } from '../../grammars/shell/commands.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `x='id';$x`: a variable is set to a command and run. */
export const variableCommand: ValueRule = {
  id: 'cmdi.variable-command',
  score: confidence.strong,
  message: 'puts a command into a shell variable and runs it',
  trigger: {
    literals: [
      [';', '|', '&', '`', '$(', '<(', '>(', '\n'],
      ['$', 'alias '],
      ['=', '$_', 'set', 'read', 'mapfile', 'getopts', 'printf'],
    ],
  },
  judge,
  examples: [
    "x='id';$x",
    'CMD=$"uname";$CMD',
    'a=l;b=s;$a$b',
    '|c="cat /etc/hosts";$c',
    '; a=(ps -ef);"${a[@]}"',
    'x;set -- id -u;$@',
    ';a=qcurl;${a#q} x.example',
    '$(alias a=id\neval a)',
    ';declare -x a=id;$a',
    'x;set id;$1',
    'x;read a <<E\nid\nE\n$a',
    'x;read<<<id;$REPLY',
    'x;a=i;a+=d;$a',
    'x;printf -v a id;$a',
  ],
  lookalikes: [
    'echo id;$_',
    'set x y z;shift;"$@"',
    'set x;shift;$1 each',
    'all true x;$_',
    '$a = 5; $b = $a + 1;',
    'price=5; $5 off',
    'plates; set of 5; $1 each',
    'Plates; set cut; $1 per piece',
    'tables; please shift 2; $3 each',
    '$total = 0; foreach ($items as $i) { $total += $i; }',
    'x = y; $y is not set',
    'export A=b, then use $A in the file',
  ],
};

function judge(subject: Subject): Match | undefined {
  const head = subject.tokens(commands).assembled;
  return head === undefined ? undefined : { start: head.start, end: head.nameEnd };
}
