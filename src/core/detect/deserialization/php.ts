import type { Match, ValueRule } from '../rule.ts';

/**
 * `O:8:"Class":1:{…` or `C:…`, as `serialize()` of PHP writes objects; plain arrays and scalars
 * pass.
 */
const serialisedObject = /(?:^|[^A-Za-z0-9_])[OC]:\+?\d{1,6}:"[A-Za-z_\\][\w\\]{0,160}":\d{1,6}:\{/;

/** A serialised PHP object. */
export const phpObject: ValueRule = {
  id: 'deserialization.php-object',
  category: 'deserialization',
  cwe: 'CWE-502',
  severity: 'critical',
  score: 90,
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
    const found = serialisedObject.exec(subject.text);
    return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
  },
};
