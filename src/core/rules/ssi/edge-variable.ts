import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

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
