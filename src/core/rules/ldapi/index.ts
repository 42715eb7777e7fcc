import type { Detector } from '../rule.ts';
import { absurdFilter } from './absurd-filter.ts';
import { filterBreakOut } from './filter-break-out.ts';
import { filterValue, matchingRule, wildcardValue } from './filter-value.ts';
import { ldapUrl } from './ldap-url.ts';
import { nestedFilter } from './nested-filter.ts';
import { siblingFilters } from './sibling-filters.ts';

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
