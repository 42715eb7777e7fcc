import { kindAt } from '../../grammars/script/script.ts';
import { mark, nothing, type ScriptEvidence } from '../../grammars/script/script-evidence.ts';
import { mayHoldScript } from '../../grammars/script/script-hint.ts';
import { pieceAt, type ScriptPieces, scriptPieces } from '../../grammars/script/script-pieces.ts';
import { isScriptInProse } from '../../grammars/script/script-prose.ts';
import { computedCalls } from '../../knowledge/script-words.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';
import { matchOf } from './script-call.ts';

/** `window['al'+'ert'](1)`: the name of what is called is computed, to hide it. */
export const propertyCall: ValueRule = {
  id: 'xss.property-call',
  cwe: 'CWE-79',
  severity: 'high',
  score: confidence.certain,
  message: 'calls a property of the page by a computed name',
  trigger: { literals: [computedCalls] },
  judge: judgePropertyCall,
  examples: [
    "window['al'+'ert'](1)",
    'top["ev"+"al"]("x")',
    'self[/con/.source+/firm/.source](1)',
    "''['constructor']['constructor']('x()')()",
    "this ['prompt'] `1`",
  ],
  lookalikes: [
    'See [the manual](https://example.org/a) and ["quoted title"](/b)',
    "row['name'](s) of array['x'] (optional)",
    "items[0]['price'] = prices['low'](today)",
    '$_POST[\'print\'] and $row["top"]',
  ],
};

function judgePropertyCall(subject: Subject): Match | undefined {
  if (!subject.tokens(mayHoldScript)) return undefined;
  const pieces = subject.tokens(scriptPieces);
  const evidence = strongestComputed(pieces);
  if (evidence.strength < 3) return undefined;
  const isSure = evidence.strength === 4;
  const score = isScriptInProse(subject)
    ? isSure
      ? confidence.strong
      : confidence.hint
    : isSure
      ? confidence.certain
      : confidence.strong;
  return matchOf(pieces.tokens, evidence, score);
}

/** The strongest piece that starts at a bracket. */
function strongestComputed(script: ScriptPieces): ScriptEvidence {
  let best = nothing;
  for (let i = 0; i < script.count; i++) {
    const piece = pieceAt(script, i);
    if (piece.strength <= best.strength) continue;
    if (kindAt(script.tokens, piece.place) === mark.openBracket) best = piece;
  }
  return best;
}
