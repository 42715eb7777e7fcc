import { knownWordAt } from '../../grammars/script/known-word.ts';
import {
  endOf,
  isQuote,
  kindAt,
  type ScriptTokens,
  scriptKind,
  startOf,
} from '../../grammars/script/script.ts';
import {
  mark,
  reach,
  type ScriptEvidence,
  type Strength,
} from '../../grammars/script/script-evidence.ts';
import { mayHoldScript } from '../../grammars/script/script-hint.ts';
import { pieceAt, scriptPieces } from '../../grammars/script/script-pieces.ts';
import { globals, keywords } from '../../knowledge/page.ts';
import { commonFunctions, computedCalls, scriptWords } from '../../knowledge/script-words.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Ends a string or a number of the page's own script and goes on with code. */
export const scriptBreakout: ValueRule = {
  id: 'xss.script-breakout',
  cwe: 'CWE-79',
  severity: 'critical',
  score: confidence.certain,
  message: 'closes a string of a script and goes on with code of its own',
  trigger: { literals: [[...scriptWords, ...computedCalls]] },
  judge: judgeBreakout,
  examples: [
    "';alert(1)//",
    '"-confirm`1`-"',
    "\\');print(/x/);//",
    "x'+(self['ale'+'rt'](1))+'",
    '`;fetch("//evil.test/")//',
    '"]};location="//evil.test";var a=["',
    '";/#{/-alert(1)//',
    "';document.body.setHTMLUnsafe(name)//",
    "';trustedTypes.createPolicy('default',{})//",
    '1;location=name',
    '1-document.write(name)',
    "';location['href']=name//",
    "';innerHTML=name//",
  ],
  lookalikes: [
    "It's 'ok', I will print (both) copies",
    "const a = 'x' + fetch('/api');",
    'set :rake, lambda { "#{fetch(:cmd, "bundle")} exec rake" }',
    '1) print(a) 2) open(b)',
    '1;print(total)',
    "window['dataLayer'] = window['dataLayer'] || [];",
    'He said "no", alert and confirm were "too much" (really)',
  ],
};

function judgeBreakout(subject: Subject): Match | undefined {
  if (!subject.tokens(mayHoldScript)) return undefined;
  const pieces = subject.tokens(scriptPieces);
  const { tokens } = pieces;
  let isOpening: Uint8Array | undefined;
  let best: Match | undefined;
  for (let i = 0; i < pieces.count; i++) {
    const evidence = pieceAt(pieces, i);
    if (evidence.strength < 2) continue;
    const quote = breakoutBefore(tokens, evidence.first);
    if (quote < 0) continue;
    isOpening ??= openingQuotes(tokens);
    const isNumber = kindAt(tokens, quote) === scriptKind.number;
    if (isNumber ? isOrdinary(tokens, evidence) : isOpening[quote] !== 1) continue;
    const score = scoreOf(evidence.strength);
    if (score <= (best?.score ?? 0)) continue;
    best = matchOf(tokens, quote, evidence, score);
    if (score >= confidence.certain) break;
  }
  return best;
}

function scoreOf(strength: Strength): number {
  return strength >= 3 ? confidence.certain : confidence.strong;
}

/**
 * One byte per token: 1 for a quotation mark with an even number of its like before it. In code of
 * its own such a mark opens a string; when code follows, it has closed one from outside of the
 * value.
 */
function openingQuotes(tokens: ScriptTokens): Uint8Array {
  const opening = new Uint8Array(tokens.count);
  const isEven = new Uint8Array(128).fill(1);
  for (let i = 0; i < tokens.count; i++) {
    const kind = kindAt(tokens, i);
    if (!isQuote(kind)) continue;
    opening[i] = isEven[kind] as number;
    isEven[kind] = 1 - (isEven[kind] as number);
  }
  return opening;
}

function matchOf(
  tokens: ScriptTokens,
  quote: number,
  evidence: ScriptEvidence,
  score: number,
): Match {
  const start = startOf(tokens, quote);
  return { start, end: Math.max(start, endOf(tokens, evidence.last - 1)), score };
}

/** Words of a path that begins at a global object. */
const pathWords: ReadonlySet<string> = wordSet(
  'body documentelement forms history jquery localstorage navigator serviceworker',
  'sessionstorage trustedtypes',
);

/** What lists with numbers and other languages call as well. */
function isOrdinary(tokens: ScriptTokens, { first, strength }: ScriptEvidence): boolean {
  if (strength > 2) return false;
  const word = knownWordAt(tokens, first);
  const isOfPage = globals.has(knownWordAt(tokens, first - 2));
  return word === 'print' || (commonFunctions.has(word) && !isOfPage);
}

/** `1;`, `1&&`: a number at the start, and an operator that an operand follows at once. */
function isNumberEnded(tokens: ScriptTokens): boolean {
  return number.test(tokens.text.slice(0, 24)) && kindAt(tokens, 0) === scriptKind.number;
}

const number = /^\d{1,12}(?:[;,*/|?]|&&|[-+](?!\d))\S/;

/**
 * True when in front of a piece of script a string is closed: `';`, `")-`, `\'+`, with nothing but
 * punctuation up to it. Returns the token index of the quotation mark, -1 when there is none.
 */
function breakoutBefore(tokens: ScriptTokens, first: number): number {
  let at = first - 1;
  const limit = Math.max(0, first - reach);
  let hasOperator = false;
  while (at >= limit) {
    const kind = kindAt(tokens, at);
    if (isQuote(kind)) {
      if (hasOperator) return isInterpolation(tokens, at) ? -1 : at;
    } else if (kind === scriptKind.word) {
      const word = knownWordAt(tokens, at);
      const isPath = globals.has(word) || keywords.has(word) || pathWords.has(word);
      if (!isPath) return -1;
    } else if (kind !== scriptKind.number && kind !== mark.dot) hasOperator = true;
    at--;
  }
  return at < 0 && hasOperator && isNumberEnded(tokens) ? 0 : -1;
}

/** `"#{fetch(:a)}"`: a string of Ruby. Behind a string of a script `#{` is an error. */
function isInterpolation(tokens: ScriptTokens, quote: number): boolean {
  return tokens.text.startsWith('#{', endOf(tokens, quote));
}
