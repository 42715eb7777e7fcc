import {
  endOf,
  isQuote,
  kindAt,
  type ScriptTokens,
  script,
  scriptKind,
  startOf,
  wordAt,
} from '../../grammars/script/script.ts';
import { forgedWords, hasForgedPath } from '../../knowledge/state-change.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * `navigator.sendBeacon('https://bank.test/transfer','to=7')` without markup: a script that sends
 * a request to another site with its cookies, as the whole value.
 */
export const contentScript: ValueRule = {
  id: 'csrf.content-script',
  score: confidence.likely,
  message: 'is script that changes state on another site with the cookies of the viewer',
  trigger: {
    classes: charClass.paren | charClass.slash,
    literals: [['credentials', 'sendbeacon'], forgedWords],
    // Longer texts are programs.
    charsMax: 1_000,
  },
  judge: judgeScript,
  examples: [
    "navigator.sendBeacon('https://shop.test/account/delete','id=4')",
    "$.ajax({type:'POST',url:'//bank.test/pay',xhrFields:{withCredentials:true},data:{to:7}})",
    "axios.post('https://bank.test/api/transfer',{to:7},{withCredentials:true});",
    "x=new XMLHttpRequest();x.withCredentials=true;x.open('POST','https://a.test/reset');x.send()",
    "fetch('https://bank.test/wire?to=7',{method:'POST',credentials:'include'})",
    "if(1){fetch('http://bank.test/wire?to=7',{method:'POST',credentials:'include'})}",
    "axios.post('https://bank.test/api/transfer',{to:7},{withCredentials:1})",
  ],
  lookalikes: [
    "navigator.sendBeacon('https://stats.example.org/collect', JSON.stringify(data));",
    "navigator.sendBeacon('/cart/remove', body)",
    "axios.get('https://api.example.org/items', { withCredentials: true })",
    "How do I call axios.post('https://api.example.org/pay', x, {withCredentials: true}) in Vue?",
    "$.ajax({ url: 'https://api.example.org/user/delete', type: 'DELETE' })",
    "fetch('https://api.example.org/orders/payment-methods', { credentials: 'include' })",
  ],
};

function judgeScript(subject: Subject): Match | undefined {
  const tokens = subject.tokens(script);
  const first = firstCall(tokens);
  if (first < 0 || !endsAsScript(tokens) || !holdsCookies(tokens, first)) return undefined;
  const url = findUrl(tokens, first);
  if (url === undefined || !hasForgedPath(subject.text, url.start, url.end)) return undefined;
  return { start: startOf(tokens, first), end: url.end };
}

/** Tokens that may stand before the call: the end of a literal, an assignment. */
const tokensBefore = 8;

const objects: ReadonlySet<string> = new Set(['navigator', 'axios', '$', 'jquery']);
const functions: ReadonlySet<string> = new Set(['fetch', 'axios', 'sendbeacon']);

/** Token of the call that sends, when no words of a sentence stand before it; -1 for none. */
function firstCall(tokens: ScriptTokens): number {
  for (let i = 0; i < tokensBefore; i++) {
    if (kindAt(tokens, i) !== scriptKind.word) continue;
    const word = wordAt(tokens, i);
    const next = kindAt(tokens, i + 1);
    if (objects.has(word) && next === dot) return i;
    if (functions.has(word) && next === open) return i;
    if (word === 'new' && wordAt(tokens, i + 1) === 'xmlhttprequest') return i;
    // Two words side by side, but for a declaration or an operator.
    if (next === scriptKind.word && !wordsBefore.has(word)) return -1;
  }
  return -1;
}

const dot = 46;
const open = 40;

const wordsBefore: ReadonlySet<string> = wordSet(
  'var let const void await return async window self top',
);

/** `)`, `}` or `;` at the end, or the comment that cuts off the rest. */
function endsAsScript(tokens: ScriptTokens): boolean {
  const last = kindAt(tokens, tokens.count - 1);
  return last === 41 || last === 125 || last === 59 || last === 47;
}

function holdsCookies(tokens: ScriptTokens, first: number): boolean {
  for (let i = first; i < tokens.count; i++) if (sendsCookies(tokens, i)) return true;
  return false;
}

/** The first literal that is an address of some site. */
function findUrl(tokens: ScriptTokens, first: number): { start: number; end: number } | undefined {
  const { text } = tokens;
  for (let i = first; i < tokens.count; i++) {
    const quote = kindAt(tokens, i);
    if (!isQuote(quote)) continue;
    const start = endOf(tokens, i);
    const head = text.slice(start, start + 8).toLowerCase();
    if (!head.startsWith('//') && !head.startsWith('http://') && head !== 'https://') continue;
    const end = text.indexOf(String.fromCharCode(quote), start);
    return end < 0 ? undefined : { start, end };
  }
  return undefined;
}

/**
 * `fetch(…, {method: 'POST', credentials: 'include'})` in markup or behind a `javascript:` scheme.
 */
export const contentCredentials: ValueRule = {
  id: 'csrf.content-credentials',
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
    `<script>$.ajax({url:'//bank.test/pay',xhrFields:{"withCredentials":true}})</script>`,
  ],
  lookalikes: [
    "Call fetch(url, { method: 'POST', credentials: 'include' }) to send cookies along.",
    'navigator.sendBeacon() is available on all pages',
    'The XMLHttpRequest option withCredentials (boolean) sends cookies',
    'Put app.use(cors({ credentials: true, origin: host })) on the server',
  ],
};

function judgeCredentials(subject: Subject): Match | undefined {
  const lower = subject.text.toLowerCase();
  if (!lower.includes('<script') && !hasScriptPlace(lower)) return undefined;
  const tokens = subject.tokens(script);
  for (let i = 0; i < tokens.count; i++) {
    if (!sendsCookies(tokens, i)) continue;
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

/** `credentials:'include'`, `withCredentials=true`, and a beacon, which always sends them. */
function sendsCookies(tokens: ScriptTokens, i: number): boolean {
  if (kindAt(tokens, i) !== scriptKind.word) return false;
  const word = wordAt(tokens, i);
  if (word === 'sendbeacon') return kindAt(tokens, i + 1) === open && kindAt(tokens, i + 2) > 32;
  // Names and values may be quoted.
  const values = cookieValues.get(word) ?? [];
  return [2, 3, 4].some((ahead) => values.includes(wordAt(tokens, i + ahead)));
}

const cookieValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['credentials', ['include']],
  ['withcredentials', ['true', '1']],
]);
