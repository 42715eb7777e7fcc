import type { Detector } from '../rule.ts';
import { breakOut } from './break-out.ts';
import { expression } from './expression.ts';
import { pathValue } from './path-value.ts';

/** XPath injection. */
export const xpathi: Detector = { category: 'xpathi', rules: [breakOut, expression, pathValue] };
