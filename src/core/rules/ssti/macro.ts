import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { followsValue } from '../../text/place.ts';
import { characterSet } from '../../text/runs.ts';
import { matchOf, type Shape } from '../../text/shape.ts';
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
  judge,
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

interface Form extends Shape {
  readonly score: number;
  readonly inProse: number;
}

const forms: readonly Form[] = [
  {
    pattern:
      /\$(?:os|sys|subprocess|commands|shutil)\.(?:popen|system|exec\w{0,3}|spawn\w{0,3}|listdir|environ|getcwd|modules|getoutput|check_output|run|call)\b ?[([.]/,
    needs: ['$os.', '$sys.', '$subprocess.', '$commands.', '$shutil.'],
    score: confidence.certain,
    inProse: confidence.hint,
  },
  {
    pattern:
      /#(?:import|from) {1,3}(?:os|sys|subprocess|commands|socket|shutil)\b[^\n]{0,60}\n[^\n]{0,60}\$\w{1,24}[.(]/,
    needs: ['#import', '#from'],
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern:
      /\{\{(?:velocity|groovy|python|ruby|php)(?: [^}\n]{0,60})?\}\}[^{]{1,400}\{\{\/(?:velocity|groovy|python|ruby|php)\}\}/,
    needs: ['{{/'],
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: /\{\{async {1,3}async=/,
    needs: ['{{async'],
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: /<%[=-]? {0,2}(?:print|console\.log) {0,2}\( {0,2}(?:process|global|globalThis)\b/,
    needs: ['print', 'console.log'],
    score: confidence.strong,
    inProse: confidence.hint,
  },
];

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  let best: Match | undefined;
  for (const form of forms) {
    const match = matchOf(text, form);
    if (match === null) continue;
    const { score, inProse } = form;
    const given = followsValue(text, match.index) ? score : inProse;
    if (given > (best?.score ?? 0)) {
      best = { start: match.index, end: match.index + match[0].length, score: given };
    }
  }
  return best ?? probe(subject);
}

/** Delimiters of three engines in one run of marks: `${{<%[%'"}}%\`. */
function probe(subject: Subject): Match | undefined {
  const { text } = subject;
  let seen = 0;
  for (let at = 0; at + runCharsMin <= text.length; ) {
    // Backwards from where the shortest run would end: most steps pass over several characters.
    let start = at + runCharsMin;
    while (start > at && isDelimiter[text.charCodeAt(start - 1)] === 1) start--;
    if (start > at) {
      at = start;
      continue;
    }
    const limit = Math.min(text.length, start + runCharsMax);
    at += runCharsMin;
    while (at < limit && isDelimiter[text.charCodeAt(at)] === 1) at++;
    if (seen++ >= runsMax) {
      subject.incomplete('tokens');
      break;
    }
    const run = text.slice(start, at);
    const count = openers.filter((opener) => run.includes(opener)).length;
    if (count >= 3) return { start, end: at, score: confidence.strong };
  }
  return undefined;
}

const runsMax = 4_096;
const runCharsMin = 7;
const runCharsMax = 40;
const isDelimiter: Uint8Array = characterSet('${}<%[]\'"#@*(~\\');
const openers: readonly string[] = ['{{', '${', '<%', '#{', '*{', '@(', '[[', '{%', '@{', '~{'];
