import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `convert.iconv.…|convert.base64-decode|…`: filters that make PHP code out of any file. */
export const filterChain: ValueRule = {
  id: 'rfi.filter-chain',
  score: confidence.certain,
  message: 'chains PHP stream filters, which turns any file into code of the sender’s choice',
  trigger: {
    literals: [
      wordList(
        'convert.iconv. convert.base64- string.rot13 zlib.inflate convert.quoted-printable-',
      ),
    ],
  },
  judge: (subject) => {
    const text = subject.text.toLowerCase();
    let start = -1;
    let end = 0;
    let count = 0;
    for (const name of filters) {
      for (let at = text.indexOf(name); at >= 0 && count < 8; at = text.indexOf(name, at + 1)) {
        const next = text.charCodeAt(at - 1);
        // In a chain or behind `read=`, `write=` or a slash.
        if (at > 0 && !separators.has(next)) continue;
        count++;
        if (start < 0 || at < start) start = at;
        end = Math.max(end, at + name.length);
      }
    }
    if (count === 0) return undefined;
    return {
      start,
      end,
      score:
        count >= 2
          ? confidence.certain
          : text.length < 60 && !text.includes(' ')
            ? confidence.likely
            : confidence.trace,
    };
  },
  examples: [
    'convert.iconv.UTF8.UTF7|convert.base64-decode|convert.base64-encode',
    '/x/convert.base64-encode|string.rot13/resource=a',
  ],
  lookalikes: [
    'stream_filter_append($f, "convert.base64-encode");',
    'The filter string.rot13 is a toy, says the manual of convert.iconv filters.',
  ],
};

/** `/ | = ,` */
const separators: ReadonlySet<number> = new Set([47, 124, 61, 44]);

const filters: readonly string[] = wordList(
  'convert.iconv. convert.base64- string.rot13 string.toupper zlib.inflate zlib.deflate',
  'convert.quoted-printable- dechunk',
);
