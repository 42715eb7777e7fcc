import { confidence } from '../../placement/confidence.ts';
import { type Form, forms, scoreInPlace, strongestForm } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

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
