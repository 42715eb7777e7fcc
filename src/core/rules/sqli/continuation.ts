import {
  type Exit,
  exitKind,
  exitsOf,
  holdsGluedSign,
  isOrigin,
  isSecondQuote,
  mayExit,
} from '../../grammars/sql/exits.ts';
import {
  addsValue,
  endsMore,
  has,
  hasAny,
  isBehindNumber,
  isCommented,
  isDangerous,
  isWrittenClause,
  setsClosed,
  written,
} from '../../grammars/sql/rest-shape.ts';
import { holdsWord, type SqlTokens, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { type Rest, readRest, restEnd, restPart } from '../../grammars/sql/statement-rest.ts';
import { trait } from '../../grammars/sql/traits.ts';
import { continuationTrigger } from '../../grammars/sql/triggers.ts';
import { isTruth } from '../../grammars/sql/truth.ts';
import { confidence } from '../../placement/confidence.ts';
import { isMessageMember, takesText } from '../../placement/field-role.ts';
import { isKeyMember, isNameMember, isNumberMember } from '../../placement/member.ts';
import { gluedWords, readBreaks, spanOfTokens, wordsBehind } from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/**
 * A value that is data, a way out of the place where it stands, and then the whole rest of a
 * statement: `name" FROM staff --`, `fine'),(3,1,'x`, `5, role='admin' WHERE id=7`, `pen' THEN 1
 * ELSE 0 END FROM goods --`. It needs no condition: what follows it is cut off or closed.
 */
export const continuation: ValueRule = {
  id: 'sqli.continuation',
  score: confidence.strong,
  message: 'leaves its place in a statement and supplies the whole rest of it',
  trigger: continuationTrigger,
  judge,
  examples: [
    ...inMember('query.q', 'false or true'),
    ...["'THEN 1 END FROM goods union select id,pin,1 from staff fetch first row only--", '*/--'],
    ...["lamp' THEN 1 ELSE 0 END FROM goods WHERE sold=0-- ", 'staff NATURAL JOIN (SELECT 1 sold)'],
    ...["nullif(2,4), 'new'),(12, 3, 'pen', 30, 'new') -- ", 'name from goods union table staff--'],
    ...['see\nSELECT 1,pin,NULL FROM staff UNION ALL -- ', 'name from goods lock in share mode--'],
    ...['name from goods group by id with rollup--', "4, 'new'),(12, 3, 'pen', 30, 'new') -- "],
    ...["x' start with id=1 connect by level<9--", '5,owner=case when 1=1 then 1 else 0 end'],
    ...['?"FROM staff WHERE(sold is null);', "bob', role='admin' where id=7 -- ", `',"pin"=x'41';`],
    ...['staff, (SELECT sold FROM goods) x', '5, item=(SELECT pin FROM staff)', 'see*/limit 9,1--'],
    ...['pin FROM staff ---- sp_password', "x') window w as(order by id)--", "x' connect by 1=1--"],
    ...['name,1/(select 0 from staff)', "x' for update skip locked--", "Fond of tea',role='admin"],
    ...["x' output inserted.pin--", "size') FROM goods; -- -", 'big 50%" FROM staff;--a'],
    ...['lamp*/ WHERE sleep(7)--', '5, owner=2 WHERE id=1', "x' for xml path('')--", "'5' or 1-- "],
    ...["x' option(maxdop 1)--", 'title" FROM staff --', '1 connect by level<9', "x' into@a,@b--"],
    ...['name for json path--', 'pin FROM staff; --x', 'see*/group by 1;--', "fine', 2, 1); -- -"],
    ...["1 for xml path('')", '1 option(maxdop 1)', '5 WHERE id>0; -- -', '0,!version())-- a'],
    ...['5,owner=@@version', 'pin FROM staff --', "f',role=if(1,0);", 'DESC, (sleep(5))'],
    ...["x'for update--", "fine'),(3,1,'x", 'name,@@version', "tea',role=~1;", "ann','x')-- "],
    ...['5, owner=6', 'staff;-- '],
    ...inMember('query.field', "size' from goods limit all-- a", 'pin/*!FROM*/staff/**/-- n 3)'),
    ...inMember('body.amount', 'CASE WHEN 5 THEN 5 ELSE 1 END,`status`=7', '5, note=length(1)-- u'),
    ...inMember('body.amount', "instr('',''||''),2),(1,5,'a')--", '([nullif](2,7)),[owner]=9'),
    ...inMember('body.amount', '1 between 0 and 2),(1,2)', '1 is null or 1),(1,2)', '(5)/**/-- u'),
    ...inMember('body.amount', '5 output deleted.pin', '5, note=owner||pin', '5,item=!@"a";#'),
    ...inMember('body.amount', '5, unitPrice=0', '(select 5);--', "5E0,status=''", "5, item='x'"),
    ...inMember('body.amount', '5, note=pin', '5, owner=6', '5, price=0', '5 where true;'),
    ...inMember('body.amount', '9 where id or~5;', 'null,owner=5. '),
    ...["home')window w as();", '*/window w as();', "',bio=current_date;", "x',pin=json('1') ;"],
    ...inMember('query.field', 'name from goods group by 1;', '#\nname from goods having 1--'),
    ...["',pin=operator(pg_catalog.-)1--", "' for update--a", "$',7,0),('", 'pin from staff/*!'],
    ...inMember('query.id', '4 for share of goods--a', '1 for update', '5,role=name'),
    { body: { 'query.table': 'staff where unixepoch()<<id;' } },
  ],
  lookalikes: [
    ...['the list\nselect one from the union all -- or none', 'Monday, 5 (noon), then home -- bye'],
    ...["the Smiths' from only U.S. towns; and so on", "the Smiths' from where I stand; and so on"],
    ...['"x is not found" or "y is not found" -----', 'Rooms 5\'9" from wall to wall -- roughly'],
    ...["The Joneses' from London -- regards, Ann", 'if (a == "x") then b else c end; next'],
    ...["the Smiths' where I stayed; and so on", "The boys' option (two) -- thanks all", 'name;'],
    ...["the Smiths' window was open -- cold", "it's then 1 or else 2, end of story", "the boys';"],
    ...['model from list limit 4 -- ticket', 'Tea /* green */ from China -- Ann', 'src/**/a -- b'],
    ...['You can join (select one) and pay', '"Tea" from London -- regards, Ann', "',title=home;"],
    ...['[link] from [the shop] -- thanks', "Ann O'Brien, (555) 123 -- call", 'Start with 1 = one'],
    ...['It costs $a$ or $b$, no more.', "James' for update -- later", '*/ group by team -- done'],
    ...['Letter from Ann -- read it', 'Ann, in case when it rains', '3 log errors (see below)'],
    ...['Colours, (select 1 only)', "the house d'or, l'on dit", 'Case when needed, size=2', '5.--'],
    ...['Letter from Ann; -- Bob', "<a href='x',role='y';>", "insert('x'),(1,2,'y')", '5, size=2'],
    ...['price desc, name asc', '3 option (blue, red)', 'Hello, @@bob is here', 'Letter from Ann;'],
    ...['team, @@host is down', "color='red',size='m'", '5 start with a bang', '=IF(A1="x",B1,C1)'],
    ...['Sizes, (select one)', "'A' or 1 -- which?", "(see the Smiths');", "see 'a',price=5;"],
    ...['name from A to Z', 'a 5" from wall;', 'tea"from China;', '5, a<b -- see', '*/ -- the end'],
    ...["f('a'),('b')", '1 for update', 'users --help', '5"from wall;', "it's fine');", '*/--help'],
    ...["x'for later", "'a','b','c'", '2 option(s)', '*/5 * * * *', "it's;", 'src/*'],
    ...inMember('query.q', 'true or false', 'true and false'),
    ...inMember('body.message', "world');", "fine';"),
    ...inMember('body.amount', '100, currency=EUR', '5, 6', '3 where 1 is free;'),
    ...["price in $', not in €", 'see the mark /*!'],
    { body: { 'body.phone_number': '5551234, ext=12' } },
    ...[{ body: { 'body.note': 'amount 5, owner=6' } }, { body: { 'query.id': '1 for sharing' } }],
    ...[{ body: { 'query.price': '1 for update' } }, { body: { 'query.page': '5, size=2' } }],
  ],
};

function judge(subject: Subject): Match | undefined {
  if (!mayExit(subject.text, subject.classes)) return undefined;
  const all = readBreaks(subject);
  const { tokens } = all;
  let best: Match | undefined;
  for (const exit of exitsOf(tokens)) {
    const rest = readRest(tokens, exit.next);
    const score = rest === undefined ? 0 : scoreOf(exit, rest, tokens, subject.member);
    if (rest === undefined || score <= (best?.score ?? 0)) continue;
    best = { ...spanOfTokens(all, exit.at, rest.at + 1), score };
  }
  return best;
}

function scoreOf(exit: Exit, rest: Rest, tokens: SqlTokens, member: string): number {
  const { end } = rest;
  const tail = end === restEnd.cut ? wordsBehind(tokens, rest.at) : 0;
  if (exit.kind === exitKind.line) return scoreLine(exit, rest, tokens, tail);
  if (isDangerous(rest) && end !== restEnd.literal) return confidence.strong;
  if (end === restEnd.semicolon) return scoreClosed(exit, rest);
  switch (exit.kind) {
    case exitKind.quote:
      if (end === restEnd.cut) return scoreQuoteCut(exit, rest, tokens, tail, member);
      return scoreQuote(exit, rest, tokens, member);
    case exitKind.comment:
      return scoreComment(exit, rest, tokens, tail);
    case exitKind.number:
      if (takesText(member) && isTruth(tokens)) return confidence.hint;
      if (leavesMember(rest, member) || isMarked(rest, tokens, tail, member))
        return confidence.likely;
      return Math.max(
        scoreNumber(exit, rest, tokens, tail),
        // `"staff" where id>0;`
        isNameMember(member) ? scoreName(rest, tokens, tail, member) : 0,
      );
    case exitKind.name:
      return scoreName(rest, tokens, tail, member);
    default:
      return 0;
  }
}

/** Out of a line comment: a query that begins on a line of its own, for that of the statement. */
function scoreLine({ next }: Exit, rest: Rest, tokens: SqlTokens, tail: number): number {
  const isOpen = has(rest.parts, restPart.openUnion | restPart.query);
  if (!isOpen || !holdsWord(tokens, next, rest.at, sqlWord.from)) return 0;
  if (tail === 0 && rest.end === restEnd.cut) return confidence.certain;
  return hasAny(rest.traits, written) ? confidence.strong : 0;
}

/** Out of a block comment, whose bare end needs no more than the mark of another. */
function scoreComment(exit: Exit, rest: Rest, tokens: SqlTokens, tail: number): number {
  const { parts, traits, end } = rest;
  const tailMax = tokens.gap[rest.at] === 0 ? 1 : 0;
  if (exit.at <= 1 && tail <= tailMax && endsClause(exit, rest, tokens)) return confidence.strong;
  if (end !== restEnd.cut) return 0;
  const words = tail - gluedWords(tokens, rest.at);
  if (parts === 0) return exit.at <= 1 && words <= 0 ? confidence.likely : 0;
  const isRow = has(parts, restPart.row) && hasAny(traits, written);
  const isCut = words <= 0 && hasAny(parts, restPart.vendor | restPart.other);
  return isRow || isCut || hasAny(parts, goesOn) ? confidence.strong : 0;
}

/** `see*\/limit 9,1;`, `see*\/order by (select 1)-- a`: a clause of more than words, or in one piece with what is around it. */
function endsClause(
  { next }: Exit,
  { parts, traits, end, at, isClosed }: Rest,
  { gap }: SqlTokens,
): boolean {
  const isEnded = end === restEnd.cut || (end === restEnd.text && isClosed);
  const isGlued = gap[next] === 0 && gap[end === restEnd.text ? at - 1 : at] === 0;
  const isMore = hasAny(
    traits,
    (written & ~trait.compare) | trait.query | trait.call | trait.arithmetic,
  );
  return isEnded && hasAny(parts, clauses) && (isMore || isGlued);
}

const clauses =
  restPart.condition |
  restPart.other |
  restPart.vendor |
  restPart.union |
  restPart.join |
  restPart.tail;
const goesOn =
  restPart.condition | restPart.connective | restPart.join | restPart.union | restPart.tail;

/** What should be one number goes on, up to the end of the value. */
function leavesMember(rest: Rest, member: string): boolean {
  if (rest.end !== restEnd.text) return false;
  // `1 for update` where the number of a row should stand
  const isLocked = hasAny(rest.parts, restPart.vendor | restPart.tail) && isKeyMember(member);
  const isNumber = isNumberMember(member);
  // `5 where true;`, `9 where id or~5;`, and not `5 where 1 is free;`
  const isSaid = hasAny(rest.traits, trait.name) && !hasAny(rest.traits, trait.logical);
  const isAll = has(rest.parts, restPart.condition) && hasAny(rest.traits, written) && !isSaid;
  return isLocked || (isNumber && isAll) || setsMore(rest, isNumber);
}

/** `(5)/**\/-- u`, `5, note=quote(1) -- u` where a number should stand. */
function isMarked(rest: Rest, tokens: SqlTokens, tail: number, member: string): boolean {
  if (rest.end !== restEnd.cut || tail > 1 || !isNumberMember(member)) return false;
  const isLocked = hasAny(rest.parts, restPart.vendor | restPart.tail) && isKeyMember(member);
  return isLocked || has(rest.parts, restPart.set) || isCommented(tokens, rest.at);
}

/**
 * `5, owner=6` sets a column of rights, `5, price=0` and `5, note=pin` where one number
 * should stand one of money or state, or to what a client may not read; `100, currency=EUR` and
 * `5, size=2` are values with their attributes.
 */
function setsMore({ parts }: Rest, isNumber: boolean): boolean {
  if (has(parts, restPart.grant)) return true;
  return isNumber && has(parts, restPart.state);
}

/** What ends with a semicolon may be the first half of a sentence: it must be a clause. */
function scoreClosed({ kind }: Exit, { parts, traits }: Rest): number {
  if (kind !== exitKind.quote) return 0;
  if (has(parts, restPart.branch) || has(parts, restPart.row | restPart.close)) {
    return confidence.strong;
  }
  if (has(parts, restPart.from) && hasAny(parts, restPart.other | restPart.tail))
    return confidence.likely;
  if (!has(parts, restPart.condition)) return 0;
  if (hasAny(parts, restPart.from | restPart.set)) return confidence.strong;
  return parts === restPart.condition && hasAny(traits, trait.compare) ? confidence.likely : 0;
}

/** Out of a literal: what was behind it in the statement is closed by its quote, or ends. */
function scoreQuote(exit: Exit, rest: Rest, tokens: SqlTokens, member: string): number {
  const { parts, end, at } = rest;
  const isBranch = has(parts, restPart.branch);
  if (end === restEnd.text)
    return isBranch ? confidence.strong : scoreEnd(exit, rest, tokens, member);
  const isReopened = tokens.kind[at] === tokens.kind[exit.at];
  return isReopened && !isBranch && addsValue(parts) ? confidence.strong : 0;
}

/** `';`, `ann';`: a word at most, and its semicolon in one piece. */
function isName({ at }: Exit, { kind, gap, count }: SqlTokens, member: string): boolean {
  const isGlued = at === 1 && kind[0] === sqlToken.word && gap[1] === 0;
  const isWord = at === 0 || (isGlued && !isMessageMember(member));
  return isWord && count === at + 2 && gap[count - 1] === 0;
}

function scoreQuoteCut(
  exit: Exit,
  rest: Rest,
  tokens: SqlTokens,
  tail: number,
  member: string,
): number {
  const { parts, isClosed, at } = rest;
  if (has(parts, restPart.branch) || addsValue(parts)) return confidence.strong;
  if (has(parts, restPart.row)) return 0;
  if (hasAny(parts, restPart.vendor | restPart.tail)) {
    // `x')for update--a`, `' for update--a`, and not `James' for update -- later`
    const isTight = (tokens.gap[exit.next] === 0 || exit.at === 0) && tokens.gap[at] === 0;
    return tail <= +(isTight || isNameMember(member)) ? confidence.strong : confidence.hint;
  }
  if (has(parts, restPart.item | restPart.close) || has(parts, restPart.condition))
    return confidence.strong;
  if (!has(parts, restPart.from)) return 0;
  const isWhole = has(parts, restPart.close) && isClosed;
  return isWhole || tail <= remarkMax(exit, rest, tokens) ? confidence.strong : confidence.hint;
}

/** Words of a remark behind a table: two where it is glued at both ends, as `pin"from staff--s R`, or begins the value. */
function remarkMax(exit: Exit, { at, isClosed }: Rest, tokens: SqlTokens): number {
  const isFirst = exit.at === 0 && tokens.gap[1] === 0 && tokens.count <= at + closedTokensMax;
  const isGlued = (tokens.gap[at] === 0 || isFirst) && !isOrigin(exit, tokens, at);
  return isGlued ? 2 : isClosed || exit.at <= 1 ? 1 : 0;
}

/** With the value: `home');`, `name"from goods;` */
function scoreEnd(exit: Exit, rest: Rest, tokens: SqlTokens, member: string): number {
  const { at } = exit;
  const { parts, isClosed } = rest;
  if (has(parts, restPart.set | restPart.condition)) return confidence.strong;
  if (!isClosed || at > closedTokensMax) return 0;
  const isOwn = at === 0 || !isMessageMember(member);
  if ((isOwn && endsMore(parts)) || setsClosed(exit, rest, tokens)) return confidence.likely;
  if (parts === 0) return isName(exit, tokens, member) ? confidence.likely : 0;
  if (parts === restPart.from) return isOrigin(exit, tokens, rest.at) ? 0 : confidence.likely;
  if (parts !== restPart.close) return scoreEndedClause(exit, rest, tokens);
  // `(see the Smiths');`, and where people write for people also the end of a call.
  const isSpoken = tokens.text.includes('(') || isMessageMember(member);
  return isSpoken || isSecondQuote(exit, tokens) ? 0 : confidence.likely;
}

function scoreEndedClause(exit: Exit, rest: Rest, tokens: SqlTokens): number {
  if (rest.parts === (restPart.from | restPart.close)) {
    const behind = exit.next + 1;
    const isGlued = tokens.gap[behind] === 0 || holdsGluedSign(tokens, behind, rest.at);
    return isGlued ? confidence.likely : 0;
  }
  // `5" from the wall order 2;`
  const isTable = has(rest.parts, restPart.from);
  return isTable && tokens.kind[exit.at - 1] === sqlToken.number ? 0 : scoreClosed(exit, rest);
}

/** Behind a number; a list of numbers and names is benign, so that a comparison must stand in it. */
function scoreNumber({ data }: Exit, rest: Rest, tokens: SqlTokens, tail: number): number {
  const { parts, traits, end } = rest;
  if (end === restEnd.literal) return 0;
  const own = data?.traits ?? 0;
  const isRow = end === restEnd.cut && has(parts, restPart.row | restPart.close);
  // `instr('',''||''),2),(1,…`: a row, whatever its first value is made of.
  if (!isRow && (hasAny(parts, restPart.connective) || hasAny(own, trait.logical))) {
    return scoreConstants(own | traits, rest, tokens, tail);
  }
  if (has(parts, restPart.set | restPart.condition))
    return has(traits, trait.compare) ? confidence.strong : 0;
  // `1 connect by level<9`
  if (has(parts, restPart.vendorSign)) return confidence.likely;
  return end === restEnd.cut ? scoreNumberCut(rest, tail) : 0;
}

function scoreNumberCut({ parts, traits, isClosed }: Rest, tail: number): number {
  if (has(parts, restPart.vendor) && tail === 0) return confidence.likely;
  if (has(parts, restPart.row | restPart.close) || has(parts, restPart.condition))
    return confidence.strong;
  // `0,!version())-- a`
  const isList = has(parts, restPart.item | restPart.close);
  if (isList && hasAny(traits, trait.infoCall)) return confidence.strong;
  if (tail > 0) return 0;
  return isList || has(parts, restPart.set) || (parts === 0 && isClosed) ? confidence.likely : 0;
}

/** `2 or 3` is an answer, `2 or true`, `2 or 3 is not null` and `2 or 3;--` are none. */
function scoreConstants(traits: number, rest: Rest, tokens: SqlTokens, tail: number): number {
  const { parts, end, isClosed } = rest;
  if (hasAny(traits, trait.name)) return 0;
  if (hasAny(traits, trait.text) && !hasAny(traits, trait.compare)) {
    // `'5' or 1 --`, and not `"not found" or "not defined" ---`
    const isCut = end === restEnd.cut && tail === 0;
    return isCut && isBehindNumber(tokens, rest.at) ? confidence.likely : 0;
  }
  if (end === restEnd.cut)
    return isClosed || tail === 0 || has(parts, restPart.close)
      ? confidence.strong
      : confidence.hint;
  return hasAny(traits, trait.nullTest | trait.wordCompare | trait.constant)
    ? confidence.likely
    : 0;
}

/** Behind the name of a column or table. */
function scoreName(rest: Rest, tokens: SqlTokens, tail: number, member: string): number {
  const { parts, end, isClosed } = rest;
  if (end === restEnd.text) return scoreNameClosed(rest, tokens.text, isNameMember(member));
  const isClause = isWrittenClause(rest);
  if (end !== restEnd.cut || (tail > 0 && (tail > 1 || !mayTail(rest, tokens, member)))) return 0;
  if (isClause || hasAny(parts, restPart.from | restPart.vendor)) return confidence.likely;
  if (has(parts, restPart.condition)) return isClosed ? confidence.likely : 0;
  return parts === 0 && isClosed && tokens.count <= closedTokensMax ? confidence.likely : 0;
}

/** `pin FROM staff; --x`, `a FROM b HAVING 1--x`; a remark of one word stands apart in prose. */
function mayTail(rest: Rest, tokens: SqlTokens, member: string): boolean {
  const isName = isNameMember(member);
  const isClause = isWrittenClause(rest);
  if ((isClause || rest.isClosed) && tokens.gap[rest.at + 1] === 0)
    return isName || has(rest.parts, restPart.from);
  if (!isClause) return isName && isCommented(tokens, rest.at);
  return isName || (has(rest.parts, restPart.from) && hasAny(rest.traits, computed));
}

/** `name from goods limit 9,1;`, `max(pin) from staff limit 9;`, and not `users from London limit 5;` */
function scoreNameClosed(rest: Rest, text: string, isTable: boolean): number {
  const isMore =
    has(rest.parts, restPart.item) ||
    hasAny(rest.traits, ~(trait.number | trait.name)) ||
    unsaid.test(text);
  const mayStand = isTable || (has(rest.parts, restPart.from) && isMore);
  const isCondition = has(rest.parts, restPart.condition) && hasAny(rest.traits, ~trait.name);
  const isWhole = rest.isClosed && mayStand && (isWrittenClause(rest) || (isTable && isCondition));
  return isWhole ? confidence.likely : 0;
}

const unsaid = /\/\*|[([]/;
const computed = trait.query | trait.call | trait.case;

/** A name, a semicolon, the comment and one sign behind it. */
const closedTokensMax = 4;
