import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { isWordOf, skipComments, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { fileTrigger } from '../../grammars/sql/triggers.ts';
import { classSet } from '../../grammars/sql/word-classes.ts';
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
    ...['") into outfile(char(47,116))', "1 into outfile ' x.php'"],
  ],
  lookalikes: [
    ...['Put the results into dumpfile for me', 'Please write it into outfile.txt'],
    'What is an outfile?',
    ...['Try `INTO OUTFILE` for it', "The 'into outfile' clause fails"],
  ],
};

function scoreOf(one: Break, all: Breaks): number {
  const { tokens } = all;
  if (one.connective !== connective.clause || tokens.word[one.at] !== sqlWord.into) return 0;
  const after = skipComments(tokens, one.at + 1);
  if (!isWordOf(tokens, after, sqlWord.outfile)) return 0;
  const isProse = one.context === context.word && one.closers === 0;
  const name = skipComments(tokens, after + 1);
  const start = tokens.start[name] ?? tokens.text.length;
  // "the 'into outfile' clause", "`into outfile`": no name of a file begins so.
  if (noName.test(tokens.text.slice(start, start + 80))) return confidence.trace;
  const kind = tokens.kind[name] ?? sqlToken.semicolon;
  if (names[kind] === 1) return isProse ? confidence.strong : confidence.certain;
  const isWord = kind === sqlToken.word || kind === sqlToken.dot;
  const isBehindNumber = one.context === context.number && one.before > 0;
  const isLeft = isWord ? one.context === context.quote || isBehindNumber : !isProse;
  return isLeft ? confidence.likely : confidence.trace;
}

const names = classSet([sqlToken.single, sqlToken.double, sqlToken.number, sqlToken.open]);
const noName = /^(?:['"] (?!.{0,60}[./\\]\w)|`)/;
