import { charClass } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';
import { compileSequences, findSequence } from './sequence.ts';

/** `` print `id`; ``, `` @{[`id`]} ``: Perl, PHP and Ruby run what stands in backticks. */
export const backtick: ValueRule = {
  id: 'code.backtick',
  category: 'code',
  cwe: 'CWE-78',
  severity: 'critical',
  score: 85,
  message: 'runs a command in backticks as Perl, PHP and Ruby do',
  trigger: {
    classes: charClass.backtick,
    literals: [
      [
        'print `',
        'print(`',
        'echo `',
        'return `',
        '@{[',
        '};`',
        '}; `',
        'eval',
        'puts `',
        'die `',
        'die(`',
      ],
    ],
  },
  judge: (subject) => findSequence(subject, sequences),
  examples: ['print `id`;', 'x@{[`uname -a`]}', '{7*7};`id`', 'eval("`id`")', "';echo `ls`;//"],
  lookalikes: [
    'Please print `total` and then close the file',
    'return `name` if set',
    'The type is `{ a: string }`; `null` is not allowed here',
    '`eval` and `puts`',
  ],
};

const sequences = compileSequences([
  { pattern: 'print|echo|return|puts|die|eval ` * ` ;', score: 84, inProse: 50 },
  { pattern: 'print|echo|return|puts|die|eval ` * - * ` ;', score: 84, inProse: 50 },
  { pattern: "eval ( ' `", score: 88 },
  { pattern: 'eval|print|echo|puts|die ( `', score: 76, inProse: 45 },
  { pattern: '@ { [ `', score: 88 },
  { pattern: '@ { [ system|exec|qx|open|print|eval', score: 88 },
  { pattern: '} ; ` *', score: 80, inProse: 50 },
]);
