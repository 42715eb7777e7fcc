import { type PathWord, plainPath } from '../../grammars/path/path.ts';
import { confidence } from '../../placement/confidence.ts';
import type { PathPlace } from '../../placement/path-place.ts';
import { strongestPath } from '../../placement/path-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { isAlnum } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';

/** `page.php%00.jpg`: the check sees one extension, the file API stops at the null byte. */
export const nullByte: ValueRule = {
  id: 'traversal.null-byte',
  cwe: 'CWE-158',
  score: confidence.strong,
  message: 'ends a path with a null byte, so that what the application appends is cut off',
  trigger: { literals: [['\u0000', '%00']] },
  judge: (subject) => strongestPath(subject, (word, place) => scoreOf(subject, word, place)),
  examples: [
    ...['/logs/app.log\u0000', '/srv/data/users.db\u0000.jpg', 'conf/main.cfg%00'],
    '/usr/local/etc/users.pdb%00.html',
  ],
  lookalikes: ['100%000 sure/really', 'a/b%20c', 'C:\\temp\\x%2000.txt'],
};

function scoreOf(subject: Subject, word: PathWord, place: PathPlace): number {
  const text = subject.text;
  if (word.nul < 0 || place === 'quoted' || word.url) return 0;
  // A path with spaces in its names is several words.
  if (place === 'prose' && !(word.end === text.length && pathStart.test(text))) return 0;
  const isNull = text.charCodeAt(word.nul) === 0 || text.startsWith('%00', word.nul);
  if (!isNull || !isPlainName(plainPath(text, word, word.start))) return 0;
  const rest = word.nul + (text.charCodeAt(word.nul) === 0 ? 1 : 3);
  return isShortExtension(text, rest, word.end) ? confidence.strong : confidence.hint;
}

/** Only what paths are made of: bytes that a decoder made up out of noise are not evidence. */
function isPlainName(plain: string): boolean {
  return plain.length >= 4 && plainName.test(plain);
}

const pathStart = /^(?:[a-z]:)?[\\/]/i;

const plainName = /^[a-z0-9._/~{}[\]@$+-]+$/;

function isShortExtension(text: string, from: number, end: number): boolean {
  if (end - from > 12) return false;
  if (from === end) return true;
  if (text.charCodeAt(from) !== 46) return false;
  for (let at = from + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isAlnum(code) && code !== 46) return false;
  }
  return true;
}
