import { confidence } from '../../placement/confidence.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * The stream magic and version of Java serialisation in its spellings: bytes, hex, base64, and gzip
 * of it.
 */
const streamHeader = /(?:^|[^0-9A-Za-z+/])(?:aced0005[0-9a-f]{2}|rO0AB[A-Za-z0-9+/_-]{4})/i;
const rawHeader = '\u00ac\u00ed\u0000\u0005';

/** A serialised Java object (Java Object Serialization Specification, section 6.4.2). */
export const javaStream: ValueRule = {
  id: 'deserialization.java-stream',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.certain,
  message: 'carries a serialised Java object',
  readsBytes: 'start',
  trigger: { literals: [['aced0005', 'rO0AB', '\u0000\u0005']] },
  examples: [
    'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA',
    'aced0005737200116a6176612e7574696c2e48617368',
    'state=rO0ABXVyABNbTGphdmE=',
    '\u00ac\u00ed\u0000\u0005sr\u0000\u0011java.util.HashMap',
  ],
  lookalikes: [
    'faced00051',
    'the file starts with the bytes ac ed 00 05',
    'xrO0ABout',
    'eyJhbGciOiJIUzI1NiJ9.eyJyTzBBQiI6MX0.c2ln',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const raw = text.indexOf(rawHeader);
    if (raw >= 0) return { start: raw, end: Math.min(text.length, raw + 40) };
    const found = streamHeader.exec(text);
    if (found === null || found[0].includes('RO0') || found[0].includes('ro0')) return undefined;
    return { start: found.index, end: found.index + found[0].length };
  },
};
