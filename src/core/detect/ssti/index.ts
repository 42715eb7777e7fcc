import type { Detector } from '../rule.ts';

/** Rules of the category `ssti`. */
export const ssti: Detector = { category: 'ssti', rules: [] };
