import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `a@example.org -OQueueDirectory=/tmp -X/srv/x.php`: options of sendmail inside an address. */
export const transportOption: ValueRule = {
  id: 'mailinj.transport-option',
  cwe: 'CWE-88',
  severity: 'critical',
  score: confidence.strong,
  message: 'puts options of the mail program into an address, so that it writes or reads files',
  trigger: { literals: [['-x/', '-oq', '-c/', '-d/', '-x"', '-xc:', '-oqueue', '-x\\', '-be']] },
  judge: (subject) => {
    const { text } = subject;
    if (text.length > addressCharsMax) return undefined;
    let first = -1;
    let end = 0;
    let strength = 0;
    for (const found of text.matchAll(option)) {
      if (first < 0) first = found.index;
      end = found.index + found[0].length;
      strength += queueOption.test(found[0]) ? 2 : 1;
    }
    if (first < 0) return undefined;
    // One such option is what other programs have as well: `tar -C/tmp`.
    const isMail = mailAddress.test(text) && !commandStart.test(text);
    const score =
      strength >= 2
        ? isMail || first === 0
          ? confidence.strong
          : confidence.hint
        : isMail
          ? confidence.likely
          : confidence.trace;
    return { start: first, end, score };
  },
  examples: [
    'anna@example.org -OQueueDirectory=/tmp -X/srv/www/log.php',
    '"anna\\" -oQ/tmp/ -X/srv/www/a.php x"@example.org',
    '-C/srv/conf/main.cf -X/tmp/out@example.org',
    'anna@example.org -be ${run{id}}',
    '-X/srv/www/x.php -OQueueDirectory=/tmp',
  ],
  lookalikes: [
    'unpack it with tar -C/tmp and look',
    'anna-x/team@example.org',
    'call sendmail -C/etc/mail/test.cf -v anna@example.org to see why',
    'g++ -O2 -D/x main.cc',
    'anna@example.org - to be announced',
  ],
};

const addressCharsMax = 400;
const option =
  /(?:^|[\s"'])-(?:X ?(?:[\\/"']|[A-Za-z]:)[^\s"']{0,120}|O ?Queue\w{1,20} ?=[^\s"']{1,120}|oQ ?[\\/][^\s"']{0,120}|[CD][\\/][^\s"']{1,120}|be(?=\s|$))/g;
const queueOption = /-O ?Queue|-oQ/;
const mailAddress = /@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}/;
const commandStart = /\b(?:sendmail|exim\d?|tar|gcc|make|git|curl|mail) /i;
