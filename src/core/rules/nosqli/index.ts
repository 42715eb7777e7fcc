import type { Detector } from '../rule.ts';
import { graphQuery } from './graph-query.ts';
import { lineProtocol } from './line-protocol.ts';
import { operatorName, operatorText } from './operator.ts';
import { script } from './script.ts';
import { rawQuery, searchQuery } from './search-query.ts';
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
