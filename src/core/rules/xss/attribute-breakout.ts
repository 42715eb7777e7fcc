import { decodeReferences } from '../../grammars/html/character-reference.ts';
import { isComponentProperty } from '../../grammars/html/markup.ts';
import { knownWordAt } from '../../grammars/script/known-word.ts';
import {
  endOf,
  isQuote,
  kindAt,
  type ScriptTokens,
  tokenIndexAt,
} from '../../grammars/script/script.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { dialogs, events, wordsStartingWithOn } from '../../knowledge/page.ts';
import { confidence } from '../../placement/confidence.ts';
import { isMessageMember } from '../../placement/field-role.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass, isLetter } from '../../text/char-class.ts';
import { blanksStart } from '../../text/runs.ts';
import type { Match, ValueRule } from '../rule.ts';
import { actsOnPage, programMax } from './expression.ts';

/** `" onfocus=alert(1) autofocus x="`: a handler for the tag that the value lands in. */
export const attributeBreakout: ValueRule = {
  id: 'xss.attribute-breakout',
  severity: 'critical',
  score: confidence.certain,
  message: 'closes an attribute value and adds an event handler to the tag around it',
  trigger: {
    classes: charClass.equals,
    literals: [['on']],
  },
  judge: judgeAttribute,
  examples: [
    '" onmouseover=alert(1) x="',
    "' autofocus onfocus='location=name",
    '"//onpointerenter="eval(name)',
    'x onclick=confirm`1`',
    '2 onclick=remove()',
    'x onclick=document.title=1',
    `autofocus/>/onfocus=top?.['pri' 'nt']()/`,
    "![a](x'onerror='print(1))",
    '" onfocus=if(!this.a){this.a=1;go(eval(name))} x=',
    '\\" onload="x\\"',
    ...['onerror=alert;throw 1', '" tabindex=1 onGesturestart =location=name x="'],
    '" onfocus="new Proxy({},{get:alert}).x" autofocus x="',
    `"onfocus='({[Symbol.toPrimitive]:alert})+1' autofocus `,
    "x autofocus tabindex=1 onfocus='self[k](1)' ",
    `x style="animation:pulse 1s" onanimationstart='x={toString:alert};x+1' `,
    `x onanimationstart='self[k](1)' style="color:red;animation:pulse 1s"`,
    `" ontransitionrun='self[k](1)' style="transition:color 1s" x="`,
    '" onclick=self[k](1) x="',
    '"onpointerenter=localStorage.clear() x="',
    '1 autofocus onfocus=self[k](1)',
    'x onfocus=self[k](1) autofocus tabindex=1',
    'x autofocus onfocus=a.b(1)',
    '" onclick=a.b(1) x="',
    'a b" onclick="$x=localStorage.token',
    `" onpointerenter="[location.href]=['//e.test/']`,
    `x lang=en aria-label="a b" autofocus onfocus='self[k](1)'`,
    '" onfocus=title=cookie autofocus x="',
    { body: { comment: "' onclick='(class{static{document.title=1}}).name" } },
  ],
  lookalikes: [
    '"Hello" and onclick="save',
    'the onclick="save" and the onload="start" attribute',
    'only one = 1 (on average), online = yes',
    'He says "onward" = forward (mostly)',
    '/online?onsale=true&sort=price',
    'window.onload = function () { start(); }',
    'once = f(x), one = g(x)',
    'He said "use onclick=items[0]" there',
    'say onclick=save(item) or onfocus=go(y)',
    'onclick=remove() is what I tried, but nothing happens',
    { body: { comment: 'use onclick=remove()' } },
    'why does onclick=open() fail',
    'autofocus and onfocus=a.b(1) do not work',
    'use autofocus, and onfocus="select" where that fails',
    'style: animation, onanimationstart="begin"',
    'The docs say: autofocus onfocus="this.select()" is enough',
    `He said "use onclick='[x]'" there`,
    "a.off('response', onResponse);\nonResponse = callback.bind(this, null);",
    "const a = require('on-exit');\nconst onListen = makeListener(server);",
  ],
};

function judgeAttribute(subject: Subject): Match | undefined {
  const { text } = subject;
  let best: Match | undefined;
  let candidates = 0;
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1)) {
    const start = handlerStart(text, at);
    if (start < 0) continue;
    const found = judgeHandler(subject, start, at);
    if (found !== undefined && (found.score ?? 0) > (best?.score ?? 0)) best = found;
    const score = best?.score ?? 0;
    if (
      score >= confidence.certain ||
      (score >= confidence.likely && ++candidates >= candidatesMax)
    )
      break;
  }
  return best;
}

/** Once one is found, so many are looked at for a surer one. */
const candidatesMax = 64;

/** Offset of a handler's name that ends in front of the `=`, -1 when there is none. */
function handlerStart(text: string, equals: number): number {
  const end = blanksStart(text, equals, 8);
  let start = end;
  while (start > 0 && end - start < 32 && isLetter(text.charCodeAt(start - 1))) start--;
  if (end - start < 5) return -1;
  if ((text.charCodeAt(start) | 32) !== 111 || (text.charCodeAt(start + 1) | 32) !== 110) return -1;
  if (wordsStartingWithOn.has(text.slice(start, end).toLowerCase())) return -1;
  const isCode = isDeclared(text, start) || isVariable(text, start, equals);
  return isBoundary(text, start) && !isCode ? start : -1;
}

/** `const onClose = …` */
function isDeclared(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) !== 32) return false;
  return declaration.test(text.slice(Math.max(0, start - 8), start));
}

/** `onResponse = …`: no event is called so. */
function isVariable(text: string, start: number, equals: number): boolean {
  return camelCase.test(text.slice(start, equals)) && !isEvent(text, start);
}

/** Events of WebKit alone are many. */
const camelCase = /^on(?!Webkit)[A-Z][a-z]{1,40} $/;

const declaration = /(?:^|[^a-z])(?:const|let|var|function|val|def) $/;

/**
 * White space, a slash, a quotation mark or another separator; no `.`, `-` or `&` as in code and
 * URLs.
 */
function isBoundary(text: string, start: number): boolean {
  if (start === 0) return true;
  const code = text.charCodeAt(start - 1);
  return code <= 32 || code >= 128 || boundaries.has(code);
}

const boundaries: ReadonlySet<number> = new Set([...'/"\'`;+)>,%'].map((one) => one.charCodeAt(0)));

function judgeHandler(subject: Subject, start: number, equals: number): Match | undefined {
  const { text } = subject;
  if (isComponentProperty(text, equals + 1, text.length)) return undefined;
  const pieces = subject.tokens(scriptPieces);
  const { tokens } = pieces;
  const begin = tokenIndexAt(tokens, equals + 1);
  const valueEnd = Math.min(text.length, equals + 80);
  const { first, last, strength: found } = strongestScript(pieces, equals + 1, valueEnd);
  const strength = isSinkName(tokens, begin) ? 4 : found;
  // `onload = function () {` is code that defines a handler, in a script of its own.
  const isNear = strength === 4 || (strength > 0 && first - begin <= 6);
  const isQuoted = quoteBefore(text, start);
  const isValue = text.charCodeAt(equals + 1) > 32;
  const score =
    (isNear &&
      !isAsked(text, start, equals) &&
      scoreOfScript(strength, first === begin, isQuoted)) ||
    scoreOfEvent(text, start, equals, strength, isQuoted) ||
    (runsProgram(subject, start, equals) ? confidence.likely : 0) ||
    (isQuoted && (isNear || isValue) ? confidence.hint : 0);
  if (score === 0) return undefined;
  const end = Math.max(endOf(tokens, Math.max(last - 1, begin)), equals + 1);
  return { start, end, score };
}

/** `why does onclick=open() fail`: a window without anything in it, in a sentence. */
function isAsked(text: string, start: number, equals: number): boolean {
  return emptyWindow.test(text.slice(equals + 1, equals + 20)) && words.test(text.slice(0, start));
}

const emptyWindow = /^open\(\)\s[a-z]/;
const words = /^(?:[A-Za-z]{1,20}\s){2,8}$/;

/** Script that the value begins with, or soon holds. */
function scoreOfScript(strength: number, isFirst: boolean, isQuoted: boolean): number {
  if (strength >= 3) return isQuoted ? confidence.certain : confidence.strong;
  if (strength === 2) return isQuoted ? confidence.strong : confidence.likely;
  return isQuoted && isFirst ? confidence.strong : 0;
}

/** The name of an event behind a quotation mark or at the start, and how its attribute stands. */
function scoreOfEvent(
  text: string,
  start: number,
  equals: number,
  strength: number,
  isQuoted: boolean,
): number {
  if ((isQuoted || start === 0) && isEvent(text, start)) {
    if (strength >= 2) return confidence.strong;
    const isScript =
      strength > 0 || isLetter(text.charCodeAt(equals + 2)) || opensCall(text, equals + 1);
    if (isQuoted && isScript && holdsValue(text, start, equals)) return confidence.likely;
  }
  return happensItself(text, start, equals) || leavesTag(text, start) ? confidence.likely : 0;
}

/** `" onfocus=title=cookie autofocus x="`, `' onclick='a.b=c`: out of a quoted value, attributes, and a value begun anew. */
function leavesTag(text: string, start: number): boolean {
  if (text.length > programMax || !isEvent(text, start)) return false;
  const last = text.lastIndexOf(text.trimStart().charAt(0));
  const isReopened = last > start && text.charCodeAt(last - 1) === 61;
  return isReopened && attributes.test(text.slice(0, start));
}

const attributes = /^\s{0,4}["'][\s/]{0,8}(?:[a-z-]{1,30}(?:=[^\s"'<>=]{1,80})?[\s/]{1,8}){0,6}$/i;

/** `x autofocus onfocus=a.b(1)`: outside of a tag, and the event happens without the visitor. */
function happensItself(text: string, start: number, equals: number): boolean {
  if (start > headMax || !ofItself.test(text.slice(start, equals))) return false;
  if (!startsItself.test(text) || !opensValue(text, equals + 1)) return false;
  const rest = text.slice(equals + 1, equals + 1 + programMax);
  return ownValue.test(rest) && isEvent(text, start) && beginning.test(text.slice(0, start));
}

const ofItself = /^on(?:focus|animation|transition)/i;

/** An odd number of quotation marks of one kind stands in front: the last one closes something. */
function closesQuote(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 200), start);
  return before.split('"').length % 2 === 0 || before.split("'").length % 2 === 0;
}

/** The name is that of an event which browsers have. */
function isEvent(text: string, start: number): boolean {
  let end = start + 2;
  while (isLetter(text.charCodeAt(end))) end++;
  return events.has(text.slice(start + 2, end).toLowerCase());
}

/** `" onload="x`: behind white space and with quotation marks of its own, as in a tag. */
function holdsValue(text: string, start: number, equals: number): boolean {
  const before = text.charCodeAt(start - 1);
  const isSpaced = before <= 32 || before === 47 || isQuote(before);
  return isSpaced && opensValue(text, equals + 1) && closesQuote(text, start);
}

function opensValue(text: string, at: number): boolean {
  return opensScript(text, at) || opensCall(text, at);
}

/** `self[k](1)`, `a.b(1)` without quotation marks of its own: a lone one at its end opens a string. */
function opensCall(text: string, at: number): boolean {
  return callAtOnce.test(text.slice(at, at + 240));
}

const callAtOnce = /^(?![^\s<>"'`/]{1,200}["'](?:[\s>]|$))[\w$.]{1,60}[([`]/;

/** A quotation mark, and behind it how an expression begins. */
function opensScript(text: string, at: number): boolean {
  const code = text.charCodeAt(at + 1);
  return isQuote(text.charCodeAt(at)) && (isLetter(code) || openers.has(code));
}

const openers: ReadonlySet<number> = new Set([...'([{!+-~$_&'].map((one) => one.charCodeAt(0)));

/** `2 onclick=remove()`: data without quotes, and a handler that is a program which does something to the page. */
function runsProgram({ text, member }: Subject, start: number, equals: number): boolean {
  if (start === 0 || start > headMax || !isEvent(text, start)) return false;
  if (isMessageMember(member) && !startsItself.test(text)) return false;
  if (!beginning.test(text.slice(0, start))) return false;
  const rest = text.slice(equals + 1, equals + 1 + programMax);
  const own = ownValue.exec(rest);
  // Without quotes a reference may have been decoded to what would end the value.
  const value = decodeReferences(own?.[1] ?? own?.[2] ?? own?.[3] ?? '');
  return actsOnPage(rest) || actsOnPage(value);
}

/** The value, in quotes or up to a blank, and nothing but attributes behind it. */
const ownValue =
  /^(?:"([^"]{0,2000})(?:"|$)|'([^']{0,2000})(?:'|$)|([^\s>"'][^\s>]{0,2000}))(?:[\s/]{0,8}$|>|\s{1,8}(?:autofocus|[\w-]{1,30}=))/;
const headMax = 160;
/** The data that an attribute without quotes holds, or the end of its tag, and nothing but attributes behind it. */
const beginning =
  /^(?:[^\s<>]{0,60}|[^<>"']{0,60}["'])>?(?:[\s/]{1,8}(?:(?=[a-z][\w-]{0,30}=|(?:autofocus|tabindex|contenteditable|id|class|style|popover|hidden|x)[\s/])[a-z][\w-]{0,30}(?:=(?:"[^"<>]{0,80}"[\s/]{0,8}|'[^'<>]{0,80}'[\s/]{0,8}|[^\s"'<>]{1,80}\s[\s/]{0,8})|[\s/]{1,8})){0,4}(?:[a-z][\w-]{0,30}=[^\s"'<>]{1,80}|autofocus|tabindex|contenteditable|id|class|style|popover|hidden|x)?)?$/i;
/** What makes an event happen without the visitor. */
const startsItself = /\bautofocus\b|\bstyle=[^<>]{0,80}\b(?:animation|transition)/i;

/** `onload=confirm`, and nothing else: the dialog itself is the handler. */
function isSinkName(tokens: ScriptTokens, first: number): boolean {
  if (!dialogs.has(knownWordAt(tokens, first))) return false;
  const next = kindAt(tokens, first + 1);
  return next === 0 || next === 59 || isQuote(next);
}

/** A quotation mark stands somewhere in front: something was closed. */
function quoteBefore(text: string, start: number): boolean {
  for (let at = start - 1; at >= 0 && at >= start - 200; at--) {
    if (isQuote(text.charCodeAt(at))) return true;
  }
  return false;
}
