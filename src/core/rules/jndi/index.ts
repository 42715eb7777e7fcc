import type { Detector } from '../rule.ts';
import { lookup, nestedLookup, secretLookup } from './lookup.ts';

/** Rules of the category `jndi`. */
export const jndi: Detector = { category: 'jndi', rules: [lookup, nestedLookup, secretLookup] };
