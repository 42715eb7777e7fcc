import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** JSFuck and its like: script of brackets and operators alone. */
export const symbolScript: ValueRule = {
  id: 'xss.symbol-script',
  score: confidence.certain,
  message: 'is script that is written with brackets and operators alone',
  trigger: {
    classes: charClass.bracket,
    literals: [['[]+', '+[]', '![]', '[]!', '[+', '!+', '~[]', '++$', '+$', '+_', "['_']"]],
  },
  judge: judgeSymbols,
  examples: [
    '[][(![]+[])[+[]]+([![]]+[][[]])[+!+[]+[+[]]]]()',
    '(+[![]]+[+(+!+[]+(!+[]+[])[!+[]+!+[]+!+[]])])[+!+[]]',
    '$=~[];$={___:++$,$$$$:(![]+"")[$],__$:++$,$_$_:(![]+"")[$],_$_:++$};$.$($.$($.$$+"\\"")())();',
  ],
  lookalikes: [
    '+---[ ]---+\n| a | b |\n+---[ ]---+',
    'todo: [ ] one [x] two [+] three (+1) (!)',
    '++[>+++++<-]>.',
    'grid[i][j] += a[i] + b[j] - (c[+d] ? 1 : 0)',
  ],
};

/** Shorter runs cannot call anything. */
const runMin = 20;

function judgeSymbols(subject: Subject): Match | undefined {
  const { text } = subject;
  const face = faceScript(text);
  if (face !== undefined) return face;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 32;
    if (isSymbol(code)) continue;
    if (i - start >= runMin && isScript(text, start, i)) {
      return { start, end: i, score: confidence.certain };
    }
    start = i + 1;
  }
  return undefined;
}

/** aaencode: the letters of the script are numbers that are spelled with faces. */
function faceScript(text: string): Match | undefined {
  const start = text.indexOf('\uff9f)');
  if (start < 0 || !text.includes("['_']") || !text.includes('\uff9f\uff70\uff9f'))
    return undefined;
  return { start, end: Math.min(text.length, start + 80), score: confidence.strong };
}

/** Brackets, operators, quotation marks, `$` and `_`: all that JSFuck and JJEncode need. */
const symbols: ReadonlySet<number> = new Set(
  [...'[]()!+{}$_.:;,"\\=~'].map((symbol) => symbol.charCodeAt(0)),
);

function isSymbol(code: number): boolean {
  return symbols.has(code);
}

/** Arrays that are negated or added, and something that is called. */
function isScript(text: string, start: number, end: number): boolean {
  let brackets = 0;
  let calls = 0;
  let casts = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const next = i + 1 < end ? text.charCodeAt(i + 1) : 0;
    if (code === 91) brackets++;
    if (code === 40) calls++;
    const isCast = code === 43 || code === 33 || code === 126;
    if (isCast && (next === 91 || next === 43 || next === 33 || next === 40 || next === 36))
      casts++;
  }
  return brackets >= 4 && calls >= 1 && casts >= 3;
}
