import type { Detector } from '../rule.ts';
import { command, edge, edgeVariable, include, variable } from './include.ts';

/** Rules of the category `ssi`. */
export const ssi: Detector = {
  category: 'ssi',
  rules: [command, include, variable, edge, edgeVariable],
};
