import { serverInclude } from '../../grammars/html/server-include.ts';
import { confidence } from '../../placement/confidence.ts';
import { wordSet } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `<esi:include src="http://…"/>`, `<esi:debug/>`, `<!--esi …-->` */
export const edge: ValueRule = {
  id: 'ssi.edge',
  cwe: 'CWE-97',
  severity: 'high',
  score: confidence.certain,
  message: 'is an Edge Side Include that a cache would carry out',
  trigger: { literals: [['<esi:', '</esi:', '<!--esi']] },
  judge: (subject) =>
    subject
      .tokens(serverInclude)
      .find(({ kind, name }) => kind === 'esi-comment' || (kind === 'esi' && elements.has(name))),
  examples: [
    '<esi:include src="http://evil.example.com/x"/>',
    '<esi:vars>$(HTTP_COOKIE{session})</esi:vars>',
    'x<esi:debug/>',
    '<!--esi $(HTTP_HOST) -->',
    '<ESI:INLINE name="/a.html" fetchable="yes">b</ESI:INLINE>',
    '<esi:assign name="a" value="b"/>',
  ],
  lookalikes: [
    'ESI stands for Edge Side Includes',
    '<esi> is my nick name',
    '<!-- esi is off -->',
    'xmlns:esi="http://www.edge-delivery.org/esi/1.0"',
  ],
};

const elements: ReadonlySet<string> = wordSet(
  'include inline debug vars assign remove comment try attempt except choose when',
  'otherwise text eval function return foreach break environment dictionary',
);
