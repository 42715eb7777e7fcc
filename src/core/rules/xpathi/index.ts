import type { Detector } from '../rule.ts';
import { breakOut } from './break-out.ts';
import { expression, pathValue } from './expression.ts';

/** XPath injection. */
export const xpathi: Detector = { category: 'xpathi', rules: [breakOut, expression, pathValue] };
