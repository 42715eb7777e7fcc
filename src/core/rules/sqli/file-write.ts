import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { isWordOf, skipComments, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { fileTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongestBreak } from '../../placement/sql-evidence.ts';
import type { ValueRule } from '../rule.ts';

/** `' into outfile '/var/www/x.php'`, `1 INTO DUMPFILE 0x2f746d70`. */
export const fileWrite: ValueRule = {
  id: 'sqli.file-write',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes the database write the result into a file',
  trigger: fileTrigger,
  judge: (subject) => strongestBreak(subject, scoreOf),
  examples: [
    ...["1' into outfile '/var/www/x.php'-- ", '9 INTO DUMPFILE 0x2f746d702f78'],
    '") into outfile(char(47,116))',
  ],
  lookalikes: [
    ...['Put the results into dumpfile for me', 'Please write it into outfile.txt'],
    'What is an outfile?',
  ],
};

function scoreOf(one: Break, all: Breaks): number {
  const { tokens } = all;
  if (one.connective !== connective.clause || tokens.word[one.at] !== sqlWord.into) return 0;
  const after = skipComments(tokens, one.at + 1);
  if (!isWordOf(tokens, after, sqlWord.outfile)) return 0;
  const isProse = one.context === context.word && one.closers === 0;
  switch (tokens.kind[skipComments(tokens, after + 1)]) {
    case sqlToken.single:
    case sqlToken.double:
    case sqlToken.number:
    case sqlToken.open:
      return isProse ? confidence.strong : confidence.certain;
    case sqlToken.word:
    case sqlToken.dot:
      return one.context === context.quote || (one.context === context.number && one.before > 0)
        ? confidence.likely
        : confidence.trace;
    default:
      return isProse ? confidence.trace : confidence.likely;
  }
}
