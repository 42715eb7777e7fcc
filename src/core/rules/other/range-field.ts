import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `Range: bytes=0-,5-0,5-1,…`: ranges that make a server copy a file many times over. */
export const rangeField: ValueRule = {
  id: 'other.range-field',
  cwe: 'CWE-400',
  severity: 'medium',
  score: confidence.strong,
  message: 'asks for more or larger ranges than a file has, to exhaust or overflow the server',
  trigger: { literals: [['bytes=']] },
  judge: (subject) => {
    if (!rangeMember.test(subject.member)) return undefined;
    const text = subject.text.slice(0, rangeCharsMax);
    const isAbuse = text.split(',', rangesMax + 1).length > rangesMax || hugeNumber.test(text);
    return isAbuse ? { start: 0, end: text.length } : undefined;
  },
  examples: [
    {
      body: { path: '/', 'header.range': 'bytes=0-,5-0,5-1,5-2,5-3,5-4,5-5,5-6,5-7,5-8,5-9,5-10' },
    },
    { body: { path: '/', 'header.range': 'bytes=0-18446744073709551615' } },
  ],
  lookalikes: [
    { body: { path: '/a.mp4', 'header.range': 'bytes=0-1048575' } },
    { body: { path: '/a.pdf', 'header.range': 'bytes=0-99, 200-299, -500' } },
    { body: { note: 'bytes=1,2,3,4,5,6,7,8,9,10,11,12' } },
  ],
};

const rangeMember = /^header\.(?:range|request-range)$/;
const rangeCharsMax = 400;
/** Readers of documents ask for a handful. */
const rangesMax = 10;
/** More than any file holds: 2^63 and above. */
const hugeNumber = /\d{19}/;
