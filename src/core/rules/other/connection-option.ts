import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import type { ValueRule } from '../rule.ts';

/** `Connection: close, X-Forwarded-For`: a proxy takes away what it added for the server behind it. */
export const connectionOption: ValueRule = {
  id: 'other.connection-option',
  cwe: 'CWE-644',
  severity: 'medium',
  score: confidence.strong,
  message: 'has a proxy remove a header field that the application relies on',
  trigger: {
    literals: [['x-', 'forwarded', 'cookie', 'authorization', 'host', 'content-', 'via', 'origin']],
  },
  judge: ({ text, member }) => {
    if (member !== 'header.connection') return undefined;
    return foundBy(endToEnd.exec(text.slice(0, valueCharsMax)));
  },
  examples: [
    { body: { path: '/', 'header.connection': 'close, X-Forwarded-For' } },
    { body: { path: '/', 'header.connection': 'keep-alive, x-real-ip' } },
    { body: { path: '/', 'header.connection': 'Cookie' } },
    { body: { path: '/', 'header.connection': 'authorization,close' } },
    { body: { path: '/', 'header.connection': 'content-length' } },
  ],
  lookalikes: [
    { body: { path: '/', 'header.connection': 'keep-alive' } },
    { body: { path: '/', 'header.connection': 'Upgrade, HTTP2-Settings' } },
    { body: { path: '/', 'header.connection': 'close, TE' } },
    { body: { path: '/', 'header.connection': 'close, Cookie2' } },
    { body: { connection: 'host via cookie' } },
  ],
};

const valueCharsMax = 400;
/** Fields that are meant for the server (RFC 9110, 7.6.1), not for the next hop. */
const endToEnd =
  /(?:^|[,\s])(?:x-[a-z][\w-]{1,60}|forwarded|cookie|authorization|host|content-(?:length|type)|via|origin)(?=$|[,\s])/i;
