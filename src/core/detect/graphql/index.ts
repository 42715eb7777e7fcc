import type { Detector } from '../rule.ts';
import { batch, batchItems } from './batch.ts';
import { depth, flood, hugePages, introspection } from './document.ts';

/** GraphQL abuse: introspection, depth, floods of aliases, fields and directives, large batches. */
export const graphql: Detector = {
  category: 'graphql',
  rules: [introspection, depth, flood, hugePages, batch, batchItems],
};
