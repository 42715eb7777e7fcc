import type { Detector } from '../rule.ts';

/** Rules of the category `other`. */
export const other: Detector = { category: 'other', rules: [] };
