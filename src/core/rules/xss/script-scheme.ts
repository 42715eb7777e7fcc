import { endOf, kindAt, tokenIndexAt } from '../../grammars/script/script.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { isScriptInProse } from '../../grammars/script/script-prose.ts';
import { globals } from '../../knowledge/page.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass, isLetter } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';
import { actsOnPage, programMax } from './expression.ts';

/** How a name ends that is broken up: `ascr\nipt:`. */
const brokenEnds = [
  't:',
  ...Array.from({ length: 33 }, (_, code) => `t${String.fromCharCode(code)}:`),
];

/** A value that is a `javascript:` URL, for places that become a link. */
export const scriptScheme: ValueRule = {
  id: 'xss.script-scheme',
  score: confidence.certain,
  message: 'is a URL that runs script when it is followed',
  trigger: { classes: charClass.colon, literals: [['data', 'ript', ...brokenEnds]] },
  judge: judgeScheme,
  examples: [
    'javascript:alert(1)',
    'javascript:void(0)+steal()',
    'java\tscript:top.steal()',
    'j\nav\rascr\nipt: eval("steal()")',
    'JaVaScRiPt://x%0aconfirm(1)',
    '?next=javascript:eval(name)',
    " javascript: 'how do we do it here and there', alert(1)",
    'javascript: alert(1) // how do we do it here and there',
    'data:text/html;base64,PHNjcmlwdD5hKCk8L3NjcmlwdD4=',
    'vbscript:MsgBox(1)',
    'javascript:top[title](1)',
    'javascript:innerHTML=name',
    'javascript:new Image().src=name',
    'javascript:self.name',
    'return_url=javascript:app.leave()',
    'assigned_to=javascript:top.leave()',
  ],
  lookalikes: [
    'JavaScript: The Good Parts',
    'How do I write this in javascript: async or then(promise)?',
    'Java\nScript\nprompt: "5"',
    'Skills: Java, JavaScript:3 years, data:text mining',
    'data:image/png;base64,iVBORw0KGgo=',
    'What does javascript:void(0) mean?',
    'JavaScript: how to use alert(1) in the pages of a shop',
    'javascript:;',
    'javascript:S3776',
    'javascript:new features',
    'JavaScript:with examples',
    'javascript:await/async',
    'javascript:location.href explained',
    'javascript:jquery-3.min.js',
    'languages=javascript:es6,python:3',
    'https://example.com/?q=javascript:+void(0)+meaning&t=h',
    'assigned_to=javascript:gs.getUserID()',
    'active=true^sys_created_on>=javascript:gs.beginningOfLast30Days()^ORDERBYnumber',
  ],
};

/** `javascript:void(0)`, `javascript:;`, as a link that does nothing has it. */
const inert =
  /^[\s+]{0,2};{1,3}[\s"'}\]]{0,8}$|^[\s+]{0,2}void(?:\s?\(\s?0\s?\)|\s{1,2}0);?(?:$|[\s"'.,?!)]|\+[\w+]{0,40}(?:$|[&#]))/;

const names = ['javascript', 'vbscript', 'livescript', 'jscript'];

function judgeScheme(subject: Subject): Match | undefined {
  const { text } = subject;
  let best: Match | undefined;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    const found = judgeColon(subject, colon);
    if (found === undefined || (found.score ?? 0) <= (best?.score ?? 0)) continue;
    best = found;
    if ((best.score ?? 0) >= confidence.certain) break;
  }
  return best;
}

function judgeColon(subject: Subject, colon: number): Match | undefined {
  const { text } = subject;
  const last = text.charCodeAt(colon - 1);
  if (last === 97 || last === 65) return judgeData(text, colon);
  const start = schemeStart(text, colon);
  if (start < 0) return undefined;
  const pieces = subject.tokens(scriptPieces);
  const { tokens } = pieces;
  const evidence = strongestScript(pieces, colon + 1, Math.min(text.length, colon + 400));
  const end = evidence.strength === 0 ? colon + 1 : endOf(tokens, evidence.last - 1);
  const match = (score: number): Match => ({ start, end: Math.max(end, colon + 1), score });
  const isTight = text.charCodeAt(colon + 1) > 32;
  if (inert.test(text.slice(colon + 1, colon + 60))) return match(confidence.trace);
  if (evidence.strength >= 3)
    return match(isTight || !isScriptInProse(subject) ? confidence.certain : confidence.hint);
  if (evidence.strength >= 1 && isTight) return match(scoreOfCall(subject, start, colon));
  if (!isTight || !isWholeValue(text, start)) return undefined;
  const next = kindAt(tokens, tokenIndexAt(tokens, colon + 1));
  const isProgram =
    next > 32 ||
    program.test(text.slice(colon + 1, colon + 120)) ||
    actsOnPage(text.slice(colon + 1, colon + programMax));
  return match(isProgram && !isScriptInProse(subject) ? confidence.likely : confidence.hint);
}

/**
 * Start of the scheme's name in front of a colon; white space and controls inside do not count.
 */
function schemeStart(text: string, colon: number): number {
  let name = '';
  let start = colon;
  for (let at = colon - 1; at >= 0 && at > colon - 40 && name.length < 10; at--) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 0xad || (code >= 127 && code <= 160)) continue;
    if (!isLetter(code)) break;
    name = text.charAt(at).toLowerCase() + name;
    start = at;
    if (names.includes(name) && !isLetter(text.charCodeAt(at - 1))) return start;
  }
  return -1;
}

/** A call that nothing is known about. */
function scoreOfCall(subject: Subject, start: number, colon: number): number {
  if (isFilter(subject, start, colon)) return confidence.hint;
  return start < 16 ? confidence.strong : confidence.likely;
}

/**
 * `assigned_to=javascript:gs.getUserID()`: a condition of a query whose value the server computes. A
 * browser follows no address that begins so, and the call is of no object of the page.
 */
function isFilter({ text, decoded }: Subject, start: number, colon: number): boolean {
  const called = ownCall.exec(text.slice(colon + 1, colon + 120));
  if (called === null || globals.has((called[1] as string).toLowerCase())) return false;
  const form = decoded.at(-1)?.startsWith('form:') === true ? decoded.at(-1)?.slice(5) : undefined;
  const name = start === 0 ? form : condition.exec(text.slice(Math.max(0, start - 80), start))?.[1];
  return name?.includes('_') === true && !addressWord.test(name);
}

/** A method without anything of the page. */
const ownCall = /^([A-Za-z]\w{0,20})\.[A-Za-z]\w{2,40}\((?:'[\w -]{0,40}'|\d{0,8})\)(?:$|[\^@&;])/;
const condition = /(?:^|\^(?:OR|NQ)?)([a-z][\w.]{1,60})(?:[<>!]?=)$/;
const addressWord =
  /ur[il]|link|href|src|next|redirect|return|goto|page|site|path|action|callback/i;

/** What is no name alone, as behind `javascript:` in a list of languages: an assignment, a template, a member. */
const program =
  /^(?:[\w$.]{1,80}(?:\s{0,4}(?:\[|[-+*/|&?]{0,3}=(?!=)|`))|(?:new|throw|with|import|await|void|typeof|delete)(?:[([{`$]|\s{1,4}[\w$.]{1,80}[([`=])|(?:window|self|top|parent|opener|frames|this|globalThis|document|location)\??\.[\w$.]{1,80}(?![\w$.]|\s{1,4}\w)|name(?:$|[^\w\s])|[Mm]sg[Bb]ox[\s+])/;

/** Nothing but punctuation or a parameter name stands in front. */
function isWholeValue(text: string, start: number): boolean {
  return start < 24 && !text.slice(0, start).includes(' ');
}

/** `data:text/html,…`. */
function judgeData(text: string, colon: number): Match | undefined {
  const start = colon - 4;
  if (start < 0 || text.slice(start, colon).toLowerCase() !== 'data') return undefined;
  const type = text.slice(colon + 1, colon + 40).toLowerCase();
  if (!documentTypes.some((one) => type.startsWith(one))) return undefined;
  const rest = text.slice(colon + 1, colon + 60);
  if (!rest.includes(',')) return undefined;
  return {
    start,
    end: Math.min(text.length, colon + 60),
    score: start < 24 ? confidence.strong : confidence.hint,
  };
}

const documentTypes = ['text/html', 'application/xhtml', 'text/xml', 'application/xml'];
