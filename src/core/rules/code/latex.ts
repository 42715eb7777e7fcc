import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { followsValue } from '../../text/place.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `\write18{id}`, `\input|id`, `\openin5=/etc/passwd`: TeX that runs commands or reads files. */
export const latex: ValueRule = {
  id: 'code.latex',
  cwe: 'CWE-94',
  severity: 'high',
  score: confidence.strong,
  message: 'makes TeX run a command, or read or write a file of the server',
  trigger: {
    classes: charClass.backslash,
    literals: [
      [
        'write18',
        '\\write',
        '\\input',
        '@input',
        '\\include',
        ...wordList('openin openout inputlisting verbatiminput directlua shellescape'),
        '\\openfile',
      ],
    ],
  },
  judge,
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

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  let best: Match | undefined;
  for (const { pattern, score, inProse } of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const isSource = text.charCodeAt(0) === 92 || followsValue(text, match.index);
    const given = isSource ? score : inProse;
    if (given > (best?.score ?? 0)) {
      best = { start: match.index, end: match.index + match[0].length, score: given };
    }
  }
  return best;
}

interface Form {
  readonly pattern: RegExp;
  readonly score: number;
  readonly inProse: number;
}

const forms: readonly Form[] = [
  {
    pattern: /\\write18 {0,2}\{ {0,2}[\w/"'|\\]/,
    score: confidence.certain,
    inProse: confidence.hint,
  },
  { pattern: /\\ShellEscape {0,2}\{ {0,2}\w/, score: confidence.strong, inProse: confidence.hint },
  {
    pattern: /\\(?:@@)?input {0,2}\{? {0,2}["']?\|/,
    score: confidence.certain,
    inProse: confidence.likely,
  },
  {
    pattern:
      /\\(?:@@input|input|include|lstinputlisting|verbatiminput|openfile) {0,2}(?:\[[^\]\n]{0,40}\])? {0,2}\{? {0,2}["']?\/(?:etc|proc|root|home|var|usr|opt|srv)\//,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern:
      /\\(?:openin|openout)(?:\\[A-Za-z]{1,20}|\d{1,3}) {0,2}=? {0,2}["']?(?:\/|[A-Za-z]:|\.\.|\w{1,30}\.(?:tex|php|txt|sty))/,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: /\\immediate {0,2}\\write(?:\\[A-Za-z]{1,20}|\d{1,3})? {0,2}\{/,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: /\\directlua {0,2}\{[^}\n]{0,80}\b(?:os|io|require|dofile|load)\b/,
    score: confidence.certain,
    inProse: confidence.hint,
  },
];
