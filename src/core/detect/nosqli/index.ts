import type { Detector } from '../rule.ts';
import { bareComparison } from './bare-comparison.ts';
import { operatorName } from './operator-name.ts';
import { operatorText } from './operator-text.ts';
import { script } from './script.ts';
import { shellCall } from './shell-call.ts';

/** NoSQL injection: query operators in names and values, server-side query script, shell calls. */
export const nosqli: Detector = {
  category: 'nosqli',
  rules: [operatorName, operatorText, script, shellCall, bareComparison],
};
