import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { isSignInMember } from '../../placement/member.ts';
import { charClass } from '../../text/char-class.ts';
import { firstMatch, type Shape } from '../../text/shape.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';
import { pathMember } from './break-out.ts';

const deepCall =
  /\b(?:count|name|string-length|substring|max|min|avg|exists|deep-equal|data|not|string|sum|contains|concat|normalize-space|string-join|translate|boolean|starts-with|id)\(\/\/?[\w*@]/;
const nodeTest =
  /\b(?:child|descendant|attribute|following|preceding|parent|ancestor|self)(?:-or-self|-sibling)?::(?:node\(\)|text\(\)|\*|comment\(\))/;
/** Not of an element of a page: what scrapers and tests of pages read keeps no secret. */
const nodePredicate =
  /(?<!\/(?:a|button|dd|div|dl|dt|form|h[1-6]|img|input|label|li|ol|option|p|pre|select|span|table|tbody|td|th|thead|tr|ul))\[(?:local-name|name|position|last|contains|starts-with)\((?:\)|[\w@./*])/;
const textStep =
  /\/{1,2}(?!(?:a|button|dd|div|dl|dt|form|h[1-6]|img|input|label|li|ol|option|p|pre|select|span|table|tbody|td|th|thead|tr|ul)[[/])[\w*]{1,40}(?:\[\w{1,20}\])?\/text\(\)/;
const remoteDocument = /\b(?:doc|document|unparsed-text)\((?:concat\()?['"][a-z]{2,6}:\//;
const axisPath =
  /^\/{1,2}(?:child|descendant|attribute|following|preceding|parent|ancestor|self)(?:-or-self|-sibling)?::\w/;
/** A union with every node or attribute; two strokes and a comment are a program. */
const anyNodes = /(?:^|[^|(])\|\s{0,4}\/{1,2}@?\*(?=\s{0,8}$| {0,3}[[\]|/'")&])/;
/** What stands beside a predicate, or in it: alone it is what selects from a page. */
const beyondPage = [...wordList('name( position( last( text() node() comment() :: (/ |/'), '| /'];
const fromElsewhere: Shape = {
  pattern: remoteDocument,
  needs: ['doc(', 'document(', 'unparsed-text('],
};
const shapes: readonly Shape[] = [
  { pattern: anyNodes, needs: ['/*', '/@*'] },
  { pattern: axisPath, needs: ['::'] },
  { pattern: deepCall, needs: ['(/'] },
  { pattern: nodeTest, needs: ['::'] },
  { pattern: nodePredicate, needs: beyondPage },
  { pattern: textStep, needs: ['/text()'] },
  fromElsewhere,
];

/** Where an application takes a whole expression, none is put into one of its own. */
const ownMember = /(?:^|[._[])xpath\]?$/i;
/** Puppeteer's mark of one: to XPath an error. */
const selector = /^\s{0,4}xpath\/{3}/;

/**
 * A value that is an XPath expression over unknown nodes: what probes a document whose names are
 * not known.
 */
export const expression: ValueRule = {
  id: 'xpathi.expression',
  score: confidence.likely,
  message: 'is an XPath expression that reads nodes by position or by any name',
  trigger: { literals: [[...new Set(shapes.flatMap(({ needs }) => needs))]] },
  examples: [
    'count(//order)',
    'concat(//member/name,//member/pin)',
    '*|//@*',
    'title|//* \n',
    'title|\r  /*',
    "*[local-name()='user']",
    '//user[position()=1]/child::node()[position()=2]',
    'string-length(name(/*[1]))',
    '/descendant::*/attribute::*',
    "doc('http://a.test/x')",
    "0 or substring(/a/user[1]/pin,1,1)='1'",
    'x or count(//user)=1',
    '//person/password/text()',
    'id(//secret)/text()',
    { body: { xpath: "doc('http://a.test/x')" } },
    'xpath//a or count(//user)=1',
    '//div/text()|//user/pin/text()',
  ],
  lookalikes: [
    'std::count(a, b) and child::make()',
    'see a | /b/ | c and a|/x/',
    'call text() or node() in jQuery',
    'What does position() return?',
    'How do I use count(//book) in XPath?',
    'I need count(//item) > 5 in my XSLT, any ideas?',
    'In XPath use string-length(//title) for it, and not(//x) for nothing.',
    'I tried `//table/tr[1]/td[2]/text()` with lxml, no luck.',
    'it says <xsl:value-of select="count(//item)"/> and prints 3',
    'https://example.com//name',
    'The count(x) function // comment',
    'my.name() == "x"',
    'return a || /* the default */ b;',
    'let x = a | /* flags */ b;',
    '[[ $PWD == /usr/src(|/*) ]] && return 0',
    "//div[@class='price']/span[1]/text()",
    { body: { constraint: [{ xpath: "exists(f:x[starts-with(local-name(.), 'v')])" }] } },
    "xpath///*[contains(@class,'cookie')]//*[contains(text(),'Accept')]",
    "xpath=//a[contains(text(),'Log in')]",
    "tree.xpath('//table/tr[position()>1]/td[2]/text()')",
  ],
  judge(subject): Match | undefined {
    const { text, member } = subject;
    const isExpected = ownMember.test(member) || selector.test(text);
    const found = firstMatch(text, isExpected ? [fromElsewhere] : shapes);
    if (found === null) return undefined;
    return foundBy(found, isMentioned(text, found.index) ? confidence.trace : undefined);
  },
};

/** A sentence or a style sheet speaks of it: `use count(//a)`, `select="count(//a)"`. */
function isMentioned(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < 120 && !blank.test(text.charAt(start - 1))) start--;
  const before = text.slice(Math.max(0, start - 80), start);
  const own = text.slice(start, at);
  if (styleAttribute.test(own)) return true;
  if (ownMarks.test(own) || quoteMarks.test(before)) return false;
  return sentence.test(before);
}

const blank = /\s/;
const styleAttribute = /^(?:select|test|match|use)=["'][^"']{0,80}$/;
/** What an attack closes in front of its expression. */
const quoteMarks = /['"\])|=]/;
const ownMarks = /['"|=]/;
/** At least two words, the last of them no operator; more when it is one. */
const sentence =
  /(?:^|\s)(?:[A-Za-z]{1,20}[,.:;]? )(?!(?:or|and|div|mod|in|return|satisfies) $)[A-Za-z]{1,20}[,.:;]? $|(?:[A-Za-z]{2,20}[,.:;]? ){5}$/;

/** `//user/password` where a name was expected. */
export const pathValue: ValueRule = {
  id: 'xpathi.path-value',
  score: confidence.likely,
  message: 'is a path through the nodes of a document in the place of a value',
  trigger: { isOfValues: true, classes: charClass.slash, literals: [['//']], charsMax: 200 },
  examples: [
    { body: { username: '//user/password' } },
    { body: { login: '//*' } },
    { body: { user: '//account[1]/pin' } },
    '//user/password',
    '//@*',
    '..//*\r',
    "//user[starts-with(password,'a')]",
    { body: { node: '//*' } },
  ],
  lookalikes: [
    { body: { share: '//server/plans', user: '//anna//' } },
    { body: { selector: '//div/span' } },
    { body: { xpath: '//*' } },
    { body: { page: '//div/span' } },
    "//div[contains(@class,'pass')]",
    '//reset/password/',
    { body: { email: '//anna@example.com' } },
    { body: { user: 'https://example.com/anna' } },
  ],
  judge(subject): Match | undefined {
    const text = subject.text.trim();
    if (isSignInMember(subject.member) && path.test(text))
      return { start: 0, end: subject.text.length };
    const isSought =
      secretPath.test(text) || (anyNode.test(text) && !pathMember.test(subject.member));
    return isSought ? { start: 0, end: subject.text.length, score: confidence.likely } : undefined;
  },
};

const anyNode = /^(?:\.\.)?\/\/@?\*$/;
/** The nodes that a stranger wants to read, at the end of the path or in its condition. */
const secretPath =
  /^\/\/(?:\w{1,30}\/){0,4}\w{1,30}(?:\[[^\]]{1,40}\])?\/@?(?:password|passwd|pass|pwd|pin|secret|ssn|token)$|^\/\/\w{1,30}\[(?:contains|starts-with|ends-with|matches)\((?:\.\/)?@?(?:password|passwd|pass|pwd|pin|secret|ssn|token),/i;
const path = /^\/\/(?:\*|@\*|[a-z]{1,30}(?:\[[^\]]{1,40}\])?\/@?(?:[a-z]{1,30}|\*|\.\.))$/i;
