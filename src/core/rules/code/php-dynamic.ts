import { confidence } from '../../placement/confidence.ts';
import { firstOf, foundBy } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { firstMatch, type Shape } from '../../text/shape.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `(sy.st.em)(id)`, `('sys'.'tem')('id')`, `(~…)(…)`, `usort(...$_GET)`: names put together. */
export const phpDynamic: ValueRule = {
  id: 'code.php-dynamic',
  cwe: 'CWE-94',
  severity: 'critical',
  score: confidence.certain,
  message: 'calls a PHP function by a name that is put together at run time',
  trigger: {
    classes: charClass.paren,
    literals: [[')(', "'(", '"(', '(~', '...$', "'^'", '"^"', '`^', ';$', "'^", '"^']],
  },
  judge,
  examples: [
    '(sy.st.em)(id);',
    "('sys'.'tem')('id')",
    '"sys"."tem"("id")',
    'usort(...$_GET);',
    "$f='system';$f('id');",
    "$_=('1'^'`').('2'^'`');$_($_POST[1]);",
    '(~\u008c\u0086)(~\u0093);',
  ],
  lookalikes: [
    '(module.exports)(app)',
    "const f = (a.b.c)('x');",
    "total = ('a' + 'b')('c')",
    "'system' (the new one) is ready",
    '(~5)(x)',
    'c = "a" ^ "b"',
    'list.push(...items)',
  ],
};

const functionNames: ReadonlySet<string> = wordSet(
  `system exec shell_exec passthru popen proc_open pcntl_exec eval assert phpinfo readfile
   create_function file_get_contents file_put_contents call_user_func call_user_func_array
   array_map show_source highlight_file getenv putenv ini_set mail unlink include`,
);

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  const form = firstMatch(text, forms);
  if (form !== null) return foundBy(form);
  for (const match of firstOf(subject, text.matchAll(callee))) {
    const name = match[0].replace(joints, '').toLowerCase();
    if (functionNames.has(name) && !isSentence(match[0])) return foundBy(match);
  }
  return assigned(text);
}

/** One name in quotes with a blank after it is a word that somebody quotes. */
function isSentence(called: string): boolean {
  return called.includes(' ') && !called.includes('.');
}

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
