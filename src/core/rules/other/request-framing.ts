import type { RequestView } from '../../extract/request-view.ts';
import { confidence } from '../../placement/confidence.ts';
import type { RequestMatch, RequestRule } from '../rule.ts';

/** Two lengths for one body, or a transfer coding that only some servers recognise. */
export const requestFraming: RequestRule = {
  id: 'other.request-framing',
  cwe: 'CWE-444',
  score: confidence.strong,
  message: 'gives the body two lengths, so that two servers disagree where the next request begins',
  examples: [
    {
      body: {
        method: 'POST',
        path: '/',
        'header.content-length': '4',
        'header.transfer-encoding': 'chunked',
      },
    },
    { body: { method: 'POST', path: '/', 'header.transfer-encoding': 'xchunked' } },
    { body: { method: 'POST', path: '/', 'header.transfer-encoding': 'chunked, identity' } },
    { body: { method: 'POST', path: '/', 'header.content-length': '+4' } },
    { body: { method: 'POST', path: '/', 'header.content-length': '4, 11' } },
  ],
  lookalikes: [
    { body: { method: 'POST', path: '/', 'header.transfer-encoding': 'chunked' } },
    { body: { method: 'POST', path: '/', 'header.transfer-encoding': 'gzip, chunked' } },
    { body: { method: 'POST', path: '/', 'header.content-length': '4' } },
    { body: { path: '/', note: 'content-length and transfer-encoding: chunked' } },
    { body: { method: 'GET', path: '/', 'header.content-length': '0, 0' } },
  ],
  judgeRequest(request) {
    const length = request.indexOf('header.content-length');
    const coding = request.indexOf('header.transfer-encoding');
    if (coding >= 0) {
      const text = textOf(request, coding);
      const isRepeated = request.indexOf('header.transfer-encoding[1]') >= 0;
      if (length >= 0 || isRepeated || !knownCoding.test(text.replace(blankEnds, ''))) {
        return whole(coding, text);
      }
    }
    if (length < 0) return undefined;
    const text = textOf(request, length);
    return isLength(text.trim()) ? undefined : whole(length, text);
  },
};

function textOf(request: RequestView, field: number): string {
  return request.fields[field]?.text ?? '';
}

function whole(field: number, text: string): RequestMatch {
  return { field, start: 0, end: text.length };
}

/** Blanks may stand there; a vertical tab hides the coding from some servers. */
const blankEnds = /^[ \t]{1,8}/;

/** `chunked` must be the last coding (RFC 9112, section 6.1). */
const knownCoding = /^(?:(?:(?:x-)?(?:gzip|compress)|deflate) ?, ?)?chunked$|^identity$|^$/i;

/** Digits; a list is a length when all of it is the same (RFC 9110, section 8.6). */
function isLength(text: string): boolean {
  const [first = '', ...others] = text.split(',', lengthsMax).map((one) => one.trim());
  return first === '' || (digits.test(first) && others.every((one) => one === first));
}

const lengthsMax = 8;
const digits = /^\d{1,18}$/;
