import type { Detector } from '../rule.ts';
import { filterBreakOut } from './filter-break-out.ts';
import {
  absurdFilter,
  filterValue,
  ldapUrl,
  matchingRule,
  nestedFilter,
  siblingFilters,
  wildcardValue,
} from './filter-text.ts';

/** LDAP injection: search filters of RFC 4515. */
export const ldapi: Detector = {
  category: 'ldapi',
  rules: [
    filterBreakOut,
    absurdFilter,
    nestedFilter,
    ldapUrl,
    siblingFilters,
    filterValue,
    matchingRule,
    wildcardValue,
  ],
};
