import {
  asFunctions,
  compileSequences,
  findSequence,
  rated,
  type Sequence,
} from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass, isAlnum } from '../../text/char-class.ts';
import { wordList, wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

const calls: readonly string[] = wordList(
  'system exec eval assert include require include_once require_once md5 chr print die exit',
  'fopen unlink popen dl putenv ini_set readfile',
);
const openings: readonly string[] = ['(', ' (', '/*'];

/** `system('id')`, `eval(base64_decode(…))`, `phpinfo();`, `include($_GET[0])` */
export const phpCall: ValueRule = {
  id: 'code.php-call',
  score: confidence.strong,
  message: 'calls a PHP function that runs code or commands',
  trigger: {
    classes: charClass.paren,
    literals: [
      [
        ...calls.flatMap((name) => openings.map((opening) => name + opening)),
        ...wordList(
          'passthru proc_open shell_exec pcntl_exec phpinfo create_function',
          'call_user_func array_map array_filter array_walk array_reduce usort uasort',
          'uksort register_shutdown_function register_tick_function ob_start',
          'forward_static_call iterator_apply preg_replace reflectionfunction',
          'set_error_handler spl_autoload_register base64_decode gzinflate gzuncompress',
          'str_rot13 file_put_contents file_get_contents error_reporting show_source',
          'highlight_file var_dump print_r php_uname phpversion',
        ),
        'echo md5',
        'echo sha1',
        'echo php_uname',
        'echo system',
      ],
    ],
  },
  judge,
  examples: [
    ...["system('id')", "';phpinfo();//", 'eval(base64_decode("cGhwaW5mbygp"))'],
    ...["include($_GET['page'])", "array_map('assert', $_POST)", "array_filter(['id'],'system')"],
    ...['exit(var_dump(1))', '{${phpinfo()}}', "show_source('index.php')", 'print(md5(1234));'],
    ...['die(@md5(orange))', 'preg_replace("/x/e", $_GET[0], "x")', "\");passthru('ls');//"],
    { body: { 'query.country': "it came too late system('id')" } },
    'My order never came: ".passthru(\'ls\')."',
    "Please call file_put_contents('a/b.php', $_POST['x']) for me by Friday",
  ],
  lookalikes: [
    'What does phpinfo() show, and why should I switch it off?',
    'The function system() runs a program; exec() does the same.',
    ...['Our new system (the best one) includes 3 parts', 'regex.exec("text") returns null'],
    ...['file(1) and include(2) are in the manual', 'db.exec("create the table")'],
    ...['please assert (or deny) it', 'int main() { system("pause"); }'],
    'In my page I have echo "Today: ".shell_exec(\'date\')."!"; is this safe?',
    "How do I check it before file_put_contents('log.txt', $_POST['text']) is run?",
  ],
};

const shells = 'system|shell_exec|passthru|popen|proc_open|pcntl_exec|exec';
const evaluators = 'eval|assert|create_function|system|shell_exec|passthru|exec';
const inputs =
  '$_get|$_post|$_request|$_cookie|$_server|$_files|$_env|$_session|$globals|$http_raw_post_data';
const decoders =
  'base64_decode|gzinflate|gzuncompress|str_rot13|hex2bin|urldecode|strrev|stripslashes|chr|pack|convert_uudecode|file_get_contents|get_option';
const callers =
  'array_map|array_filter|array_walk|array_reduce|call_user_func|call_user_func_array|usort|uasort|uksort|register_shutdown_function|register_tick_function|ob_start|forward_static_call|iterator_apply|preg_replace_callback|reflectionfunction|set_error_handler|spl_autoload_register';
/** A C program that waits at its end, SQL in a driver's `exec`. */
const honestArguments: ReadonlySet<string> = wordSet(
  'pause cls clear create select insert update delete drop alter vacuum pragma begin commit',
  'rollback set use',
);
const printers = 'print|echo|die|exit|var_dump|print_r|printf|var_export';

/** A program file, in folders or not, that is filled with what the request brings. */
const scriptWrites: readonly Sequence[] = [1, 2, 3, 4, 5, 6, 7].map((tokens) => ({
  pattern: `file_put_contents ( ' ${'* '.repeat(tokens)}. php|php5|php7|phtml|phar ' , ${inputs}`,
  score: confidence.certain,
}));

const sequences = compileSequences(
  asFunctions([
    ...rated(
      { score: confidence.certain },
      `${evaluators}|popen|proc_open|include|require|unlink|file_get_contents|readfile ( ${inputs}`,
      `${evaluators} ( ${decoders} (`,
      `${evaluators} ( @ ${decoders} (`,
      `${evaluators} ( ${evaluators} (`,
      `include_once|require_once ( ${inputs}`,
      `${callers} ( ' ${evaluators}|popen|phpinfo '`,
      `${callers} ( ${inputs}`,
      `${callers} ( $ , ' ${evaluators}|popen|phpinfo '`,
      `${callers} ( [ ' * ' ] , ' ${evaluators}|popen|phpinfo '`,
      'phpinfo ( ) }',
      "preg_replace ( ' * * * * e '",
      "preg_replace ( ' * * * e '",
      "preg_replace ( ' * * e '",
    ),
    ...rated(
      { score: confidence.strong },
      `${callers} ( ' ${evaluators}|popen|phpinfo ,`,
      'chr ( # ) . chr (',
      `base64_decode|gzinflate|str_rot13 ( ${inputs}`,
    ),
    ...rated(
      { score: confidence.strong, inProse: confidence.hint },
      `shell_exec|passthru|proc_open|pcntl_exec ( $`,
      `system|exec|popen ( $`,
      `${shells}|eval|assert ( @`,
      `eval ( '`,
      'eval ( $',
      "include|require|include_once|require_once ( ' http|https|ftp|php|data|expect|phar :",
      'phpinfo ( ) ;',
      `phpinfo ( - # )`,
      `phpinfo ( # )`,
      `${printers} ( md5|sha1|phpversion|php_uname|getcwd|${shells}|eval|phpinfo|file_get_contents|var_dump|scandir|getenv (`,
      `${printers} ( @ md5|sha1|phpversion|php_uname|getcwd|${shells}|eval|phpinfo (`,
      `echo|print|die md5|sha1|php_uname|${shells} (`,
      'error_reporting ( # ) ;',
      "file_put_contents ( '",
      "fopen|readfile|show_source|highlight_file|file_get_contents ( ' /",
      "create_function ( '",
      `base64_decode|gzinflate|gzuncompress|str_rot13 ( ${decoders} (`,
      `var_dump|print_r ( ${inputs}|scandir|glob|get_defined_vars|getenv`,
    ),
    ...rated(
      { score: confidence.strong, inProse: confidence.trace },
      'phpinfo ( ) )',
      'phpinfo ( ) .',
    ),
    ...rated(
      { score: confidence.likely, inProse: confidence.trace },
      "assert ( '",
      'assert ( $',
      "show_source|highlight_file ( '",
      `base64_decode|gzinflate|str_rot13 ( '`,
      `ini_set|putenv|dl ( '`,
    ),
    {
      pattern: `${shells} ( '`,
      score: confidence.strong,
      inProse: confidence.hint,
      except: honestArguments,
    },
    ...scriptWrites,
  ]),
);

function judge(subject: Subject): Match | undefined {
  const match = findSequence(subject, sequences);
  if (match !== undefined && (match.score ?? 0) >= breakOutScore) return match;
  return breakOut(subject.text) ?? match;
}

const breakOutScore = confidence.strong;

/** `".system('id')."`: leaves a string, joins what the call says, and opens a string again. */
function breakOut(text: string): Match | undefined {
  const match = joined.exec(text);
  if (match === null || closesString(text, match.index)) return undefined;
  return foundBy(match, breakOutScore);
}

const joined =
  /(["']) ?\. ?(?:system|shell_exec|passthru|exec|popen|eval|assert)\((?:"[^"\n]{1,120}"|'[^'\n]{1,120}')\) ?\. ?\1/i;

/** True when the quote at `at` has an opening one before it in the text; no apostrophe is one. */
function closesString(text: string, at: number): boolean {
  const quote = text.charCodeAt(at);
  let isOpen = false;
  for (let i = 0; i < at; i++) {
    if (text.charCodeAt(i) !== quote) continue;
    const isApostrophe = isAlnum(text.charCodeAt(i - 1)) && isAlnum(text.charCodeAt(i + 1));
    if (!isApostrophe) isOpen = !isOpen;
  }
  return isOpen;
}
