import { isDigit } from '../../../text/char-class.ts';
import { wordList } from '../../../text/words.ts';

/** Punctuation of more than one character, by the first. */
const longMarks = groupMarks(
  '... => -> :: ?-> ?. ??= ?? ||= || &&= && === == !== != <=> <<= << >>= >> <= >= **= ** ++ -- -= += *= /= %= .= |= &= ^=',
);

/** The longest marks of each character first. */
function groupMarks(marks: string): readonly (readonly string[] | undefined)[] {
  const groups: (string[] | undefined)[] = new Array(128).fill(undefined);
  for (const one of wordList(marks)) {
    const code = one.charCodeAt(0);
    groups[code] = [...(groups[code] ?? []), one].sort((a, b) => b.length - a.length);
  }
  return groups;
}

/** The longest punctuation at an offset. */
export function longMark(text: string, at: number, code: number): string {
  const group = code < 128 ? longMarks[code] : undefined;
  if (group === undefined) return text.charAt(at);
  const second = text.charCodeAt(at + 1);
  const third = text.charCodeAt(at + 2);
  for (const one of group) {
    if (one.charCodeAt(1) !== second || (one.length > 2 && one.charCodeAt(2) !== third)) continue;
    // `a?.5:b`
    if (one !== '?.' || !isDigit(third)) return one;
  }
  return text.charAt(at);
}
