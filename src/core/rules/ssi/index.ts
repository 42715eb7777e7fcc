import type { Detector } from '../rule.ts';
import { command } from './command.ts';
import { edge } from './edge.ts';
import { edgeVariable } from './edge-variable.ts';
import { include } from './include.ts';
import { variable } from './variable.ts';

/** Rules of the category `ssi`. */
export const ssi: Detector = {
  category: 'ssi',
  rules: [command, include, variable, edge, edgeVariable],
};
