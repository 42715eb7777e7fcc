import type { Detector } from '../rule.ts';
import { arithmetic } from './arithmetic.ts';
import { bareExpression } from './bare-expression.ts';
import { dangerousCall } from './dangerous-call.ts';
import { engineObject } from './engine-object.ts';
import { javaReference } from './java-reference.ts';
import { macro, razor } from './macro.ts';
import { objectWalk } from './object-walk.ts';
import { probe } from './probe.ts';
import { serverObject } from './server-object.ts';
import { statement } from './statement.ts';

/** Rules of the category `ssti`. */
export const ssti: Detector = {
  category: 'ssti',
  rules: [
    arithmetic,
    objectWalk,
    dangerousCall,
    engineObject,
    serverObject,
    statement,
    razor,
    macro,
    javaReference,
    probe,
    bareExpression,
  ],
};
