import {
  isAmbiguous,
  isBsonType,
  isOperator,
  isPageFilter,
  isSilent,
  isUpdate,
  wordEnd,
} from '../../knowledge/query-operators.ts';
import { confidence } from '../../placement/confidence.ts';
import { charClass, isAlnum } from '../../text/char-class.ts';
import { firstQuote } from '../../text/closing-quote.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/**
 * A member name, or the last segment of one, that is a query operator where a scalar is expected.
 */
export const operatorName: ValueRule = {
  id: 'nosqli.operator-name',
  score: confidence.strong,
  message: 'puts a query operator where a plain value is expected',
  trigger: { classes: charClass.dollar },
  examples: [
    { body: { user: 'admin', pass: { $ne: '' } } },
    { body: { 'login[$regex]': '^a' } },
    { body: { 'token.$gt': '' } },
    { body: { $where: 'this.a == this.b' } },
    ...inMember('filter', '{"secret":{"$exists":true}}', 'name[$ne]=x&pin[$gt]=0'),
    { body: { stages: [{ $match: {} }, { $out: 'people' }] } },
    { body: { 'filters[password][$ne]': 'x' } },
    { body: { $inc: { credit: 900 } } },
    { body: { '$mul[price]': '0' } },
    { body: { '$max[credit]': '900' } },
    { body: { stages: [{ $replaceRoot: { newRoot: '$pin' } }] } },
    { body: { selector: { _id: { $beginsWith: 'a' } } } },
    { body: { owner: { $inQuery: { className: 'People', where: {} } } } },
    { body: { 'filters[$or][0][password][$ne]': 'x' } },
  ],
  lookalikes: [
    { body: { $filter: "Name eq 'Milk'", $top: '10', $orderby: 'Name desc' } },
    { body: { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'x' } },
    { body: { $set: { plan: 'free' }, $os: 'Linux', $browser: 'Firefox' } },
    { body: { 'price[gte]': '10', price$: '12' } },
    { body: { 'schema.$comment': 'Only lower case' } },
    { body: { 'filters[title][$eq]': 'hello', 'filters[author][name][$in][0]': 'Anna' } },
    { body: { 'filters[$or][0][date][$eq]': '2026', 'filters[$or][1][title][$in][0]': 'a' } },
    { body: { $add: { visits: 1 }, $append: { tags: 'a' }, $prepend: { tags: 'b' } } },
    { body: { axis: { $min: 0, $max: 5 } } },
    { body: { note: 'US$in cash, or A$or less' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where !== 'name') return undefined;
    const text = subject.text;
    const dollar = text.lastIndexOf('$');
    const end = wordEnd(text, dollar + 1);
    if (end === dollar + 1 || !isOperator(text.slice(dollar + 1, end))) return undefined;
    if (!startsSegment(text, dollar) || !endsSegment(text, end)) return undefined;
    if (isPageFilter(text, dollar)) return undefined;
    const start = dollar > 0 ? dollar - 1 : dollar;
    const name = text.slice(dollar + 1, end);
    if (!isAmbiguous(name)) return { start, end };
    const isUsed = isUpdate(name) ? dollar > 0 || text[end] === '[' : dollar > 0 && !isSilent(name);
    return { start, end, score: isUsed ? confidence.likely : confidence.trace };
  },
};

function startsSegment(text: string, at: number): boolean {
  return at === 0 || '[.'.includes(text[at - 1] as string) || text.slice(0, at).trim() === '';
}

function endsSegment(text: string, at: number): boolean {
  return at >= text.length || '].[ '.includes(text[at] as string);
}

/** A query operator as the key of a piece of JSON or of a bracketed name inside a value. */
export const operatorText: ValueRule = {
  id: 'nosqli.operator-text',
  score: confidence.strong,
  message: 'writes a query operator into the condition that its value becomes part of',
  trigger: { classes: charClass.dollar },
  examples: [
    ...['{ $gt: 1 }', "x', $where: 'this.pin > 0", 'true, $where: "1 == 1"', '{"$nin": [1]}'],
    ...['?pass[$ne]=1', '[{ $lookup: { from: "keys", as: "k" } }]'],
    ...["a' }, { $set: { role: 'admin' } }, { x: '", "' } ], $comment:'x"],
    'It came too late, and so on", "pin":{"$gt":"0"},"owner":"ann',
    ...['{"$type":"string"}', "query q(x', $where: this)", '$ne: 1;', "$where: 'a;b'"],
    '{"$currentDate":{"paid":true}}',
    ...["bob smith, $where: 'a'", "this in this, $where: 'a'", "function f(){}, $where: 'a'"],
    ...['bob s "x" \', $where: \'this.pin > 0', 'pin: {$gt: 0}'],
    ...['{ $gt: 1 } or x', "{' , $where: '1', x: '} is slow", '{ a: { $lt: 3 } } is slow'],
  ],
  lookalikes: [
    'In the shell, find documents with age above 18 by db.people.find({age: {$gt: 18}}), it says.',
    ...['Use {$gt: 5} or { $exists: true } here', 'It costs $in total: 20'],
    'In MongoDB: db.people.find({ age: { $gt: 18 } }).sort({ name: 1 })',
    ...['Prices from $gt: what does that mean?', '?filters[title][$eq]=hello&sort=name'],
    'The lamp, the "on" and "off", the $set: all of it',
    ...['$set: theory', 'the "set", $set: theory'],
    'query Q($where: OrderFilter!, $in: [ID!]!) { orders(where: $where) { id } }',
    'query q($where: orders_bool_exp, $in: [uuid!]) { orders(where: $where) { id } }',
    ...['db.a.find({b: {$gt: 1}}) is slow', 'db.a.find({b: {$gt: 1}}) takes 20 seconds, is it?'],
    { body: { message: 'This query is slow:\n\n```js\ndb.a.find({ b: { $gt: 1 } })\n```' } },
    ...['echo "$or: $and"', '{"properties":{"$comment":{"type":"string"}}}'],
    '[{"user_properties":{"$setOnce":{"from":"x"},"$set":{"plan":"free"}}}]',
    ...['{"$type":"post"}', '$all: 1px;\n$size: 2px;'],
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    if (isSpokenOf(text)) return undefined;
    const depth = new DepthReader(text);
    const isOut = breaksOut(text);
    for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', at + 1)) {
      const end = wordEnd(text, at + 1);
      if (end - at < 3 || !isOperator(text.slice(at + 1, end))) continue;
      const keyEnd = operatorKeyEnd(text, at, end);
      if (keyEnd < 0) continue;
      const name = text.slice(at + 1, end);
      if (name.toLowerCase() === 'type') {
        if (isBsonType(text, keyEnd)) return { start: at, end: keyEnd };
      } else if (isOut || changesQuery(text, name, at, depth)) {
        const isSaid =
          isOfShell(text, at) || (!isOut && (isQuoted(text, at) || isSaidIn(text.slice(0, at))));
        const score = isSaid ? confidence.trace : operatorText.score;
        return { start: at, end: keyEnd, score };
      }
    }
    return undefined;
  },
};

/**
 * `db.a.find({b: 1}) is slow`: words behind a call of the shell on the only line of a text make it an
 * error. Of a filter they do not: many decoders read a first value and no further.
 */
export function isSpokenOf(text: string): boolean {
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(')'), text.lastIndexOf(']')) + 1;
  return opensCall.test(text) && spoken.test(text.slice(end)) && isClosed(text.slice(0, end));
}

const opensCall = /^ {0,4}db\./;
const spoken =
  /^ (?!(?:in|of|instanceof|and|or|not|is(?: not| null| missing| valued))[ .!?])\p{L}[\p{L}'’-]{0,30}(?:,? (?:\p{L}[\p{L}'’-]{0,30}|\d{1,6})){1,40}[.!?]?$/u;

/**
 * `Use {$gt: 5} here`: nothing but words in front of a bracket, which join nothing. Where no quote ends a text of
 * the application's and no comma its value, that is no value in any notation of a filter; a key is one word.
 */
const said =
  /^(?!(?:await|yield|async|new|return|void|typeof|case|not|null|true|false)\b)\p{L}{2,20}(?:(?: (?!(?:in|of|as|is|or|and|not|if|else|instanceof)\b)\p{L}{2,20}){1,3}:?)? [{[]/iu;

function isSaidIn(before: string): boolean {
  return said.test(before) && !quote.test(before);
}

const quote = /['"`]/;

/** Each bracket that opens is closed, and of quotes there are those of words, which join nothing. */
function isClosed(text: string): boolean {
  if (marks.test(text.replaceAll(quotedWord, ''))) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) depth++;
    else if ((code === 41 || code === 93 || code === 125) && --depth < 0) return false;
  }
  return depth === 0;
}

/** Of quotes, patterns and comments, and the end of a line. */
const marks = /[\\/"'`\r\n\u2028\u2029]|<!--|-->/;
const quotedWord = /(["'])(?!in(?:stanceof)?["'])[A-Za-z_$][\w$.]{0,60}\1/g;

/** End of the key that the name of an operator is; -1 where it is none, or one of another language. */
function operatorKeyEnd(text: string, at: number, end: number): number {
  if (isPageFilter(text, at) || declaration.test(text.slice(at, at + 160))) return -1;
  const keyEnd = keyEndAfter(text, end);
  return keyEnd < 0 || !opensKey(text, at) || isVariable(text, keyEnd) ? -1 : keyEnd;
}

/** A name that other data have, too, counts where it ends a string or changes the query as JSON. */
function changesQuery(text: string, name: string, at: number, depth: DepthReader): boolean {
  if (!isAmbiguous(name)) return true;
  if (!startsAsJson.test(text) || isSilent(name)) return false;
  return !isUpdate(name) || depth.at(at) <= 1;
}

/** Counts the objects that are open at places of a text, each behind the one before. */
class DepthReader {
  private readonly text: string;
  private from = 0;
  private depth = 0;
  private isString = false;

  constructor(text: string) {
    this.text = text;
  }

  at(place: number): number {
    const { text } = this;
    for (; this.from < place; this.from++) {
      const code = text.charCodeAt(this.from);
      if (code === 92) this.from++;
      else if (code === 34) this.isString = !this.isString;
      else if (this.isString) continue;
      else if (code === 123) this.depth++;
      else if (code === 125) this.depth--;
    }
    return this.depth;
  }
}

/** `$all: 1px;`: a variable of a style sheet; of an operator, these take a list or a number. */
const declaration = /^\$(?:all|in|size|mod|min|max)\s{0,4}:[^;"'{}[\]\n]{1,120};/;
/** `$where: OrderFilter!`: a variable of GraphQL with its type, which an operation may name in small letters. */
function isVariable(text: string, keyEnd: number): boolean {
  const type = text.slice(keyEnd, keyEnd + 48);
  return graphqlType.test(type) || (smallType.test(type) && operation.test(text));
}

const graphqlType = /^ ?\[{0,2}[A-Z]\w{0,40}[\]!]{0,4} ?[,)=]/;
const smallType = /^ ?\[{0,2}[a-z]\w{0,60}[\]!]{0,4}[,)=]/;
/** GraphQL, October 2021, 2.3: the type of the operation, its name, its variables. */
const operation =
  /^\s{0,40}(?:query|mutation|subscription)\s{0,8}\w{0,80}\s{0,8}\(\s{0,8}\$\w{1,40}:/;
const startsAsJson = /^ ?\[? ?\{/;
/** `x', $set:`, `' }, { $set:`: ends the string and the object that it is put into. */
function breaksOut(text: string): boolean {
  const quote = firstQuote(text);
  return quote >= 0 && nextMember.test(text.slice(quote + 1, quote + 24));
}

const nextMember = /^ {0,2}(?:[}\])] {0,2}){0,4}, {0,2}["'{$]/;

/** Offset after the `:` or `]=` that makes the word before it a key; -1 when there is none. */
function keyEndAfter(text: string, end: number): number {
  let at = end;
  while (at < end + 24 && ' \t\r\n"\'\\'.includes(text[at] ?? 'x')) at++;
  if (text[at] === ':') return at + 1;
  return text[at] === ']' && '=['.includes(text[at + 1] ?? 'x') ? at + 2 : -1;
}

/** The key stands behind `{`, `,`, `[`, with a quote at most between, or at the start. */
function opensKey(text: string, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && at > start - 24 && ' \t\r\n"\'\\'.includes(text[at] as string)) at--;
  return at < 0 || '{,[('.includes(text[at] as string);
}

const shellCharsMax = 200;
/** `In MongoDB: db.people.find({age: {$gt: 18}})`: words, and a call of the shell. */
const shellCall = /^(?:[A-Za-z]{1,20}[,:]? ){1,12}`?db\.\w{1,40}\.\w{1,30}\(/;

function isOfShell(text: string, at: number): boolean {
  return shellCall.test(text.slice(0, Math.min(at, shellCharsMax)));
}

/** Prose around it: several words before the piece of JSON begins. */
function isQuoted(text: string, at: number): boolean {
  let words = 0;
  let inWord = false;
  for (let i = 0; i < at && words < 4; i++) {
    const code = text.charCodeAt(i);
    if (code === 123 || code === 91) return false;
    if (isAlnum(code)) inWord = true;
    else {
      if (inWord && code === 32) words++;
      inWord = false;
    }
  }
  return words >= 4;
}
