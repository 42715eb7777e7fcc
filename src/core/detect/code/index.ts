import type { Detector } from '../rule.ts';

/** Rules of the category `code`. */
export const code: Detector = { category: 'code', rules: [] };
