import type { Detector } from '../rule.ts';

/** Rules of the category `ssi`. */
export const ssi: Detector = { category: 'ssi', rules: [] };
