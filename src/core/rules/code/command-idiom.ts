import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { followsValue } from '../../text/place.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * Perl's `qx{id}`, Tcl's `[exec id]`, Lisp's `#.(…)`, a modeline of Vim, gnuplot's
 * `system "id"`.
 */
export const commandIdiom: ValueRule = {
  id: 'code.command-idiom',
  cwe: 'CWE-78',
  severity: 'critical',
  score: confidence.strong,
  message: 'runs a command in the way of Perl, Tcl, Lisp, Vim, gnuplot or AppleScript',
  trigger: {
    literals: [
      [
        ...wordList('qx{ qx( qx/ qx| qx[ qx!'),
        'qx ',
        '@{[',
        '@{ [',
        '#.(',
        '#=(',
        '[exec ',
        '[ exec ',
        '[open |',
        '[open "|',
        'vim:',
        ' vi:',
        'ex:',
        'system "',
        "system '",
        'exec "',
        "exec '",
        'output "|',
        "output '|",
        'plot "<',
        "plot '<",
        'do shell script',
        "forname('",
        'forname("',
      ],
    ],
  },
  judge,
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
  ],
};

interface Form {
  readonly pattern: RegExp;
  readonly score: number;
  readonly inProse: number;
}

const forms: readonly Form[] = [
  {
    pattern:
      /(?:^|[^\w$@%])qx ?(?:\{[^}\n]{2,48}\}|\([^)\n]{2,48}\)|\/[^/\n]{2,48}\/|\|[^|\n]{2,48}\||!\w[^!\n]{1,48}!|\[[^\]\n]{2,48}\])/,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: /@\{ ?\[ ?(?:system|exec|qx|open|print|eval|do|require|`)[\s('"{`/]/,
    score: confidence.certain,
    inProse: confidence.likely,
  },
  {
    pattern: /(?:^|[\s("'])#\.\( ?[a-z][\w:*-]{2,40}[\s)]/i,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: /(?:^|[\s("'[{])#= ?\( ?[a-z][\w.:/*-]{1,60}[\s)]/i,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern:
      /\[ ?exec {1,3}\/?(?:usr\/)?(?:bin\/)?(?:sh|bash|cat|ls|curl|wget|ping|cmd|nc|id|whoami|uname|env|hostname|ps|pwd|dir|sleep|touch|rm)\b[^\]\n]{0,120}\]/,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: /\[ ?open {1,3}["{]?\| ?\w[^\]\n]{1,120}\]/,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern:
      /(?:^|\s)(?:vim?|ex):[^\n]{0,80}\b(?:fde|foldexpr|inex|includeexpr|inde|indentexpr|fex|formatexpr|stl|statusline|bexpr|ballooneval|tags|makeprg|mp|kp|keywordprg|grepprg|gp)=[^\n]{0,60}\b(?:system|execute|eval|libcall|writefile|assert_fails|source|feedkeys|job_start|sh|bash)\b/,
    score: confidence.certain,
    inProse: confidence.strong,
  },
  {
    pattern:
      /(?:^|[;{}]) {0,3}(?:system|exec) {1,3}(?:"|'|\{")\/?(?:bin\/)?(?:id|ls|cat|curl|wget|whoami|uname|sh|bash|nc|ping|sleep|touch|rm|echo|cmd|powershell|calc|nslookup|hostname)\b/,
    score: confidence.strong,
    inProse: confidence.strong,
  },
  {
    pattern: /\b(?:set output|splot|plot|load) {1,3}["'] {0,2}[|<] {0,2}[A-Za-z/]/,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: /\bdo shell script {1,3}["']\w/i, score: confidence.strong, inProse: confidence.hint },
  {
    pattern: /\bforName\( {0,2}(['"])[\w.]{1,40}['"] {0,2}\+ {0,2}['"]/,
    score: confidence.certain,
    inProse: confidence.likely,
  },
];

/** `/qx/2x/`, `+qx/ge/`: parts of a path or of encoded data. A command is a word of its own. */
function isPath(match: RegExpExecArray): boolean {
  const at = match[0].indexOf('qx/');
  if (at < 0 || at > 1) return false;
  const command = match[0].slice(at + 3, -1);
  return (
    (at === 1 && match[0].startsWith('/')) || (isCode.test(command) && !shortCommand.test(command))
  );
}

const isCode = /^[a-z0-9]{2,3}$/i;
const shortCommand = /^(?:id|ls|ps|sh|cat|pwd|who|env|set|dir|ver|top|w|df|du|nc)$/;

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  let best: Match | undefined;
  for (const { pattern, score, inProse } of forms) {
    const match = pattern.exec(text);
    if (match === null || isPath(match)) continue;
    const given = followsValue(text, match.index) ? score : inProse;
    if (given > (best?.score ?? 0)) {
      best = { start: match.index, end: match.index + match[0].length, score: given };
    }
  }
  return best;
}
