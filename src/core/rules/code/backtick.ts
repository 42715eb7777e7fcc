import { shellCommand } from '../../grammars/script/expression/capabilities.ts';
import { expression, type Passage } from '../../grammars/script/expression/expression.ts';
import { compileSequences, findSequence } from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `` print `id`; ``, `` @{[`id`]} ``: Perl, PHP and Ruby run what stands in backticks. */
export const backtick: ValueRule = {
  id: 'code.backtick',
  cwe: 'CWE-78',
  severity: 'critical',
  score: confidence.strong,
  message: 'runs a command in backticks as Perl, PHP and Ruby do',
  trigger: { literals: [['`', '@{', '@ {']] },
  judge,
  examples: [
    'print `id`;',
    'x@{[`uname -a`]}',
    '{7*7};`id`',
    'eval("`id`")',
    "';echo `ls`;//",
    '[442,`id`]',
    'typj${`whoami`}',
    '(1?`id`:0)',
  ],
  lookalikes: [
    'Please print `total` and then close the file',
    'return `name` if set',
    'The type is `{ a: string }`; `null` is not allowed here',
    '`eval` and `puts`',
    'Like `curl`, but for gRPC.',
    'the `id` of `name`',
    '[`id`, `name`]',
    '```\nconst a = { b: 1 };\n```\n\n2. Run it',
  ],
};

const sequences = compileSequences([
  {
    pattern: 'print|echo|return|puts|die|eval ` * ` ;',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: 'print|echo|return|puts|die|eval ` * - * ` ;',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: "eval ( ' `", score: confidence.strong },
  { pattern: 'eval|print|echo|puts|die ( `', score: confidence.likely, inProse: confidence.trace },
  { pattern: '@ { [ `', score: confidence.strong },
  { pattern: '@ { [ system|exec|qx|open|print|eval', score: confidence.strong },
  { pattern: '} ; ` *', score: confidence.strong, inProse: confidence.hint },
]);

function judge(subject: Subject): Match | undefined {
  const found = findSequence(subject, sequences);
  return (found?.score ?? 0) >= confidence.strong ? found : (commandMatch(subject) ?? found);
}

/** The value is an expression, and a literal in it is a command of a shell. */
function commandMatch(subject: Subject): Match | undefined {
  const { uses, passages } = subject.tokens(expression);
  const commands = uses.filter(({ capability }) => capability === 'command');
  // `id`, `name`: names of a text about code.
  if (commands.some(({ argument }) => !shellCommand.test(argument ?? ''))) return undefined;
  for (const { start, end, passage } of commands) {
    const { errors, statements, isOpen } = passages[passage] as Passage;
    const isAlone = end - start === subject.text.trim().length;
    if (errors + statements === 0 && !isAlone && !isOpen) {
      return { start, end, score: confidence.strong };
    }
  }
  return undefined;
}
