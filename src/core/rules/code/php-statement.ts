import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** The whole value is one PHP statement: `phpinfo()`, `${@print('x')}`. */
export const phpStatement: ValueRule = {
  id: 'code.php-statement',
  cwe: 'CWE-94',
  severity: 'high',
  score: confidence.strong,
  message: 'is one statement of PHP, put where PHP would run it',
  trigger: {
    classes: charClass.paren,
    literals: [
      wordList('phpinfo ${@ {${ phpversion php_uname getcwd get_current_user print( sleep('),
    ],
  },
  judge,
  examples: [
    'phpinfo()',
    '${@print(1)}',
    '|| phpinfo()',
    '{${sleep(5)}}',
    "'.phpinfo().'",
    '1;php_uname()',
  ],
  lookalikes: [
    'phpinfo() shows nothing at all',
    'How do I use getcwd()?',
    'print(total)',
    '${print} and {$name}',
  ],
};

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  const complex = complexVariable.exec(text);
  if (complex !== null) return foundBy(complex, confidence.certain);
  return text.length > statementMax ? undefined : foundBy(statement.exec(text));
}

const statementMax = 80;
/** PHP's `${expression}` in a string: a call with `@` before it, or in double braces. */
const complexVariable = /(?:\$\{@|\{\$\{@?)[A-Za-z_]{2,30} {0,2}\(/;
const statement =
  /^(?:[^\s(]{0,12}[\s;|&'"`.)\]}]{1,4})?(?:phpinfo|phpversion|php_uname|getcwd|get_current_user|sys_getloadavg)\(\)[\s;|&'"`.)\]}/#-]{0,8}$/i;
