import type { Detector } from '../rule.ts';
import { lookup } from './lookup.ts';
import { nestedLookup } from './nested-lookup.ts';
import { secretLookup } from './secret-lookup.ts';

/** Rules of the category `jndi`. */
export const jndi: Detector = { category: 'jndi', rules: [lookup, nestedLookup, secretLookup] };
