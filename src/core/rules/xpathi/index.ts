import type { Detector } from '../rule.ts';
import { breakOut, constantCondition } from './break-out.ts';
import { expression, pathValue } from './expression.ts';

/** XPath injection. */
export const xpathi: Detector = {
  category: 'xpathi',
  rules: [breakOut, constantCondition, expression, pathValue],
};
