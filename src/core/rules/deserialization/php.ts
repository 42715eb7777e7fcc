import { confidence } from '../../placement/confidence.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * `O:8:"Class":1:{…` or `C:…`, as `serialize()` of PHP writes objects; plain arrays and scalars
 * pass.
 */
const head = /(?:^|[^A-Za-z0-9_])[OC]:\+?\d+:"/g;
const behindHead = /^[A-Za-z_\\][\w\\]*":\d+:\{/;
/** Of a name and a count. */
const behindMax = 400;

/** A serialised PHP object. */
export const phpObject: ValueRule = {
  id: 'deserialization.php-object',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.certain,
  message: 'carries a serialised PHP object, whose class would be created and run',
  trigger: {
    literals: [
      ['O:', 'C:'],
      [':{', ':"'],
    ],
  },
  examples: [
    'O:4:"Cart":1:{s:2:"id";i:5;}',
    'a:1:{i:0;O:3:"Log":0:{}}',
    'O:+4:"Cart":0:{}',
    'O:0000000004:"Cart":000000000:{}',
    'C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}',
    'O:10:"App\\Mailer":1:{s:1:"x";N;}',
  ],
  lookalikes: [
    'a:2:{s:4:"name";s:4:"Anna";s:3:"age";i:30;}',
    'BCC:1:"x":2',
    'ISO:9001:"quality":1:{a}',
    'O:4 is the ratio',
    '{"O":4,"C":{"a":1}}',
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    head.lastIndex = 0;
    for (let found = head.exec(text); found !== null; found = head.exec(text)) {
      const at = head.lastIndex;
      const behind = behindHead.exec(text.slice(at, at + behindMax));
      if (behind !== null) return { start: found.index, end: at + behind[0].length };
    }
    return undefined;
  },
};
