import type { Detector } from '../rule.ts';
import { edge, edgeVariable } from './edge.ts';
import { command, include, variable } from './include.ts';

/** Rules of the category `ssi`. */
export const ssi: Detector = {
  category: 'ssi',
  rules: [command, include, variable, edge, edgeVariable],
};
