import type { Detector } from '../rule.ts';
import { busyLoop } from './busy-loop.ts';
import { graphQuery } from './graph-query.ts';
import { lineProtocol } from './line-protocol.ts';
import { mapReduce } from './map-reduce.ts';
import { operatorName } from './operator-name.ts';
import { operatorText } from './operator-text.ts';
import { script } from './script.ts';
import { rawQuery, searchQuery } from './search-query.ts';
import { secretFilter, secretMember } from './secret-filter.ts';
import { shellCall } from './shell-call.ts';
import { storeScript } from './store-script.ts';

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
