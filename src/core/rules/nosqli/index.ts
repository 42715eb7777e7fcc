import type { Detector } from '../rule.ts';
import { operatorName, operatorText } from './operator.ts';
import { graphQuery, lineProtocol, rawQuery, searchQuery } from './other-stores.ts';
import { script } from './script.ts';
import { secretFilter, secretMember } from './secret-filter.ts';
import { busyLoop, mapReduce, shellCall, storeScript } from './shell-call.ts';

/**
 * NoSQL injection: query operators, server-side script, and the query languages of other stores.
 */
export const nosqli: Detector = {
  category: 'nosqli',
  rules: [
    operatorName,
    operatorText,
    script,
    shellCall,
    mapReduce,
    busyLoop,
    lineProtocol,
    graphQuery,
    searchQuery,
    rawQuery,
    storeScript,
    secretFilter,
    secretMember,
  ],
};
