import { takers } from '../../../knowledge/engine-calls.ts';
import { isDigit, isWord } from '../../../text/char-class.ts';
import { createFinder } from '../../../text/char-finder.ts';
import { clue, mayHold } from '../../../text/clue.ts';
import { blanksStart } from '../../../text/runs.ts';
import { createWordTable, openingPairs, pairOf } from '../../../text/word-table.ts';
import { wordList } from '../../../text/words.ts';
import { isBelowComment } from '../script.ts';
import { knownNames, shellCommand } from './capabilities.ts';

const nextMark = createFinder(/[(`%{=:[]/g);
const known = createWordTable(knownNames);
const handedOn = wordList('alert confirm prompt print eval');
const handedOnTable = createWordTable(handedOn);
/** Functions that are called by another name. */
const renamed = createWordTable([
  ...handedOn,
  ...wordList('cookie fetch open system exec passthru'),
  ...takers.keys(),
]);
/** Dialogs that are handed on and not called: `{get:alert}`, `x.toString=alert`, `[alert]`. */
const given =
  /[=:[(]\s{0,4}(?:\/\*[^*]{0,40}\*\/\s{0,4})?(?:\d{0,4},\s?){0,4}(?:[a-zA-Z]{3,10}\.){0,2}(?:alert|confirm|prompt|print|eval)\s{0,4}(?:[,;}\])/\n]|\|\||\?\?|$)/y;
/** What the dialogs are members of. */
const windows = wordList('document frames globalthis parent self this top window');
const windowTable = createWordTable(windows);
const givenOpenings = openingPairs([...handedOn, ...windows]);
const cookie = /^\[\s{0,4}['"`]cookie/;
const selected =
  /(?:\$|jQuery)\(\s{0,4}(?:(?:window|self|top|this)\.)?(?:location|name|document\.[URLreflocatin]{3,8})\b/;
const environment = /\bENV\s{0,8}[.[]/;

/**
 * Cheap test before a text is read: false when nothing in it, from an offset on, can be a use. A use has a bracket
 * behind a name of the table or behind an expression, a command in backticks or Ruby's `%x`. Prose
 * has its brackets behind a space and a common word, which costs next to nothing.
 */
export function mayUse(text: string, from: number): boolean {
  for (let at = nextMark(text, from); at < text.length; at = nextMark(text, at + 1)) {
    if (opensUse(text, at)) return true;
  }
  if (mayHold(text, clue.storage) && text.includes('Storage', from)) return true;
  if (mayHold(text, clue.cookie) && text.includes('.cookie', from)) return true;
  if ((text.includes('$(', from) || text.includes('jQuery(', from)) && selected.test(text))
    return true;
  return text.includes('ENV', from) && environment.test(text);
}

function opensUse(text: string, at: number): boolean {
  switch (text.charCodeAt(at)) {
    case 40:
      return isCall(text, at) || isGiven(text, at);
    case 96:
      return isCommand(text, at) || isTag(text, at);
    case 37:
      return isLiteral(text, at);
    case 58:
      return isGiven(text, at);
    case 91:
      return isGiven(text, at) || cookie.test(text.slice(at, at + 16));
    case 61:
      return isGiven(text, at) || isRenaming(text, at + 1) || isPageAssignment(text, at);
    default:
      returned.lastIndex = at + 1;
      return isRenaming(text, at + 1) || returned.test(text);
  }
}

/** What a getter, a method or a generator gives: `{get a(){return alert}}`. */
const returned = /\s{0,4}(?:return|yield)\s{1,4}(?:alert|confirm|prompt|print|eval)\b/y;

/** `{alert:z}`, `z=alert;`, `{a, b:c, alert}`: what is called by another name. */
function isRenaming(text: string, from: number): boolean {
  let at = from;
  // `{[Symbol.toPrimitive]:alert}`, `{['al'+'ert']:a}=self`
  if (text.charCodeAt(from) === 91) return computedKey.test(text.slice(from, from + 96));
  for (let items = 0; items < itemsMax; items++) {
    const start = skipBlanks(text, at);
    const end = nameEnd(text, start);
    if (end === start) return false;
    at = skipBlanks(text, end);
    const next = text.charCodeAt(at);
    const isEnded = next === 44 || next === 58 || next === 59 || next === 125;
    if (isEnded && renamed.wordBetween(text, start, end) !== '') return true;
    // `q=self;x={a:q.alert}`
    const isWindow = isEnded && text.charCodeAt(from - 1) === 61;
    if (isWindow && windowTable.wordBetween(text, start, end) !== '') return true;
    if (next === 58 || next === 61) {
      const name = skipBlanks(text, at + 1);
      at = nameEnd(text, name);
      if (at === name) return false;
      at = skipBlanks(text, at);
    }
    if (text.charCodeAt(at) !== 44) return false;
    at++;
  }
  return false;
}

const computedKey = /^\[(?:\s{0,4}Symbol[\s.[]|[^\]]{1,80}['"`)]\s{0,4}\]\s{0,4}:)/;
const itemsMax = 5;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at - from < 4 && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** End of a name of ASCII; `from` where none begins, or a longer one than functions have. */
function nameEnd(text: string, from: number): number {
  let end = from;
  while (isNamePart(text.charCodeAt(end))) {
    if (++end - from > nameMax) return from;
  }
  return end;
}

/** `x.innerHTML=`, `document.title=`, `[location.href]=`; an attribute of HTML has a blank in front. */
function isPageAssignment(text: string, at: number): boolean {
  // `x.innerHTML+=`
  const end = blanksStart(text, text.charCodeAt(at - 1) === 43 ? at - 1 : at, 4);
  let start = end;
  while (start > 0 && end - start < nameMax && isNamePart(text.charCodeAt(start - 1))) start--;
  const before = text.charCodeAt(start - 1);
  const isMember = before === 46 || before === 93 || before === 125;
  if (isMember) return pageMember.test(text.slice(Math.max(0, start - 80), end));
  return (end - start === 8 || end - start === 9) && pageName.test(text.slice(start, end));
}

const pageName = /^(?:innerHTML|outerHTML|location)$/;
const pageMember =
  /(?:innerHTML|outerHTML|location|document|Storage|innerText|outerText|textContent|srcdoc|(?:self|window|top|parent|frames|this|opener)\[.{1,60}\]|\.src\s{0,4}$)/;

/** `:alert}`: what a colon has in front of it is seldom one of a few letters. */
function isGiven(text: string, at: number): boolean {
  const start = skipBlanks(text, at + 1);
  const code = text.charCodeAt(start);
  // A blank beyond ASCII is the pattern's to skip.
  // Of a list a later item may be the one: `[1,alert]`.
  const mark = text.charCodeAt(at);
  const isItem = (mark === 91 || mark === 40) && (code === 44 || isDigit(code));
  if (code < 128 && code !== 47 && !isItem) {
    if (givenOpenings[pairOf(code, text.charCodeAt(start + 1))] === 0) return false;
  }
  // A word in front of a dot may be an object that has the dialog.
  const end = nameEnd(text, start);
  const isOther = isNamePart(code) && !isItem && text.charCodeAt(end) !== 46;
  if (isOther && handedOnTable.wordBetween(text, start, end) === '') return false;
  given.lastIndex = at;
  return given.test(text);
}

function isCommand(text: string, at: number): boolean {
  return shellCommand.test(text.slice(at + 1, at + 32));
}

/** `Array.from`1${alert}``: a function that is given what stands in a template. */
function isTag(text: string, at: number): boolean {
  const end = blanksStart(text, at, 4);
  const before = text.charCodeAt(end - 1);
  // `(1,alert)`1``
  if (before === 41 || before === 93) return true;
  if (!text.slice(at, at + 80).includes('${')) return false;
  let start = at;
  while (start > 0 && at - start < nameMax && isNamePart(text.charCodeAt(start - 1))) start--;
  return start < at && known.wordBetween(text, start, at) !== '';
}

function isLiteral(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === 120 && !isWord(text.charCodeAt(at + 2));
}

function isCall(text: string, at: number): boolean {
  const end = blanksStart(text, at, blanksMax);
  // At the begin of a text nothing is called.
  if (end === 0) return false;
  if (isBelowComment(text, end, at)) return true;
  const before = text.charCodeAt(end - 1);
  if (before >= 128 || isEnding(before)) return true;
  if (!isNamePart(before)) return false;
  let start = end;
  while (start > 0 && end - start < nameMax && isNamePart(text.charCodeAt(start - 1))) start--;
  const outside = start === 0 ? 32 : text.charCodeAt(start - 1);
  if (outside === 92 || outside === 125 || outside > 0x2000) return true;
  return known.wordBetween(text, start, end) !== '';
}

const blanksMax = 16;
const nameMax = 40;

function isNamePart(code: number): boolean {
  return code < 128 && (isWord(code) || code === 36);
}

/** `)`, `]`, `}`, a quote, a dot; the end of a comment or of a line with one. */
function isEnding(code: number): boolean {
  switch (code) {
    case 34:
    case 39:
    case 41:
    case 46:
    case 47:
    case 93:
    case 96:
    case 125:
      return true;
    default:
      return code <= 32;
  }
}
