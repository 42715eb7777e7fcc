import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** A JSON Web Token whose header says that it is not signed (RFC 7519, section 6). */
export const unsignedToken: ValueRule = {
  id: 'other.unsigned-token',
  cwe: 'CWE-347',
  score: confidence.strong,
  message: 'is a token that asks to be believed without a signature',
  trigger: { literals: [['"alg"'], ['none']], charsMax: 400 },
  judge: (subject) => {
    const { text, decoded } = subject;
    // A token, not a text about tokens.
    if (!decoded.some(isBase64)) return undefined;
    const found = header.exec(text);
    return found === null ? undefined : { start: 0, end: text.length };
  },
  examples: [
    'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiJhbm5hIiwiYWRtaW4iOnRydWV9.',
    'Bearer eyJhbGciOiJOT05FIn0.eyJyb2xlIjoicm9vdCJ9.',
    'eyJ0eXAiOiJKV1QiLCJhbGciOiJuT25lIn0.eyJzdWIiOiIxIn0.x',
  ],
  lookalikes: [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJl',
    '{"alg":"none"} is what RFC 7519 calls an unsecured token',
    { body: { alg: 'none' } },
  ],
};

const header = /^\{[^{}]{0,200}"alg"\s{0,4}:\s{0,4}"none"[^{}]{0,200}\}$/i;

function isBase64(step: string): boolean {
  return step.startsWith('base64');
}
