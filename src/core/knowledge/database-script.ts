import { wordMap, wordSet } from '../text/words.ts';

type WordKind = 'prefix' | 'declaration' | 'statement' | 'constant';

/** Words of ECMA-262 by what follows them. */
export const words: ReadonlyMap<string, WordKind> = wordMap<WordKind>(
  ['prefix', 'typeof new void delete in instanceof of'],
  ['declaration', 'var let const'],
  ['statement', 'return throw if while for do else function try RETURN'],
  ['constant', 'true false null undefined NaN'],
);

/** Words between operands; AQL returns without a semicolon in front. */
export const joining: ReadonlySet<string> = new Set(['in', 'instanceof', 'of', 'RETURN']);
/** Words with a group in parentheses behind them, and a statement or block behind that. */
export const grouping: ReadonlySet<string> = new Set(['if', 'while', 'for', 'function']);
/** What script in a database finds documents in. */
export const documents: ReadonlySet<string> = new Set(['this', 'db', 'doc', 'obj']);
/** What any script may use. */
export const hosts: ReadonlySet<string> = wordSet('Object Math JSON Date process String');
/** What only script in a database has, or no other is allowed to call. */
export const calls: ReadonlySet<string> = wordSet(
  'sleep hex_md5 print printjson version emit Date getHostName load',
  'ls cat eval Function tojson require isNumber assert',
);
