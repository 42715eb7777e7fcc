import { family, templateToken } from '../../tokenise/template.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { delimiters, Expressions } from './expression.ts';

/**
 * `{{7*7}}`, `${7*7}`, `<%= 7*7 %>`, `#{7*'7'}`: a sum of literals shows that an engine
 * works.
 */
export const arithmetic: ValueRule = {
  id: 'ssti.arithmetic',
  category: 'ssti',
  cwe: 'CWE-1336',
  severity: 'high',
  score: 90,
  message: 'lets a template engine calculate with constants, which shows that it is listening',
  trigger: { literals: [delimiters] },
  judge,
  examples: [
    '{{8*9}}',
    '${12*3}',
    '<%= 6 * 6 %>',
    "{{7*'7'}}",
    '${{3*3}}',
    'a*{5*5}',
    '@(4*4)',
    '[[${9*9}]]',
    '{{1/0}}',
  ],
  lookalikes: [
    'Hello {{name}}, you have {{ count }} items',
    'the set {7*7} and a matrix [[1,2],[3,4]]',
    '`${a * 2}` is twice as much',
    '{{cite web|title=2*2|url=https://example.org}}',
    '[[1-2]] and [[2020/21 season|season]]',
    '%{count} items, 5*3 each',
    'f(x) = #{x} * 2',
    'mail me @(home) 5*5',
  ],
};

/** What an expression has been so far. */
interface Sum {
  operands: number;
  numbers: number;
  operator: string;
  /** Something else than literals and operators was seen. */
  isOther: boolean;
  readonly index: number;
}

function judge(subject: Subject): Match | undefined {
  const expressions = new Expressions(subject);
  const open: Sum[] = [];
  let best: Match | undefined;
  for (let i = 0; i < expressions.tokens.count; i++) {
    const kind = expressions.kind(i);
    if (kind === templateToken.open) {
      open.push({ operands: 0, numbers: 0, operator: '', isOther: false, index: i });
      continue;
    }
    const sum = open[open.length - 1];
    if (sum === undefined) continue;
    const isClose = kind === templateToken.close;
    if (!sum.isOther && (isClose || expressions.isMark(i, '|'))) {
      const isWhole = expressions.end(i) - expressions.start(sum.index) === subject.text.length;
      const score = scoreOf(sum, expressions.family(i), isWhole);
      if (score > (best?.score ?? 0)) {
        best = { start: expressions.start(sum.index), end: expressions.end(i), score };
      }
    } else if (!sum.isOther) add(sum, expressions, i, kind);
    if (isClose) {
      open.pop();
      const outer = open[open.length - 1];
      if (outer !== undefined) outer.isOther = true;
    }
  }
  return best;
}

function add(sum: Sum, expressions: Expressions, index: number, kind: number): void {
  if (kind === templateToken.number || kind === templateToken.string) {
    sum.operands++;
    if (kind === templateToken.number) sum.numbers++;
    return;
  }
  if (kind === templateToken.name) {
    const isOutput =
      sum.operands === 0 && outputWords.has(expressions.content(index).toLowerCase());
    if (!isOutput) sum.isOther = true;
    return;
  }
  const start = expressions.start(index);
  const length = expressions.end(index) - start;
  const mark = expressions.text.charAt(start);
  if (length === 1 ? operators.includes(mark) : mark === '*') {
    if (sum.operands > 0 && sum.operator !== '*') sum.operator = mark;
  } else if (length === 1 ? !brackets.includes(mark) : mark !== '=') sum.isOther = true;
}

/** Alone; `**` calculates too. */
const operators = '*+-/%~^';
/** Alone; `==` changes nothing either. */
const brackets = '()[]{}=;!';
const outputWords: ReadonlySet<string> = new Set(['print', 'echo', 'out', 'puts']);

function scoreOf(sum: Sum, one: number, isWhole: boolean): number {
  if (sum.isOther || sum.operands < 2 || sum.operator === '') return 0;
  const isMultiplication = sum.operator === '*';
  if (one === family.single || one === family.directive) return 0;
  if (one === family.inline) return isMultiplication ? 72 : 0;
  if (one === family.razor || one === family.velocity)
    return isMultiplication ? 85 : isWhole ? 75 : 50;
  if (isMultiplication) return sum.numbers > 0 ? 92 : 60;
  if (sum.operator === '+' || sum.operator === '~') return sum.numbers > 0 ? 85 : 72;
  return sum.numbers > 1 ? 74 : 0;
}
