import type { Capability } from '../../grammars/script/expression/capabilities.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';
import { expressionMatch } from './expression.ts';

/** Ruby's `%x(id)` as the value or after a separator. */
export const rubyLiteral: ValueRule = {
  id: 'code.ruby-literal',
  cwe: 'CWE-78',
  severity: 'critical',
  score: confidence.strong,
  message: 'runs a command in a literal of Ruby',
  trigger: { classes: charClass.percent, literals: [['%x(', '%x{', '%x[', '%x|', '%x!']] },
  judge,
  examples: ['%x(id)', "';%x{ls -la}", '"#{%x(id)}"', '= %x[uname]', '[1,%x|id|]'],
  lookalikes: [
    'strftime: %x (the date) and %X (the time)',
    'printf("%x|%x", a, b)',
    '100%x(2) is not a formula',
    'hex: %x! dec: %d',
  ],
};

function judge(subject: Subject): Match | undefined {
  const { text } = subject;
  const found = foundBy(percentX.exec(text));
  return found ?? (literal.test(text) ? expressionMatch(subject, commands) : undefined);
}

const commands: ReadonlySet<Capability> = new Set<Capability>(['run']);

const percentX =
  /(?:^|[;'={] {0,2})%x(?:\([^)\n]{1,120}\)|\{[^}\n]{1,120}\}|\[[^\]\n]{1,120}\]|[|!][^|!\n]{1,120}[|!])/;

const literal = /%x[([{|!]/i;
