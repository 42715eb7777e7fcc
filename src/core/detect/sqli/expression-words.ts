import { sqlWord } from '../../tokenise/sql-words.ts';
import { trait } from './traits.ts';

/** What the call of a function says, by the class of its name. */
export const callTraits: Readonly<Record<number, number>> = {
  [sqlWord.timeCall]: trait.timeCall,
  [sqlWord.sharedTimeCall]: trait.timeCall,
  [sqlWord.errorCall]: trait.errorCall,
  [sqlWord.outsideCall]: trait.outsideCall,
  [sqlWord.infoCall]: trait.infoCall,
  [sqlWord.textCall]: trait.textCall,
  [sqlWord.flow]: trait.flowCall,
  [sqlWord.replace]: trait.textCall,
  [sqlWord.insert]: trait.textCall,
  [sqlWord.like]: trait.textCall,
  [sqlWord.arithmetic]: trait.textCall,
  [sqlWord.is]: trait.flowCall,
  [sqlWord.niladic]: trait.infoCall,
};

/** Words after which an opening parenthesis groups and calls nothing. */
export const grouping: ReadonlySet<number> = new Set([
  sqlWord.not,
  sqlWord.select,
  sqlWord.from,
  sqlWord.where,
  sqlWord.by,
  sqlWord.having,
  sqlWord.quantifier,
  sqlWord.exists,
  sqlWord.case,
  sqlWord.branch,
  sqlWord.or,
  sqlWord.and,
  sqlWord.xor,
  sqlWord.union,
  sqlWord.in,
  sqlWord.as,
  sqlWord.on,
  sqlWord.join,
  sqlWord.prefix,
  sqlWord.table,
  sqlWord.into,
]);

/** Words of a query that take it to its next operand. */
export const clauseWords: ReadonlySet<number> = new Set([
  sqlWord.from,
  sqlWord.where,
  sqlWord.group,
  sqlWord.order,
  sqlWord.by,
  sqlWord.having,
  sqlWord.limit,
  sqlWord.offset,
  sqlWord.union,
  sqlWord.into,
  sqlWord.outfile,
  sqlWord.values,
  sqlWord.join,
  sqlWord.on,
  sqlWord.separator,
  sqlWord.for,
  sqlWord.procedure,
  sqlWord.with,
  sqlWord.table,
  sqlWord.set,
]);
