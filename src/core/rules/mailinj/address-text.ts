import { confidence } from '../../placement/confidence.ts';
import type { Match, ValueRule } from '../rule.ts';

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

/** `${run{/bin/sh …}}@example.org`: Exim expands strings, and some expansions run programs. */
export const stringExpansion: ValueRule = {
  id: 'mailinj.string-expansion',
  cwe: 'CWE-78',
  severity: 'critical',
  score: confidence.certain,
  message: 'is an expansion with which the mail server Exim runs programs or reads files',
  trigger: {
    literals: [
      ['${run{', '${run,', '${readfile{', '${readsocket{', '${perl{', '${dlfunc{', '${lookup{'],
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    const found = expansion.exec(text);
    if (found === null) return undefined;
    const start = found.index;
    const end = Math.min(text.length, start + evidenceChars);
    // Lines of a configuration: `condition = ${run{…}}`.
    const isSetting = text.length > addressCharsMax || setting.test(text.slice(0, start));
    return { start, end, score: isSetting ? confidence.trace : confidence.certain };
  },
  examples: [
    '${run{/usr/bin/id}}@example.org',
    'root+${run{\\x2fbin\\x2fid}}@localhost',
    'anna@example.org ${readfile{/srv/conf/key}}',
    '${perl{system}{id}}',
  ],
  lookalikes: [
    'condition = ${run{/usr/local/bin/check $sender}{yes}{no}}',
    '${runner}{x}',
    'data = ${lookup{$local_part}lsearch{/srv/aliases}}',
    '`${run}{`',
  ],
};

const evidenceChars = 80;
const expansion = /\$\{(?:run[{,]|(?:readfile|readsocket|perl|dlfunc)\{)/i;
const setting = /[=:]\s{1,4}["']?$/;

/**
 * An encoded word (RFC 2047) whose text holds what ends a header or an address once a mail program
 * has decoded it: `=?utf-8?q?Hi=0ABcc:_list=40a.test?=`, `=?x?q?anna=40a.test=3e=00?=@b.test`.
 */
export const encodedWord: ValueRule = {
  id: 'mailinj.encoded-word',
  cwe: 'CWE-93',
  severity: 'high',
  score: confidence.strong,
  message: 'hides a line break or the end of an address in an encoded word of a mail header',
  trigger: { literals: [['=?'], ['?q?']] },
  examples: [
    '=?utf-8?Q?Hello=0D=0ABcc:_list=40example.org?=',
    'Anna =?iso-8859-1?q?=0aTo:_list=40example.org?= <anna@example.com>',
    '=?x?q?anna=40example.org=3e=00?=@example.com',
    '=?utf-8?q?anna=40example.org=20?=@example.com',
    '=?utf-8?q?=61=6e=6e=61=40=61=2e=74=65=73=74=3c?=@example.com',
  ],
  lookalikes: [
    'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_aus_K=C3=B6ln?=',
    'From: =?utf-8?Q?anna=40example.com?= <anna@example.com>',
    '=?iso-8859-1?q?Andr=E9?= <andre@example.com>',
    'What does =?utf-8?Q?Caf=C3=A9_=26_Bar?= mean in a mail?',
    'a=?b&c=?q?d',
  ],
  judge(subject): Match | undefined {
    for (const found of subject.text.matchAll(word)) {
      const content = found[1] ?? '';
      const start = found.index;
      const end = start + found[0].length;
      if (control.test(content)) return { start, end };
      // The address ends within the word, and the host behind it is not the one that counts.
      if (subject.text[end] === '@' && addressEnd.test(content)) return { start, end: end + 1 };
    }
    return undefined;
  },
};

const word = /=\?[\w-]{1,40}\?q\?([!->@-~]{1,400})\?=/gi;
const control = /=0[0ad]/i;
const addressEnd = /=40.{0,400}=(?:3[ce]|2[0c]|3b)/i;
