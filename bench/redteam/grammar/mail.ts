import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';
import { aName, aNumber, type Maker, oneOf } from './words.ts';

/** Attacks on mail that is put together. */
export const mail: Grammar = {
  language: 'mail',
  attack(random, _oracle, { name, members }) {
    const [kind, make] = random.pick(kindsIn(name));
    const breaks = random.pick(['\r\n', '\r\n', '\n']);
    const value = make(random).replaceAll('\n', breaks);
    const other = /sender|recipient|reply/.test(name) ? address(random) : aName(random);
    const isFirst = random.chance(50);
    const values =
      members.length === 1 ? [value] : isFirst ? [value, address(random)] : [other, value];
    return { kind: `${kind}/${name}`, values };
  },
};

type Kind = readonly [kind: string, make: Maker];

const address: Maker = (random) => `${aName(random)}@${aName(random)}.test`;

const addresses: Maker = (random) =>
  random.times(1 + random.below(4), () => address(random)).join(random.pick([',', ', ']));

const header: Maker = oneOf(
  (random) => `Bcc: ${addresses(random)}`,
  (random) => `Cc: ${addresses(random)}`,
  (random) => `To: ${addresses(random)}`,
  (random) => `Reply-To: ${address(random)}`,
  (random) => `Subject: ${aName(random)} ${aNumber(random)}`,
  (random) => `From: ${address(random)}`,
  () => 'Content-Type: text/html',
  () => 'MIME-Version: 1.0',
  () => 'Content-Transfer-Encoding: base64',
  (random) => `X-${aName(random)}: ${aName(random)}`,
  (random) => `Return-Path: <${address(random)}>`,
  (random) => `Sender: ${address(random)}`,
);

const before: Maker = oneOf(address, aName, (random) => `${aName(random)} ${aName(random)}`);

const spam: Maker = oneOf(
  (random) => `Buy ${aName(random)} at http://${aName(random)}.test/`,
  (random) => `<a href="http://${aName(random)}.test">${aName(random)}</a>`,
  (random) => `${aName(random)}, you won ${aNumber(random)}!`,
);

const headerKinds: readonly Kind[] = [
  ['header', (random) => `${before(random)}\n${header(random)}`],
  ['two headers', (random) => `${before(random)}\n${header(random)}\n${header(random)}`],
  ['text', (random) => `${before(random)}\n${header(random)}\n\n${spam(random)}\n`],
  [
    'parts',
    (random) => {
      const boundary = aName(random);
      const type = `Content-Type: multipart/mixed; boundary="${boundary}"`;
      const part = `--${boundary}\nContent-Type: text/html\n\n${spam(random)}\n--${boundary}--`;
      return `${before(random)}\nMIME-Version: 1.0\n${type}\n\n${part}\n`;
    },
  ],
];

const partKinds: readonly Kind[] = [
  [
    'part more',
    (random) =>
      `${aName(random)}\n\n--b1\nContent-Type: ${random.pick(['text/html', 'application/zip', 'image/svg+xml'])}\n\n${spam(random)}`,
  ],
  [
    'attachment',
    (random) =>
      `${aName(random)}\n--b1\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename="${aName(random)}.exe"\n\n${aName(random)}`,
  ],
];

const envelope: Maker = (random) =>
  random.pick([
    `MAIL FROM:<${address(random)}>\nRCPT TO:<${address(random)}>`,
    `RSET\nMAIL FROM:<${address(random)}>\nRCPT TO:<${address(random)}>`,
    `mail from: <${address(random)}>\nrcpt to: <${address(random)}>`,
  ]);

const secondMail: Maker = (random) =>
  `${envelope(random)}\nDATA\nSubject: ${aName(random)}\n\n${spam(random)}\n.`;

const sessionKinds = (close: string, open: string): readonly Kind[] => [
  [
    'recipients',
    (random) =>
      `${address(random)}${close}\nRCPT TO:<${address(random)}${random.pick(['', `>\nRCPT TO:<${address(random)}`])}${open}`,
  ],
  [
    'second mail',
    (random) =>
      `${address(random)}>\nRCPT TO:<${address(random)}>\nDATA\n${spam(random)}\n.\nMAIL FROM:<${address(random)}`,
  ],
];

function kindsIn(name: string): readonly Kind[] {
  if (name === 'session, text' || name === 'session, subject') {
    return [
      ['second mail', (random) => `${aName(random)}\n.\n${secondMail(random)}\n${aName(random)}`],
      [
        'second mail, two',
        (random) => `${aName(random)}\n.\n${secondMail(random)}\n${secondMail(random)}`,
      ],
    ];
  }
  if (name.startsWith('session')) return sessionKinds('>', '');
  if (name === 'part, text') return partKinds;
  if (name === 'part, header') return [...partKinds, ...headerKinds.slice(0, 1)];
  if (name === 'recipient') {
    return [...headerKinds, ['addresses', (random) => `${address(random)},${addresses(random)}`]];
  }
  if (name === 'name of the recipient') {
    return headerKinds.map(
      ([kind, make]): Kind => [
        kind,
        (random) =>
          `${aName(random)}" <${address(random)}>\n${make(random).replace(/^[^\n]*\n/, '')}\nX-${aName(random)}: "`,
      ],
    );
  }
  return headerKinds;
}

/** Also for rewriters: a header that changes nothing. */
export const anyHeader = (random: Random): string => `X-${aName(random)}: ${aNumber(random)}`;
