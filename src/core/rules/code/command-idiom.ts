import { confidence } from '../../placement/confidence.ts';
import { type Form, forms, scoreInPlace, strongestForm } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/**
 * Perl's `qx{id}`, Tcl's `[exec id]`, Lisp's `#.(…)`, a modeline of Vim, gnuplot's
 * `system "id"`.
 */
export const commandIdiom: ValueRule = {
  id: 'code.command-idiom',
  cwe: 'CWE-78',
  score: confidence.strong,
  message: 'runs a command in the way of Perl, Tcl, Lisp, Vim, gnuplot or AppleScript',
  trigger: {
    literals: [
      [
        ...wordList('qx{ qx( qx/ qx| qx[ qx! @{[ #.( #=( vim: ex:'),
        ...wordList(`forname(' forname("`),
        ...['qx ', '@{ [', '[exec ', '[ exec ', '[open |', '[open "|', ' vi:', 'do shell script'],
        ...['system ', 'exec ', 'output ', 'plot '].flatMap((word) => [`${word}"`, `${word}'`]),
      ],
    ],
  },
  judge: ({ text }) => strongestForm(text, idioms, scoreOf),
  examples: [
    'qx{ls -la}',
    "@{[system 'id']}",
    '#.(uiop:run-program "id")',
    '#=(eval (sh "id"))',
    '[exec id]',
    "vim: set fde=system('id') fdm=expr:",
    'x=1; system "curl evil.example.com"',
    "x.forName('java.la'+'ng.Runtime')",
    'do shell script "id"',
  ],
  lookalikes: [
    'The new system "id" is a word',
    'vim: set ts=4 sw=4 et:',
    '[exec summary] is attached',
    'Perl has qx{} and Ruby %x()',
    'plot "data.txt" using 1:2',
    'in C#.(see below)',
    'Class.forName("com.mysql.Driver")',
    'the exec "board" met',
    '@j/qw/qx+qx/2x//@i/a/qx/qy/b',
    '<ds:DigestValue>mV+qx/BSw1+1qNd/8Yk=</ds:DigestValue> of the response',
  ],
};

const idioms: readonly Form[] = [
  ...forms(
    confidence.strong,
    confidence.hint,
    /(?:^|[^\w$@%])qx ?(?:\{[^}\n]{2,48}\}|\([^)\n]{2,48}\)|\/[^/\n]{2,48}\/|\|[^|\n]{2,48}\||!\w[^!\n]{1,48}!|\[[^\]\n]{2,48}\])/,
    /(?:^|[\s("'])#\.\( ?[a-z][\w:*-]{2,40}[\s)]/i,
    /(?:^|[\s("'[{])#= ?\( ?[a-z][\w.:/*-]{1,60}[\s)]/i,
    /\[ ?exec {1,3}\/?(?:usr\/)?(?:bin\/)?(?:sh|bash|cat|ls|curl|wget|ping|cmd|nc|id|whoami|uname|env|hostname|ps|pwd|dir|sleep|touch|rm)\b[^\]\n]{0,120}\]/,
    /\[ ?open {1,3}["{]?\| ?\w[^\]\n]{1,120}\]/,
    /\b(?:set output|splot|plot|load) {1,3}["'] {0,2}[|<] {0,2}[A-Za-z/]/,
    /\bdo shell script {1,3}["']\w/i,
  ),
  ...forms(
    confidence.certain,
    confidence.likely,
    /@\{ ?\[ ?(?:system|exec|qx|open|print|eval|do|require|`)[\s('"{`/]/,
    /\bforName\( {0,2}(['"])[\w.]{1,40}['"] {0,2}\+ {0,2}['"]/,
  ),
  ...forms(
    confidence.certain,
    confidence.strong,
    /(?:^|\s)(?:vim?|ex):[^\n]{0,80}\b(?:fde|foldexpr|inex|includeexpr|inde|indentexpr|fex|formatexpr|stl|statusline|bexpr|ballooneval|tags|makeprg|mp|kp|keywordprg|grepprg|gp)=[^\n]{0,60}\b(?:system|execute|eval|libcall|writefile|assert_fails|source|feedkeys|job_start|sh|bash)\b/,
  ),
  ...forms(
    confidence.strong,
    confidence.strong,
    /(?:^|[;{}]) {0,3}(?:system|exec) {1,3}(?:"|'|\{")\/?(?:bin\/)?(?:id|ls|cat|curl|wget|whoami|uname|sh|bash|nc|ping|sleep|touch|rm|echo|cmd|powershell|calc|nslookup|hostname)\b/,
  ),
];

function scoreOf(found: RegExpExecArray, form: Form): number {
  return isPath(found) ? 0 : scoreInPlace(found, form);
}

/** `/qx/2x/`, `+qx/ge/`: parts of a path or of encoded data. A command is a word of its own. */
function isPath([found]: RegExpExecArray): boolean {
  const at = found.indexOf('qx/');
  if (at < 0) return false;
  const command = found.slice(at + 3, -1);
  if (found.startsWith('/') || isEncoded(command)) return true;
  return isCode.test(command) && !shortCommand.test(command);
}

/** A piece of base64: a lone name of a command has no letters of both cases and digits. */
function isEncoded(command: string): boolean {
  return base64.test(command) && kinds.every((kind) => kind.test(command));
}

const base64 = /^[A-Za-z\d+]{4,48}$/;
const kinds: readonly RegExp[] = [/[A-Z]/, /[a-z]/, /[\d+]/];
const isCode = /^[a-z0-9]{2,3}$/i;
const shortCommand = /^(?:id|ls|ps|sh|cat|pwd|who|env|set|dir|ver|top|w|df|du|nc)$/;

/** `\write18{id}`, `\input|id`, `\openin5=/etc/passwd`: TeX that runs commands or reads files. */
export const latex: ValueRule = {
  id: 'code.latex',
  severity: 'high',
  score: confidence.strong,
  message: 'makes TeX run a command, or read or write a file of the server',
  trigger: {
    classes: charClass.backslash,
    literals: [
      [
        ...wordList('write18 \\write \\input @input \\include openin openout inputlisting'),
        ...wordList('verbatiminput directlua shellescape \\openfile'),
      ],
    ],
  },
  judge: ({ text }) =>
    strongestForm(text, commands, (found, form) =>
      text.startsWith('\\') ? form.score : scoreInPlace(found, form),
    ),
  examples: [
    '\\write18{id}',
    '\\immediate\\write18{id > /tmp/o}',
    '\\input|id',
    '\\input{|"uname -a"}',
    '\\newread\\f \\openin\\f=/etc/hosts',
    '\\lstinputlisting{/etc/hosts}',
    '\\directlua{os.execute("id")}',
  ],
  lookalikes: [
    '\\input{chapters/intro}',
    '\\include{../preamble}',
    'What does \\write18 do, and is it safe?',
    '\\documentclass{article} \\usepackage{amsmath}',
    '\\includegraphics{plot.png}',
    'C:\\input\\data.csv',
  ],
};

const commands: readonly Form[] = [
  ...forms(
    confidence.certain,
    confidence.hint,
    /\\write18 {0,2}\{ {0,2}[\w/"'|\\]/,
    /\\directlua {0,2}\{[^}\n]{0,80}\b(?:os|io|require|dofile|load)\b/,
  ),
  ...forms(
    confidence.strong,
    confidence.hint,
    /\\ShellEscape {0,2}\{ {0,2}\w/,
    /\\(?:@@input|input|include|lstinputlisting|verbatiminput|openfile) {0,2}(?:\[[^\]\n]{0,40}\])? {0,2}\{? {0,2}["']?\/(?:etc|proc|root|home|var|usr|opt|srv)\//,
    /\\(?:openin|openout)(?:\\[A-Za-z]{1,20}|\d{1,3}) {0,2}=? {0,2}["']?(?:\/|[A-Za-z]:|\.\.|\w{1,30}\.(?:tex|php|txt|sty))/,
    /\\immediate {0,2}\\write(?:\\[A-Za-z]{1,20}|\d{1,3})? {0,2}\{/,
  ),
  ...forms(confidence.certain, confidence.likely, /\\(?:@@)?input {0,2}\{? {0,2}["']?\|/),
];
