import { delimiters, Expressions } from '../../grammars/template/expressions.ts';
import { family, templateToken } from '../../grammars/template/template.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * `{{7*7}}`, `${7*7}`, `<%= 7*7 %>`, `#{7*'7'}`: a sum of literals shows that an engine
 * works.
 */
export const arithmetic: ValueRule = {
  id: 'ssti.arithmetic',
  score: confidence.certain,
  message: 'lets a template engine calculate with constants, which shows that it is listening',
  trigger: { literals: [delimiters] },
  judge,
  examples: [
    '{{8*9}}',
    '${12*3}',
    '<%= 6 * 6 %>',
    ...["{{7*'7'}}", "{{7~'7'}}", '{{ [7*7, 1] }}'],
    '${{3*3}}',
    'a*{5*5}',
    '@(4*4)',
    '[[${9*9}]]',
    '{{1/0}}',
    '{{-(6_155*0x83d)-}}',
    '<%=[0,3968+8762][1]%>',
    '{{5169*1060 if 1 else 0}}',
    '<% var a1=4395+2114 %><%= a1 %>',
    '!{41*52}',
    '<%=(true&&( 0x2a*1_028 ))%>',
    '#{false || 41*52}',
    '<%=[0,(((2362-52)+(4577-2)))][1]%>',
    'Ann #[b= 9336*1450-9871]',
  ],
  lookalikes: [
    '{{ "a" * "b" }}',
    'Hello {{name}}, you have {{ count }} items',
    'the set {7*7} and a matrix [[1,2],[3,4]]',
    '`${a * 2}` is twice as much',
    '{{cite web|title=2*2|url=https://example.org}}',
    '{{2019, 2020-21}}',
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
  /** A comma was seen. */
  isList: boolean;
  readonly index: number;
}

function judge(subject: Subject): Match | undefined {
  const expressions = new Expressions(subject);
  const open: Sum[] = [];
  let best: Match | undefined;
  for (let i = 0; i < expressions.tokens.count; i++) {
    const kind = expressions.kind(i);
    if (kind === templateToken.open) {
      open.push({ operands: 0, numbers: 0, operator: '', isOther: false, isList: false, index: i });
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
    const word = expressions.content(index).toLowerCase();
    const isOutput = sum.operands === 0 && outputWords.has(word);
    const isVariable = declarations.has(expressions.content(index - 1));
    if (!isOutput && !isVariable && !plainWords.has(word)) sum.isOther = true;
    return;
  }
  if (expressions.isMark(index, ',')) sum.isList = true;
  const start = expressions.start(index);
  const length = expressions.end(index) - start;
  const mark = expressions.text.charAt(start);
  if (length === 1 ? operators.includes(mark) : mark === '*') {
    if (sum.operands > 0 && sum.operator !== '*') sum.operator = mark;
  } else if (length === 1 ? !brackets.includes(mark) : !pairs.includes(mark)) sum.isOther = true;
}

/** Alone; `**` calculates too. */
const operators = '*+-/%~^';
/** What declares a variable with a sum, and conditions around one. */
const declarations: ReadonlySet<string> = new Set(['var', 'let', 'const']);
const plainWords: ReadonlySet<string> = new Set([
  ...['if', 'else', 'and', 'or', 'true', 'false', ...declarations],
]);
/** Alone; `==`, `&&` and `||` change nothing either. */
const brackets = '()[]{}=;!,';
const pairs = '=&|';
const outputWords: ReadonlySet<string> = new Set(['print', 'echo', 'out', 'puts']);

function scoreOf(sum: Sum, one: number, isWhole: boolean): number {
  if (sum.operands < 2 || sum.operator === '') return 0;
  const isProduct = sum.operator === '*';
  // `{{2020-21, 5}}`
  if (sum.isList && !isProduct && one !== family.angle && one !== family.hash) return 0;
  switch (one) {
    case family.single:
    case family.directive:
      return 0;
    case family.inline:
      return isProduct ? confidence.likely : 0;
    case family.razor:
    case family.velocity:
      if (isProduct) return confidence.strong;
      return isWhole ? confidence.likely : confidence.hint;
    default:
      return constantScore(sum, isProduct);
  }
}

function constantScore({ operator, numbers }: Sum, isProduct: boolean): number {
  if (isProduct) return numbers > 0 ? confidence.certain : confidence.hint;
  if (operator === '+' || operator === '~')
    return numbers > 0 ? confidence.strong : confidence.likely;
  return numbers > 1 ? confidence.likely : 0;
}
