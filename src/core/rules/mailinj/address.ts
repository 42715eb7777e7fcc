import { isMessageMember, lineGrammar } from '../../grammars/http/lines.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `anna@example.com⏎QUIT`: an address, a line break and anything but further addresses. */
export const addressBreak: ValueRule = {
  id: 'mailinj.address-break',
  score: confidence.likely,
  message: 'breaks the line behind an address, or a subject, that goes into the head of a mail',
  trigger: { isOfValues: true, classes: charClass.lineBreak },
  judge: (subject) => {
    const { text } = subject;
    const isSubject = subjectMember.test(subject.member.slice(-40));
    // Most texts of several lines begin with words.
    if (!isSubject && !beginsWithMailbox(subject)) return undefined;
    const { firstEnd, lines } = subject.tokens(lineGrammar);
    const line = lines[0];
    if (line === undefined) return undefined;
    const rest = text.slice(line.start, Math.min(line.end, line.start + 200));
    if (isSubject && line.afterBlank && bodyStart.test(rest))
      return { start: line.breakStart, end: line.end };
    const mailbox = mailboxOf(text.slice(0, Math.min(firstEnd, 200)));
    if (mailbox === null || listed.test(rest)) return undefined;
    // With a name, an address may also begin a signature or a list.
    if (line.field === '' && mailbox[1] !== '') return undefined;
    const isAddress = addressMember.test(subject.member.slice(-40));
    const isBroken = isAddress || isHead(subject, line.field);
    return isBroken
      ? { start: line.breakStart, end: line.end, score: confidence.likely }
      : undefined;
  },
  examples: [
    { body: { email: 'anna@example.com\n\nBuy now at http://203.0.113.5/' } },
    { body: { from: 'anna@example.com\r\nList-Unsubscribe: <http://203.0.113.5>' } },
    { body: { reply_to: 'anna@example.com\r\nSubject: Re: invoice' } },
    { body: { email: 'anna@example.com\n Bcc: bob@example.org' } },
    { body: { subject: 'Offer\n\n<html>Buy</html>' } },
    'anna@example.com%0D%0A%0D%0ABuy now',
    'anna@example.com\r\nSubject: Offer\r\n\r\nHello',
    'anna@example.com\nX-Header: x',
    'anna@example.com (home)\r\nX-added: x',
    '(home) anna@example.com\nSubject: Offer',
    'Anna <anna@example.com (home)>\nX-added: x',
    { body: { name: 'ann" <anna <ann@example.com>>\r\nX-added: 1\r\n\r\nBuy' } },
    { body: { email: 'anna."lee"@example.com\nX-added: x' } },
    { body: { email: '"ann"@example.com>\r\n NOOP' } },
    { body: { name: 'ann" <ann@example.com>\r\nX-added: 1\r\nSubject: Offer\r\nX-b: "' } },
    { body: { subject: 'Offer\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<b>x' } },
  ],
  lookalikes: [
    { body: { email: 'anna@example.com\n' } },
    { body: { email: 'anna@example.com\nbob@example.org\n' } },
    { body: { email: 'anna@example.com,\nBob Smith <bob@example.org>' } },
    { body: { contact: 'anna@example.com\nTel. 030 123456' } },
    { body: { email: 'From: anna@example.com\nTo: bob@example.org\n\nHi' } },
    { body: { subject: 'Minutes\n\nof Monday' } },
    { body: { raw: 'from=anna@example.com%0D%0ATel.%20030&send=1' } },
    { body: { emails: 'anna@example.com\nX-Files: a fan' } },
    { body: { from: 'Anna Smith <anna@example.com>\n\n-- \nAnna' } },
    { body: { contact: 'Anna Smith <anna@example.com>\nSubject to change' } },
    { body: { q: 'anna@example.com\nTel. 030 123456' } },
  ],
};

/** Members for one address; a program puts them into a header. */
const addressMember =
  /(?:^|[._\-[])(?:e-?mail|mail|from|sender|reply_?-?to|return_?-?path|recipient)(?:_?addr(?:ess)?)?\]?$/i;
const subjectMember = /(?:^|[._\-[])(?:subject|betreff)\]?$/i;
const firstLine = /^[^\r\n]{0,200}/;

function beginsWithMailbox({ text, classes }: Subject): boolean {
  if ((classes & charClass.at) === 0) return false;
  return mailboxOf(firstLine.exec(text)?.[0] ?? '') !== null;
}

/**
 * A mailbox (RFC 5322, 3.4): an address, with comments, and in angle brackets with a name before it,
 * which may also end the quotes that a program puts around it.
 */
function mailboxOf(first: string): RegExpExecArray | null {
  return first.includes('@') ? mailbox.exec(first.replace(comment, ' ')) : null;
}

const comment = /\([^()]{0,60}\)/g;
/** The name, if any, is its group. What stands before the at sign is words and quoted words. */
const mailbox =
  /^\s{0,4}((?:[\w.'-]{1,30}["\s<]{1,4}){0,4}|"[^"<>]{0,60}"\s{0,4})<{0,2}(?:[\w.+%'-]|"[\w .+%'-]{0,64}"){1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\s{0,4}>{0,2}\s{0,4}$/;

/**
 * In a member for anything: a field that only mails have, or a break that was encoded into the
 * value, which a form does not send so.
 */
function isHead(subject: Subject, field: string): boolean {
  if (isMessageMember(subject.member) || manyLines.test(subject.member)) return false;
  if (mailField.test(field)) return true;
  return subject.decoded.includes('percent') && !subject.decoded.some(isFormPart);
}

function isFormPart(step: string): boolean {
  return step.startsWith('form:') || step.startsWith('multipart:');
}

const mailField = /^(?:subject|sender|list-[a-z]{2,20}|x-[a-z][\w-]{0,40})$/;
const manyLines = /contact|address|recipients|emails|list|users|members|footer|imprint/i;
/** Another address of a list, or nothing that a head could hold. */
const listed = /^[^@\n:]{0,80}@[\w.-]{3,80}>?[\s,;]{0,4}$|^\s{0,200}$/;
const bodyStart = /^\s{0,8}(?:<[a-z!]|--\w)/i;

/** `a@example.org -OQueueDirectory=/tmp -X/srv/x.php`: options of sendmail inside an address. */
export const transportOption: ValueRule = {
  id: 'mailinj.transport-option',
  cwe: 'CWE-88',
  severity: 'critical',
  score: confidence.strong,
  message: 'puts options of the mail program into an address, so that it writes or reads files',
  trigger: {
    literals: [['-x/', '-oq', '-c/', '-d/', '-x"', '-xc:', '-oqueue', '-x\\', '-be']],
    charsMax: 400,
  },
  judge: (subject) => {
    const { text } = subject;
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
