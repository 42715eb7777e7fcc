import type { Detector } from '../rule.ts';
import {
  batch,
  batchItems,
  breakOut,
  depth,
  flood,
  hugePages,
  introspection,
  secretField,
} from './document.ts';

/** GraphQL abuse: introspection, depth, floods of aliases, fields and directives, large batches. */
export const graphql: Detector = {
  category: 'graphql',
  rules: [introspection, secretField, breakOut, depth, flood, hugePages, batch, batchItems],
};
