import { globals, keywords, pageData, unpackers } from '../../knowledge/page.ts';
import { wordSet } from '../../text/words.ts';
import {
  endOf,
  isAdjacent,
  kindAt,
  type ScriptTokens,
  scriptKind,
  startOf,
  wordAt,
} from './script.ts';
import { isStringAt, isWordAt, mark, reach, type Strength } from './script-evidence.ts';

/** A call of `alert`, `confirm` or `prompt`, by token indexes. */
interface DialogCall {
  readonly name: number;
  /** Of the bracket or backtick. */
  readonly call: number;
  readonly last: number;
  readonly word: string;
}

/**
 * `alert(1)`, `alert('x')`, `alert(document.domain)`; and not "alert (see below)", "prompt(s)",
 * `confirm('Delete this?')`.
 */
export function dialogStrength(tokens: ScriptTokens, dialog: DialogCall): Strength {
  const { call, last } = dialog;
  if (kindAt(tokens, call) === mark.backtick) return 4;
  const first = kindAt(tokens, call + 1);
  const isForeign = isForeignMethod(tokens, call) && first !== scriptKind.number;
  if (first === scriptKind.word) {
    const strength = strengthOfName(tokens, dialog);
    return isForeign && strength === 3 ? 1 : strength;
  }
  if (first === mark.close) return isAdjacent(tokens, call) ? 2 : 0;
  if (first === scriptKind.none) return 0;
  // "see alert (3)", `<h3>Alert (3)</h3>`
  const isSpoken = isPlainWord(tokens, dialog.name - 1) || isCapitalised(tokens, dialog.name);
  if (isSpoken && !isAdjacent(tokens, call)) return 1;
  if (isForeign) return 1;
  if (!isStringAt(tokens, call + 1)) return last - call < reach ? 3 : 2;
  return isMessage(tokens, dialog) ? 2 : 3;
}

/** Script has no name such as `Alert`, since its letters have case (ECMA-262, 12.7). */
function isCapitalised(tokens: ScriptTokens, i: number): boolean {
  const start = startOf(tokens, i);
  return capitalised.test(tokens.text.slice(start, start + 2));
}

const capitalised = /^[A-Z][a-z]/;

function isPlainWord(tokens: ScriptTokens, i: number): boolean {
  return kindAt(tokens, i) === scriptKind.word && !keywords.has(wordAt(tokens, i));
}

/** The first argument is a name or an expression that begins with one. */
function strengthOfName(tokens: ScriptTokens, { name, call }: DialogCall): Strength {
  const word = wordAt(tokens, call + 1);
  if (pageData.has(word) || unpackers.has(word) || word.startsWith('document')) return 4;
  const after = kindAt(tokens, call + 2);
  if (!isAdjacent(tokens, call)) return after === mark.close ? 1 : 0;
  // `alert(await 1)`: an operator of script, and no name.
  if (unary.has(word) && after !== mark.close) return 3;
  if (after === mark.dot || after === mark.open) return strengthOfPath(tokens, call, word);
  if (after !== mark.close || isDefinition(tokens, name)) return 1;
  return word.length < 4 ? 2 : 3;
}

const unary: ReadonlySet<string> = wordSet('await typeof void async function');

/** `alert(x.y)`, `alert(f(y))` */
function strengthOfPath(tokens: ScriptTokens, call: number, word: string): Strength {
  const member = wordAt(tokens, call + 3);
  if (unpackers.has(member)) return 4;
  const isMember = kindAt(tokens, call + 2) === mark.dot;
  const isOwn = isMember && !globals.has(word) && !globals.has(member);
  return (isOwn || word === 'this') && !pageData.has(member) && word !== 'regexp' ? 2 : 3;
}

/** `def prompt(text)`, `function confirm(question)` */
function isDefinition(tokens: ScriptTokens, name: number): boolean {
  return definers.has(wordAt(tokens, name - 1));
}

const definers: ReadonlySet<string> = wordSet('def defp fn fun func function sub proc procedure');

/**
 * `$('.x').alert('close')`, `inquirer.prompt([…])`, `redis.eval(…)`: a method of something that is
 * not the window.
 */
export function isForeignMethod(tokens: ScriptTokens, call: number): boolean {
  if (kindAt(tokens, call - 2) !== mark.dot) return false;
  const owner = wordAt(tokens, call - 3);
  return !globals.has(owner) && !owner.endsWith('view') && !owner.endsWith('window');
}

/**
 * A string that speaks to somebody. A probe gives `alert` a mark to be recognised by; questions are
 * asked with `confirm` and `prompt`.
 */
function isMessage(tokens: ScriptTokens, { call, word, last }: DialogCall): boolean {
  const start = endOf(tokens, call + 1);
  const end = Math.min(startOf(tokens, last - 2), start + messageCharsMax);
  const message = tokens.text.slice(start, Math.max(start, end));
  if (!isWordAt(tokens, call + 2) || probe.test(message)) return false;
  if (word !== 'alert') return true;
  const closing = message.charAt(message.length - 1);
  return message.includes(' ') || closing === '!' || closing === '?' || closing === '.';
}

const messageCharsMax = 80;
/** What those who look for a hole write into it. */
const probe = /xss|hack|pwn|inject|inserted|poc|vuln|script|cookie|^[a-z]?\d{1,20}$/i;
