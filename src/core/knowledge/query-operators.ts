import { isLetter } from '../text/char-class.ts';
import { wordSet } from '../text/words.ts';

/**
 * Operators of MongoDB queries, updates and aggregations that change what a condition means or what
 * is read or written, without `$`; and those of CouchDB's selectors and of Parse Server's conditions.
 * https://www.mongodb.com/docs/manual/reference/operator/
 */
const operators: ReadonlySet<string> = wordSet(
  'eq ne gt gte lt lte in nin not nor and or exists type regex where expr elemmatch all mod text size',
  'jsonschema function accumulator lookup match group project out merge unionwith graphlookup',
  'comparestring near nearsphere geowithin geointersects maxdistance mindistance bitsallset',
  'bitsanyset bitsallclear bitsanyclear options set unset setoninsert inc mul min max currentdate',
  'bit push pull pullall pop addtoset rename func comment replaceroot replacewith addfields facet',
  'unwind collstats indexstats plancachestats currentop listsessions listlocalsessions beginswith',
  'allmatch keymapmatch inquery notinquery dontselect relatedto',
);

/** Those that also occur in honest member names of analytics and query protocols. */
const ambiguous: ReadonlySet<string> = wordSet(
  'set unset min max text group project options comment type',
);

/** True for an operator name without its `$`, any case. */
export function isOperator(name: string): boolean {
  return operators.has(name.toLowerCase());
}

/** True for an operator that annotates and changes no condition; the schemas of JSON have the name. */
export function isSilent(name: string): boolean {
  return name.toLowerCase() === 'comment';
}

/** True for those that mean something at the top of a document alone: in an update, or a stage. */
export function isUpdate(name: string): boolean {
  return updates.test(name);
}

const updates = /^(?:(?:un)?set|min|max)$/i;

/**
 * True when what follows the colon behind `$type` is a type of BSON: `$type` alone names a class
 * in JSON of .NET and a schema in that of others.
 */
export function isBsonType(text: string, from: number): boolean {
  return bsonType.test(text.slice(from, from + 40));
}

const bsonType =
  /^\s{0,16}\[?\s{0,4}(?:-?[\d.]{1,6}(?:e[+-]?\d)?|["'](?:double|string|object|array|binData|undefined|objectId|bool|date|null|regex|int|long|decimal|number|timestamp)["'])/i;

/** True when the name alone proves nothing. */
export function isAmbiguous(name: string): boolean {
  return ambiguous.has(name.toLowerCase());
}

/**
 * True for the documented filters of a headless CMS, `filters[title][$eq]`, that ask for nothing
 * secret.
 */
export function isPageFilter(text: string, dollar: number): boolean {
  const before = text.slice(Math.max(0, dollar - 120), dollar);
  return (
    pageFilter.test(before) || (filters.test(before) && group.test(text.slice(dollar, dollar + 12)))
  );
}

/** What an operator of a filter stands behind, also within a group: `filters[$or][0][title][`. */
const pageFilter =
  /(?:^|[?&.])filters(?:\[\$(?:or|and)\]\[\d{1,2}\])?(?:\[(?!pass|pin|token|secret|hash|reset|code)\w{1,40}\]){1,4}\[$/i;
const filters = /(?:^|[?&.])filters\[$/i;
const group = /^\$(?:or|and)\]\[\d/;

/** Offset after the letters that start at `start`; an operator has at most 20. */
export function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && at - start < 20 && isLetter(text.charCodeAt(at))) at++;
  return at;
}
