import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { commands } from './commands.ts';

/** `x='id';$x`: a variable is set to a command and run. */
export const variableCommand: ValueRule = {
  id: 'cmdi.variable-command',
  category: 'cmdi',
  cwe: 'CWE-78',
  severity: 'critical',
  score: 88,
  message: 'puts a command into a shell variable and runs it',
  trigger: {
    classes: charClass.dollar | charClass.equals,
    literals: [[';$', '; $', '&$', '& $', '|$', '| $', '`$', '$($', '\n$']],
  },
  judge,
  examples: ["x='id';$x", 'CMD=$"uname";$CMD', 'a=l;b=s;$a$b', '|c="cat /etc/hosts";$c'],
  lookalikes: [
    '$a = 5; $b = $a + 1;',
    'price=5; $5 off',
    '$total = 0; foreach ($items as $i) { $total += $i; }',
    'x = y; $y is not set',
  ],
};

function judge(subject: Subject): Match | undefined {
  const head = subject.tokens(commands).assembled;
  return head === undefined ? undefined : { start: head.start, end: head.nameEnd };
}
