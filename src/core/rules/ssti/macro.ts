import { confidence } from '../../placement/confidence.ts';
import { type Form, firstOf, forms, strongestForm } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** What stands outside of delimiters, or breaks out of them: Cheetah, XWiki, probes. */
export const macro: ValueRule = {
  id: 'ssti.macro',
  cwe: 'CWE-1336',
  severity: 'critical',
  score: confidence.strong,
  message: 'makes a template engine import a module, run a macro or show which engine it is',
  trigger: {
    literals: [
      [
        '#import ',
        '#from ',
        ...wordList('$os. $sys. {{/velocity {{/groovy {{/python {{/async'),
        '{{async ',
        ...wordList('{{velocity {{groovy {{< <% {{$ ${{ print(process'),
      ],
    ],
  },
  judge: (subject) => strongestForm(subject.text, macros) ?? probe(subject),
  examples: [
    "#import os\n$os.popen('id').read()",
    "$os.system('id')",
    '}}}{{async async=false}}{{velocity}}$xwiki{{/velocity}}{{/async}}',
    '<% print(process.env.SECRET) %>',
    `\${{<%[%'"}}%\\.`,
  ],
  lookalikes: [
    '#import os is what the old line said',
    'the {{groovy}} macro of a wiki',
    '$os.name is the variable',
    '${{ secrets.TOKEN }}',
    'run: echo ${{ matrix.os }} && npm ci',
    '<%= process.env.NODE_ENV %>',
  ],
};

const macros: readonly Form[] = [
  ...forms(
    confidence.certain,
    confidence.hint,
    /\$(?:os|sys|subprocess|commands|shutil)\.(?:popen|system|exec\w{0,3}|spawn\w{0,3}|listdir|environ|getcwd|modules|getoutput|check_output|run|call)\b ?[([.]/,
  ),
  ...forms(
    confidence.strong,
    confidence.hint,
    /#(?:import|from) {1,3}(?:os|sys|subprocess|commands|socket|shutil)\b[^\n]{0,60}\n[^\n]{0,60}\$\w{1,24}[.(]/,
    /\{\{(?:velocity|groovy|python|ruby|php)(?: [^}\n]{0,60})?\}\}[^{]{1,400}\{\{\/(?:velocity|groovy|python|ruby|php)\}\}/,
    /\{\{async {1,3}async=/,
    /<%[=-]? {0,2}(?:print|console\.log) {0,2}\( {0,2}(?:process|global|globalThis)\b/,
  ),
];

/** Delimiters of three engines in one run of marks: `${{<%[%'"}}%\`. */
function probe(subject: Subject): Match | undefined {
  for (const { index, 0: run } of firstOf(subject, subject.text.matchAll(delimiterRun))) {
    const count = openers.filter((opener) => run.includes(opener)).length;
    if (count >= 3) return { start: index, end: index + run.length, score: confidence.strong };
  }
  return undefined;
}

const delimiterRun = /[${}<%[\]'"#@*(~\\]{7,40}/g;
const openers: readonly string[] = ['{{', '${', '<%', '#{', '*{', '@(', '[[', '{%', '@{', '~{'];
