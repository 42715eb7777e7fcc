import { decisive, readScriptRest } from '../../grammars/script/script-rest.ts';
import { type ScriptRest, said, scriptEnd } from '../../grammars/script/script-said.ts';
import { confidence } from '../../placement/confidence.ts';
import { closingQuotes } from '../../text/closing-quote.ts';
import { characterSet } from '../../text/runs.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * A `$where` script, or the query of another store that is written as script, which a value leaves
 * its literal, pattern, number or property in to go on with script of its own.
 */
export const script: ValueRule = {
  id: 'nosqli.script',
  score: confidence.strong,
  message: 'leaves its place in a server-side query script and goes on with script of its own',
  trigger: {
    literals: [
      [';', '|', '&', '?', ',', '+', '-', '*', '!', '<', '>', '=', '//', '${'],
      ["'", ...wordList('" ` / = < > ( [ ! ~ . true false null return')],
    ],
  },
  examples: [
    ...["'; return true; var x='", '"; return(true); var x="'],
    ...["a' && this.pin.length > 3 // ", "' || 'b'=='b", '"; sleep(2000);'],
    ...["0'; while(true){} //", "' || true //", "' && Object.keys(this)[0].match('^a') || '"],
    'a" || true RETURN doc //',
    `' || doc.pin > "" RETURN doc //`,
    ...["'; db.orders.drop(); //", "7'),9 == 9||('", "x'?5<6:!0||'", "'+db.getName()+'"],
    ...['4;if(this.pin.length>5)db.getName();//', 'name||this.pin.length>5//'],
    ...['name|!1|sleep(3971)||37', '63;return 415;81', "ann';return 984<100354;var//n\na='"],
    ...['name,"a"=="a"||5', '${sleep(2)}', 'ab/||this.pin!=1||/c', "ann'//"],
    `${'The lamp came in a box that was much too large. '.repeat(10)}' || this.pin!=1 || 'a'=='b`,
    ...['username;return "a"=="a";var a=27', 'ann/;return true;var a=//g\nxj', 'name|0|!-[]//'],
    ...["',254|0|'", 'username;return 797;;var a=5'],
    'username;if(-0x0){m()};version();var\ufeffa=7',
    ...['username;479//', 'username;if(0){m()};!0//', '${(\n()=>sleep(9e0))()}//fm\n'],
    ...['|| 2==2', ' || 1 === 1 //', '&& 3==3%00', "x'||!{}||'", "x'||!(0)||'", "'||{}||'"],
    ...["'||[...'a'].length||'", "'**0||'", "'.length==0||'", "ann'.length;//"],
    ...["'' && this.pin.match(/^a/)//", '""||this.pin!=1//', "'!=='z", "'.length-'"],
    "'.constructor.name+'",
  ],
  lookalikes: [
    "SIZE may begin with:\n'+' extend by, '-' reduce by, '<' at most, '>' at least,\n'/' round down",
    'Replace the pattern "*~" with "*/*~" to avoid matching.',
    '- Comments starting with `/*!` and `/**!` are now preserved.',
    ...["Rock 'n' roll; return of the king", "It was the '80s; return home."],
    ...["the '80s && this one", 'Hi, put it in `.env', 'put it in `.env; '],
    ...["It's late; if you can, call", 'She said "yes"; for once'],
    "the parents' || children's room",
    "if (typeof value !== 'object' || value == null) return false;",
    ...['"use strict";var a = 1;', 'a || b == c', 'if (x == 1 || y == 2)'],
    ...['|| col 1 || col 2 == total', "'a','b','c'", '5, 6 or 7'],
    "warning: comparison '==' between pointer and integer\ngcc -c a.c && it's done",
    ...['12||34||56', '333|788.show.1|1920x921|1|{"status":"1","ids":[1,2]}'],
    ...['* [`link_tag`][] * [`image_tag`][]', 'Name|[link](/home)|(none)'],
    ...['borrow;return;renew', 'borrow; return 2; renew', '333|788|[1]', '7|1|!b', "'a',2|0|'b'"],
    ...['2 cups; return 2 pots', 'name, pin, mail', 'width; 10 // of 20', 'shop;v2//'],
    'a "<code class="literal">x.am</code>" and a "<code class="literal">x.in</code>".</p>',
    ...['see docs/, src/ and test/', '${user.name}', 'report-${Date.now()}'],
    ...['w/o sugar, w/ milk', 'user.name || "anonymous"', '"" && this works', "'', 'b', ''"],
    ...['What? Me, and/or you!', "const a = b ? 'x' : 'y';", '#endif /* !_QUEUE_H */'],
    ...['/* ~flags */', '#define LT_OBJDIR ".libs/"', 'a line after ".gitdir: " in the file'],
    'files in ".lengths-", and ".length" of a text',
    '/* for cmd = CONTROL */\nstruct a {',
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    let best: Match | undefined;
    for (const { at, next, kind } of exitsOf(text, subject.tokens(closingQuotes))) {
      const isOperand = kind === exitKind.dollar;
      const isLiteral = kind === 39 || kind === 34 || kind === 96;
      const rest = readScriptRest(text, next, { isOperand, isLiteral });
      const found = rest === undefined ? 0 : scoreOf(text, at, kind, rest);
      // Of the many quotes of a long text one is followed by an operator by chance.
      const score = at < windowChars || found >= confidence.strong ? found : 0;
      if (rest === undefined || score <= (best?.score ?? 0)) continue;
      best = { start: at, end: Math.max(rest.at, at + 1), score };
    }
    return best;
  },
};

/** What a value leaves: a literal, by its quotation mark or slash; a substitution; an operand. */
const exitKind = { operand: 0, number: 1, slash: 47, dollar: 36, start: 2 } as const;

interface Exit {
  readonly at: number;
  readonly next: number;
  readonly kind: number;
}

/** Data that no literal holds is short; a literal may hold any text, so that its end is looked for in all of it. */
const windowChars = 400;
const exitsMax = 6;

function exitsOf(text: string, closing: readonly number[]): readonly Exit[] {
  const exits: Exit[] = [];
  for (const at of closing) {
    if (exits.length >= exitsMax) break;
    addExit(exits, text, at, text.charCodeAt(at));
  }
  const head = text.slice(0, windowChars);
  const tick = text.indexOf('`');
  if (tick >= 0) addExit(exits, text, tick, 96);
  const slash = head.indexOf('/');
  if (slash >= 0) addExit(exits, text, slash, exitKind.slash);
  const dollar = head.indexOf('${');
  if (dollar >= 0) exits.push({ at: dollar, next: dollar + 2, kind: exitKind.dollar });
  if (text.length > bareMax) return exits;
  const at = dataEnd(text);
  const after = at === 0 ? logical : behindData;
  if (!after.test(text.slice(at, at + connectiveMax))) return exits;
  const kind = at === 0 ? exitKind.start : number.test(text) ? exitKind.number : exitKind.operand;
  exits.push({ at, next: at, kind });
  return exits;
}

function addExit(exits: Exit[], text: string, at: number, kind: number): void {
  if (!mayGoOn(text, at + 1)) return;
  const behind = text.slice(at + 1, at + 1 + connectiveMax);
  // `comparison '==' between pointers`, `"*.js" files`: a mark that opens a quotation.
  const isApart = at === 0 || text.charCodeAt(at - 1) <= 32;
  const isOpening = at > 0 && text.charCodeAt(at - 1) === 32;
  const found =
    (isOpening ? equality.exec(behind) : null) ?? (isApart ? quotedMark.exec(behind) : null);
  if (found !== null && (found[1] ?? text.charAt(at)) === text.charAt(at)) return;
  if (connective.test(behind)) exits.push({ at, next: at + 1, kind });
}

/** What `connective` and `equality` begin with, behind blanks and parentheses; cheaper than they are. */
function mayGoOn(text: string, from: number): boolean {
  let at = from;
  let code = text.charCodeAt(at);
  while ((code <= 32 || code === 41) && at - from < connectiveMax) code = text.charCodeAt(++at);
  return code >= 128 || connectors[code] === 1;
}

const connectors = characterSet('|&;,?+-*=!/<>.');
const connectiveMax = 40;
/** `'<' at most`: a mark that is explained. */
const quotedMark = /^[+\-<>/%*~?.,]{1,3}(["'])\s\p{L}/u;
const equality = /^(?:[=!]=|\*[*~/?.]{0,4}(["']))/;
/** A lone `>` or `=` behind a quotation mark is markup. */
const connective = /^[\s)]{0,16}(?:[|&;,?+\-*]|[=!]=|\/\/|\/\*)|^\.[a-z]|^\s{0,8}\)[\s)]{0,16}[<>]/;
const logical = /^(?:\|\||&&)/;
/** A single sign behind a number or name, as in `333|788`, joins fields of a log; `|!` and `|[` do not. */
const behindData =
  /^[\s)]{0,16}(?:\|\||&&|[|&]\s{0,8}(?:\d{1,8}\s{0,8}[|&]\s{0,8})?[[!(~]|[;,?+]|\/\/|\/\*)/;
const bareMax = 1_000;

/** End of the number or name that a text begins with; 0 without. */
function dataEnd(text: string): number {
  dataFirst.lastIndex = 0;
  return dataFirst.test(text) ? dataFirst.lastIndex : 0;
}

const dataFirst =
  /[\s(]{0,8}(?:-?\d[\w.]{0,20}|[A-Za-z_$][\w$]{0,40}(?:\.[A-Za-z_$][\w$]{0,40}){0,3}|''|"")?/y;
const number = /^[\s(]{0,8}-?\d/;

function scoreOf(text: string, at: number, kind: number, rest: ScriptRest): number {
  const { said: bits } = rest;
  switch (kind) {
    case exitKind.dollar:
      return scoreSubstitution(text, rest);
    case exitKind.start:
      return isPlain(bits) && (bits & said.constant) !== 0 ? confidence.likely : 0;
    case exitKind.number:
    case exitKind.operand:
      return opens.has(rest.end) || (bits & anyName) !== 0
        ? 0
        : scoreBare(text, rest, kind === exitKind.number);
    default:
      return scoreQuoted(text, at, kind, rest);
  }
}

/** Out of a literal, whose quotation mark or slash `kind` is. */
function scoreQuoted(text: string, at: number, kind: number, rest: ScriptRest): number {
  const { said: bits, end, quote } = rest;
  // ``starting with `/*!` ``: a comment to all but a pattern that is multiplied.
  const isComment = kind === exitKind.slash && text.charCodeAt(at + 1) === 42;
  if (isComment && !joined.test(text.slice(at, rest.at))) return 0;
  if (end === scriptEnd.brace) return 0;
  if (end !== scriptEnd.literal) return scoreCut(text, at, rest);
  if (quote !== kind || isMemberOnly(text.slice(at + 1, rest.at), bits)) return 0;
  if ((bits & (decisive | said.constant)) !== 0) return confidence.strong;
  if ((bits & said.number) === 0) return 0;
  // Tables of Markdown have back-ticks between bars.
  const isComputed = kind !== 96 && bitwise.test(text.slice(at, rest.at));
  return isComputed || (bits & said.logical) !== 0 ? confidence.likely : 0;
}

/** `,254|0|` */
const bitwise = /^['"],?\d{1,8}[|&^]\d{1,8}[|&^]$/;

/** `".libs/"`: a member of the literal that no literal has, and that is not called, tells nothing. */
function isMemberOnly(between: string, bits: number): boolean {
  if (bits !== said.host || !between.startsWith('.') || between.includes('(')) return false;
  return !joinedMember.test(between);
}

/** `.length-`: computed with what is behind it. */
const joinedMember = /^\.(?:length|constructor|__proto__)\b.{0,80}[-+*/%&|^<>=]\s{0,8}$/s;

/** `${sleep(2)}`: code of other languages has such too, where names tell nothing. */
function scoreSubstitution(text: string, { said: bits, end, at }: ScriptRest): number {
  if (end !== scriptEnd.brace || !lastBrace.test(text.slice(at, at + lastMax))) return 0;
  return isPlain(bits) && (bits & (said.document | said.call)) !== 0 ? confidence.likely : 0;
}

const joined = /\|\||&&|\?/;

const lastMax = 40;
const lastBrace = /^\}(?:\s|\/\*[^*]{0,16}\*\/|\/\/\w{0,16}|;){0,16}$/;

/** Out of a literal, and what was behind it in the script is cut off or needs no end. */
function scoreCut(text: string, at: number, { said: bits, end, at: to }: ScriptRest): number {
  const isCut = end === scriptEnd.cut;
  const parts = bits & ~said.semicolon;
  if (parts === 0) {
    // `ann'//`: the rest of the script is a comment.
    return isCut && name.test(text.slice(0, at)) && noRemark.test(text.slice(to))
      ? confidence.likely
      : 0;
  }
  // ``put it in `.env``: a member alone leaves the script's own quote open.
  const isMember = text.charAt(at + 1) === '.' && parts === said.host;
  if (isMember && !isCut) return 0;
  if ((bits & decisive) !== 0)
    return (bits & said.name) === 0 || isCut ? confidence.strong : confidence.hint;
  if ((bits & said.constant) !== 0)
    return isCut ? confidence.strong : (bits & said.logical) !== 0 ? confidence.likely : 0;
  return isCut && isPlain(bits) && (bits & said.number) !== 0 ? confidence.likely : 0;
}

const name = /^[\w.@-]{1,40}$/;
const noRemark = /^\/{2}[\s;-]{0,8}$/;

/** No name that nothing is known of. */
function isPlain(bits: number): boolean {
  return (bits & said.name) === 0;
}

const anyName = said.name | said.deadName;
/** Of something that is left open. */
const opens: ReadonlySet<number> = new Set([scriptEnd.literal, scriptEnd.brace]);

/** Behind a number or a property nothing is closed, so that the script itself must tell. */
function scoreBare(text: string, { said: bits, end, at }: ScriptRest, isNumber: boolean): number {
  const isCut = end === scriptEnd.cut;
  if ((bits & (said.document | said.call | said.host)) !== 0) return confidence.likely;
  if ((bits & said.statement) !== 0)
    return isNumber || isCut || (bits & said.answer) !== 0 ? confidence.likely : 0;
  if ((bits & said.constant) !== 0)
    return isCut || (bits & said.logical) !== 0 ? confidence.likely : 0;
  if (!isCut) return 0;
  // `username;479//`: what is computed last is the answer, and the rest of the script a comment.
  if (isNumber) return (bits & (said.logical | said.semicolon)) !== 0 ? confidence.likely : 0;
  const isAnswer = (bits & said.semicolon) !== 0 && (bits & said.number) !== 0;
  return isAnswer && noRemark.test(text.slice(at)) ? confidence.likely : 0;
}
