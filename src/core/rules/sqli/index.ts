import type { Detector } from '../rule.ts';
import { breakOut } from './break-out.ts';
import { characterCodes } from './character-codes.ts';
import { clause } from './clause.ts';
import { commentCut } from './comment-cut.ts';
import { condition } from './condition.ts';
import { continuation } from './continuation.ts';
import { errorBased } from './error-based.ts';
import { fileWrite } from './file-write.ts';
import { keyExpression } from './key-expression.ts';
import { outOfBand } from './out-of-band.ts';
import { parenthesis } from './parenthesis.ts';
import { sortExpression } from './sort-expression.ts';
import { splitKeyword } from './split-keyword.ts';
import { stacked } from './stacked.ts';
import { statement } from './statement.ts';
import { tautology } from './tautology.ts';
import { timeDelay } from './time-delay.ts';
import { union } from './union.ts';
import { valueExpression } from './value-expression.ts';

/** Rules of the category `sqli`. */
export const sqli: Detector = {
  category: 'sqli',
  rules: [
    tautology,
    union,
    stacked,
    timeDelay,
    errorBased,
    outOfBand,
    fileWrite,
    condition,
    clause,
    continuation,
    breakOut,
    parenthesis,
    commentCut,
    characterCodes,
    statement,
    splitKeyword,
    valueExpression,
    keyExpression,
    sortExpression,
  ],
};
