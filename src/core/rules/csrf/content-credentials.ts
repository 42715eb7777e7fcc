import {
  kindAt,
  type ScriptTokens,
  script,
  scriptKind,
  wordAt,
} from '../../grammars/script/script.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * `fetch(…, {method: 'POST', credentials: 'include'})` in markup or behind a `javascript:` scheme.
 */
export const contentCredentials: ValueRule = {
  id: 'csrf.content-credentials',
  cwe: 'CWE-352',
  severity: 'high',
  score: confidence.strong,
  message: 'sends a request with the cookies of the viewer',
  trigger: {
    classes: charClass.paren,
    literals: [
      ['credentials', 'sendbeacon', 'xmlhttprequest', 'ajax'],
      ['<script', 'script:', 'on'],
    ],
  },
  judge: judgeCredentials,
  examples: [
    "<script>fetch('//bank.test/pay',{method:'POST',credentials:'include'})</script>",
    "<img src=x onerror=\"navigator.sendBeacon('https://bank.test/pay','to=7')\">",
    "<script>x=new XMLHttpRequest;x.withCredentials=true;x.open('POST','//a.test')</script>",
    "<script>x=new XMLHttpRequest;x.withCredentials=1;x.open('POST','//a.test')</script>",
    `<a href="javascript:fetch('//bank.test/pay',{credentials:'include'})">`,
  ],
  lookalikes: [
    "Call fetch(url, { method: 'POST', credentials: 'include' }) to send cookies along.",
    'navigator.sendBeacon() is available on all pages',
    'The XMLHttpRequest option withCredentials (boolean) sends cookies',
  ],
};

function judgeCredentials(subject: Subject): Match | undefined {
  const lower = subject.text.toLowerCase();
  if (!lower.includes('<script') && !hasScriptPlace(lower)) return undefined;
  const tokens = subject.tokens(script);
  for (let i = 0; i < tokens.count; i++) {
    if (kindAt(tokens, i) !== scriptKind.word || !sends(tokens, i)) continue;
    const start = tokens.starts[i] as number;
    return { start, end: Math.min(subject.text.length, start + 80) };
  }
  return undefined;
}

/** A handler attribute or a script URL. */
function hasScriptPlace(lower: string): boolean {
  return lower.includes('javascript:') || (lower.includes('<') && handler.test(lower));
}

const handler = /[\s/"']on[a-z]{3,30}=/;

/** `credentials:'include'`, `withCredentials=true`, `sendBeacon('…'`. */
function sends(tokens: ScriptTokens, i: number): boolean {
  const word = wordAt(tokens, i);
  const next = kindAt(tokens, i + 1);
  if (word === 'credentials') return next === 58 && wordAt(tokens, i + 3) === 'include';
  if (word === 'withcredentials') {
    const value = wordAt(tokens, i + 2);
    return (next === 61 || next === 58) && (value === 'true' || value === '1');
  }
  return word === 'sendbeacon' && next === 40 && kindAt(tokens, i + 2) > 32;
}
