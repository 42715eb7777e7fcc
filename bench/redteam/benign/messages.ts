import { basename } from 'node:path';
import type { Random } from '../../lib/random.ts';
import { filesBelow, lacking, readStart } from './files.ts';
import type { BenignText, Origin } from './origin.ts';
import { fieldFor } from './pieces.ts';

const folder = '/usr/share/locale';
const messagesEach = 8;
const charactersMax = 4_000;

const catalogues = () => filesBelow([folder], /\/LC_MESSAGES\/[^/]+\.mo$/);

/** Messages of programs in all languages that are installed: git, apt, PostgreSQL and the others. */
export const messages: Origin = {
  name: 'program messages',
  missing: () => lacking(catalogues(), folder),
  *texts(random) {
    const paths = catalogues();
    for (let failures = 0; paths.length > 0 && failures < 200; failures += 1) {
      const path = random.pick(paths);
      const catalogue = readStart(path);
      const pairs = catalogue === undefined ? [] : readMessages(catalogue);
      if (pairs.length > 0) failures = 0;
      const program = basename(path, '.mo').replace(/[-.\d]+$/, '');
      for (const pair of pairs.length === 0
        ? []
        : random.times(messagesEach, () => random.pick(pairs))) {
        const text = shown(random, pair, program);
        if (text.text.length >= 20) yield text;
      }
    }
  },
};

/** A message and its translation. */
export interface Message {
  readonly source: string;
  readonly translated: string;
}

/** What a catalogue of gettext (`.mo`) holds, of the start of a file; nothing when it is none. */
export function readMessages(bytes: Buffer): readonly Message[] {
  if (bytes.length < 28) return [];
  const isLittle = bytes.readUInt32LE(0) === 0x950412de;
  if (!isLittle && bytes.readUInt32BE(0) !== 0x950412de) return [];
  const number = (at: number): number => {
    if (at < 0 || at + 4 > bytes.length) return 0;
    return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  };
  const text = (table: number, index: number): string => {
    const at = table + index * 8;
    const start = number(at + 4);
    const end = start + number(at);
    return end <= bytes.length ? bytes.toString('utf8', start, end) : '';
  };
  const count = Math.min(number(8), 20_000);
  const found: Message[] = [];
  for (let index = 0; index < count; index += 1) {
    // Plural forms stand behind each other, with a NUL between them; a context before an EOT.
    const source = text(number(12), index).split('\0')[0]?.split('\u0004').at(-1) ?? '';
    const translated = text(number(16), index).split('\0')[0] ?? '';
    const isText = source !== '' && translated !== '' && !translated.includes('\ufffd');
    if (isText) found.push({ source, translated });
  }
  return found;
}

function shown(random: Random, { source, translated }: Message, program: string): BenignText {
  if (random.chance(20)) {
    const text = filled(random, `${program}: ${source}`).slice(0, charactersMax);
    return { name: fieldFor(random, text), text, kind: 'message' };
  }
  const text = (random.chance(50) ? translated : filled(random, translated)).slice(
    0,
    charactersMax,
  );
  return { name: fieldFor(random, text), text: text.toWellFormed(), kind: 'translated message' };
}

const fillings = ['index.ts', 'main', '42', 'users', 'origin/main', '0x7f', 'id', '3.11.2'];

/** With names and numbers in the places that printf fills. */
export function filled(random: Random, text: string): string {
  return text.replaceAll(/%(?:\d\$)?[-+0#]*\d*(?:\.\d+)?(?:l{1,2}|z|j)?[sdiuxXc]/g, () =>
    random.pick(fillings),
  );
}
