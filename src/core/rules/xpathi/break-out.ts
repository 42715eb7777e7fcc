import { xpathGrammar } from '../../grammars/xpath/xpath.ts';
import { type XPathPiece, xpathEnd, xpathTrait } from '../../grammars/xpath/xpath-piece.ts';
import { confidence } from '../../placement/confidence.ts';
import { isColumnMember, isNumberMember } from '../../placement/member.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A closed string, `or`, `and` or `|`, and then a path or a function of XPath. */
export const breakOut: ValueRule = {
  id: 'xpathi.break-out',
  score: confidence.strong,
  message:
    'closes a text, a number or a predicate of an XPath expression and goes on with a condition or path of its own',
  trigger: {
    isOfValues: true,
    literals: [
      ['or', 'and', '|', ']', 'return', 'let'],
      ['(', '/', '::', '@', ']', '$', '..', 'div', 'mod', ' eq ', ' lt ', ' gt ', 'idiv'],
    ],
  },
  examples: [
    ...["' or count(//user)>0 or '", '" or //secret or "a"="a', "'] | //account[contains(pin,'1"],
    ...["x') and starts-with(../pin,'9", "' or /a/b[1]/c/text()='x' or '"],
    ...["' and position()=2 and 'a'='a", "') or child::node() or ('a'='a", "' or true() or '"],
    ...["' | /*[2] | '", '1] | //a/b', "x']/following-sibling::a[1]/b"],
    ...["'] , for $a in //b return $a , ('", "' or 1]\u0000", '1|//user', '3]\t|\r\n//*[2'],
    ...["'\tor\n//secret or\r'", "' | //user/*[1] | '", '  7]  |  //user  |  //a[7'],
    ...['-1 or //user', '1] and //user[2]/pin[1', '"]/..|//account["a"="a'],
    "' or max(//price)>1 or '",
    `${'It came too late, and so on. '.repeat(20)}' or max(//price)>1 or '`,
    "' or (some $x in //user satisfies $x/pin='1') or '",
    ...["' or (if (//a) then 1 else 0) or '", "ann'or/*][true() or '"],
    ...['" orstring-length(.)>2 or "', "') or\t/\r*\nor contains(name,'x"],
    "q','a','b')) or @*|node() or contains(name,translate('a",
    "' or (: x :) lower-case(../pin) eq 'a' or '",
    "' or (7 div 1) or '",
    `' or //pin or '${'x'.repeat(5_000)}`,
    ...['last()]/following-sibling::order[//user', '-floor(1.5) or @owner >= number("1")'],
    ...['7 or not(false())', '1 or true()', 'or position()=last() or'],
    ...['4 or attribute::node()|node()', 'x or string-length(.)>=3 or y'],
    ...['name | /descendant::pin', '(58 div 1)]/..//name[1', 'name|//order[2]/*'],
    'title|//users/*',
    "*\r[  name()=\r'x']  |\n//* \n[  local-name()=  'y']",
    ...['name[.] | //text()', '7 or not(boolean(0))', 'x or boolean(1) or y', "' or 'a' eq 'a"],
    ...["'(: a :)or(: b :)'1'='1", "' or //user!pin or '", "' or //*:pin or '", "x'][pin='47"],
    ...['number("18") or 14>number("113")', 'a[node()]|/  descendant::pin'],
    { body: { column: 'title|/shop/users/user' } },
  ],
  lookalikes: [
    'He said "yes" or no (not sure)',
    "the pattern is ^(?:[a-z]|'[^']*')+$ I think",
    ...["the dogs' and cats' (count them)", "select 'a' or /b/ in the menu"],
    ...["It's 5' or 6' (count: 2)", "use 'left' or 'right' | //comment"],
    ...["the 'name' and text (see below)", '/users/[id]/posts/[slug]'],
    ...["It's 5'\nor 6'\n(count: 2)\n// both sides", "Use only modes 'rb' or 'wb' or /wb[1-9]/."],
    ...["isActive and contains(name,'tea')", 'ask anna or @ben', "'a', 'b', count('c"],
    "'Total: ' + sum(prices) + ' euros, ' + count(items) + '",
    ...['en|/en/index.html', 'logo|//cdn.example.com/logo.png', 'self|//cdn.example.com/*'],
    ...['self|//localhost/*', 'a | //b is a comment [1]', '7 or sum of (2, 3)', 'max(1)'],
    'tea or round(3)',
    { body: { selector: "a|//b[@rel='x']" } },
    ...['| text() | node() |', 'first() or last()', 'tea or coffee in bed'],
    ...["the dogs' and cats in 'houses", 'tests or src/*', 'src or lib/* or tests/**'],
    ...['everything or /*', 'top or last()', '3 or /shop', '5 apples or 6 (count: 2)'],
    ...["the boss' eq or 'iq'", "good (: or bad :) or 'so", "Oh' or no! or 'yes"],
    ...['[1] and [2]/[3] or *', '(price > 5 or price < 2) and name = @p1', 'a|/b/c'],
    { body: { list: 'Home|/home' } },
  ],
  judge(subject): Match | undefined {
    const { bare, quoted, quoteAt } = subject.tokens(xpathGrammar);
    const end = subject.text.length;
    const score = quoted === undefined ? 0 : scoreQuoted(quoted);
    if (score > 0) return { start: quoteAt, end, score };
    const own = scoreBare(bare, subject.member);
    return own > 0 ? { start: 0, end, score: own } : undefined;
  },
};

const { axis, deep, nodeTest, contextCall, ownCall, call, clause } = xpathTrait;
const { attribute, attributeTest, anyNode, parent, step, predicate, formal } = xpathTrait;
const { connective, union, excess, compare, name, anyStep, dotted } = xpathTrait;

/** What no other language writes so. */
const certainParts = axis | nodeTest | ownCall | attributeTest;
/** What a sentence or a path of files may have too. */
const likelyParts = certainParts | anyNode | deep | contextCall;
const parts = likelyParts | clause | call | attribute | parent | step;

/** The literal around the text is closed. */
function scoreQuoted({ traits, end }: XPathPiece): number {
  if (end === xpathEnd.complete) return (traits & (likelyParts | call)) > 0 ? confidence.strong : 0;
  // `'[^']*')`: a predicate that is left for nothing.
  const isLeft = (traits & excess) > 0 && (traits & (connective | union | predicate)) > 0;
  if (isLeft || (traits & parts) > 0) return confidence.strong;
  return (traits & formal) > 0 ? confidence.likely : 0;
}

/** The text stands where a number, a name or a step is expected. */
function scoreBare(piece: XPathPiece, member: string): number {
  const { traits, lead, connectives, end } = piece;
  const isPathExpected = pathMember.test(member);
  if (end === xpathEnd.broken || end === xpathEnd.literal) return 0;
  if ((traits & excess) > 0 && (traits & (connective | union | predicate | step | deep)) > 0) {
    return (traits & (likelyParts | parent)) > 0 ? confidence.strong : 0;
  }
  const isComplete = end === xpathEnd.complete;
  if (isComplete && !isPathExpected && isUnion(traits, isColumnMember(member)))
    return confidence.likely;
  if (lead === 0) return isCondition(traits) ? confidence.likely : 0;
  if (!isComplete) return 0;
  const isBehind =
    lead === name
      ? !isPathExpected && goesOnBehindName(traits, connectives)
      : goesOnBehindConstant(traits, lead, connectives);
  return isBehind ? confidence.likely : 0;
}

/** The text begins with a connective: a comparison behind it, and what a sentence has not. */
function isCondition(traits: number): boolean {
  const isCompared = (traits & connective) > 0 && (traits & compare) > 0;
  return isCompared && (traits & (certainParts | contextCall)) > 0;
}

/** A word and one more is a sentence; a condition between two is none. */
function goesOnBehindName(traits: number, connectives: number): boolean {
  return (traits & (connectives < 2 ? certainParts : likelyParts | call)) > 0;
}

function goesOnBehindConstant(traits: number, lead: number, connectives: number): boolean {
  // Nothing but constants is compared: no name of a program's own.
  if ((traits & (compare | name | call)) === (compare | call) && connectives > 0) return true;
  if ((lead & (notConstant | name)) > 0) return false;
  return (traits & likelyParts) > 0 || (connectives > 0 && (traits & ~lead & call) > 0);
}

/**
 * A union with nodes from anywhere in the document: an address has no predicate, and calls nothing.
 * Where it ends in any name, its host has a full stop.
 */
function isUnion(traits: number, isNameExpected: boolean): boolean {
  if ((traits & union) === 0) return false;
  if ((traits & step) > 0 && (isNameExpected || (traits & (axis | nodeTest)) > 0)) return true;
  if ((traits & deep) === 0) return false;
  return (traits & (certainParts | predicate)) > 0 || (traits & (anyStep | dotted)) === anyStep;
}

/** What a number has not that stands where a condition is put behind it. */
const notConstant = likelyParts | compare | attribute | parent | step;

/** Where paths are benign: what scrapes or tests pages. */
export const pathMember: RegExp = /path|selector|locator|pattern|glob|route|url|match/i;

/** `u or 562 or c` for the name of a column, `3 or 364` for a number: no sentence stands there. */
export const constantCondition: ValueRule = {
  id: 'xpathi.constant-condition',
  cwe: 'CWE-643',
  severity: 'high',
  score: confidence.likely,
  message: 'joins a condition that is always true where a name or a number is expected',
  trigger: { classes: charClass.digit, literals: [['or']] },
  examples: [{ body: { field: 'a or 191 or b' } }, { body: { 'query.price': '3 or 364' } }],
  lookalikes: [
    ...['tea or 12 or coffee', '3 or 364', { body: { price: '3 or 4' } }],
    ...[{ body: { field: 'name or title' } }, { body: { list: 'tea or 4' } }],
  ],
  judge(subject): Match | undefined {
    const { member, text, where } = subject;
    const isNumber = member.startsWith('query.') && isNumberMember(member);
    if (where === 'name' || !(isNumber || isColumnMember(member))) return undefined;
    const { traits, lead, connectives, end } = subject.tokens(xpathGrammar).bare;
    if (end !== xpathEnd.complete || connectives === 0 || !text.includes('or')) return undefined;
    const isConstant = (traits & xpathTrait.number) > 0;
    const isPlaced = isNumber ? (traits & name) === 0 : lead === name;
    return isConstant && isPlaced ? { start: 0, end: text.length } : undefined;
  },
};
