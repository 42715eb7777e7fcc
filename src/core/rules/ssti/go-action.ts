import { family, templateToken } from '../../grammars/template/template.ts';
import { confidence } from '../../placement/confidence.ts';
import { wordSet } from '../../text/words.ts';
import type { Expressions } from './expression.ts';

/** Go's `printf "%#v" .`: everything that the template was given. */
export function formatScore(expressions: Expressions, index: number): number {
  if (!expressions.isFirst(index)) return 0;
  const hasFormat = expressions.kind(index + 1) === templateToken.string;
  if (printsServer(expressions, hasFormat ? index + 2 : index + 1)) return confidence.likely;
  const isLiteral = hasFormat && expressions.kind(index + 2) === templateToken.close;
  if (isLiteral && expressions.family(index) === family.mustache) return literalScore(expressions);
  if (!hasFormat || chartObjects.has(expressions.content(index + 3))) return 0;
  const isAll = expressions.isMark(index + 2, '.') || expressions.isMark(index + 2, '$');
  const isDump = allVerbs.test(expressions.content(index + 1));
  return isDump && (isAll || expressions.content(index + 2) === '$') ? confidence.strong : 0;
}

/** `{{print "a"}}`: nobody needs it, but to see what the engine is. */
function literalScore(expressions: Expressions): number {
  return expressions.text.length <= literalMax ? confidence.likely : confidence.trace;
}

const literalMax = 40;

/** `.Env}}`: the whole of what the server knows, not one value of it. */
function printsServer(expressions: Expressions, dot: number): boolean {
  return (
    expressions.family(dot) === family.mustache &&
    expressions.isMark(dot, '.') &&
    serverFields.has(expressions.content(dot + 1)) &&
    expressions.kind(dot + 2) === templateToken.close
  );
}

const serverFields: ReadonlySet<string> = new Set(['Env', 'Environ', 'Secret', 'Secrets']);
/** What the charts of Helm and the pages of Hugo print. */
const chartObjects: ReadonlySet<string> = wordSet(
  'Values Release Chart Capabilities Template Site Page Params',
);

/** `{{define "T"}}x{{end}}{{template "T"}}`: a value that brings a template and calls it. */
export function definitionScore(expressions: Expressions, index: number): number {
  if (!expressions.isFirst(index) || expressions.family(index) !== family.mustache) return 0;
  if (index > 2 || expressions.kind(index + 1) !== templateToken.string) return 0;
  const name = expressions.content(index + 1);
  for (let i = index + 3; i < index + definitionTokensMax; i++) {
    if (expressions.content(i) !== 'template' || expressions.content(i + 1) !== name) continue;
    return expressions.text.length <= definitionMax ? confidence.likely : confidence.hint;
  }
  return 0;
}

const definitionTokensMax = 64;
const definitionMax = 160;
const allVerbs = /^[\s\w]{0,20}%[+#]?v/;
