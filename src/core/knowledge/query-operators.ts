import { wordSet } from '../text/words.ts';

/**
 * Operators of MongoDB queries and aggregations that change what a condition means, without `$`.
 * https://www.mongodb.com/docs/manual/reference/operator/
 */
const operators: ReadonlySet<string> = wordSet(
  'eq ne gt gte lt lte in nin not nor and or exists type regex where expr elemmatch all mod text size',
  'jsonschema function accumulator lookup match group project out merge unionwith graphlookup',
  'comparestring near nearsphere geowithin geointersects bitsallset bitsanyset options set unset',
  'inc push pull addtoset rename func comment',
);

/** Those that also occur in honest member names of analytics and query protocols. */
const ambiguous: ReadonlySet<string> = wordSet('set unset text group project options comment type');

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

const updates = /^(?:un)?set$/i;

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
  return pageFilter.test(text.slice(Math.max(0, dollar - 120), dollar));
}

const pageFilter =
  /(?:^|[?&.])filters(?:\[(?!pass|pin|token|secret|hash|reset|code)\w{1,40}\]){1,4}\[$/i;

/** Offset after the letters that start at `start`; an operator has at most 20. */
export function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && at - start < 20 && isLetter(text.charCodeAt(at))) at++;
  return at;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
