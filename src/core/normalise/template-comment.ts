import { Replacement } from '../text/char-buffer.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder, Marks } from './decoder.ts';

/**
 * Takes out what the template languages of Java pass by: comments of FreeMarker, which may stand
 * between any two tokens (`a<#-- -->.b`, `[#-- --]`), comments and verbatim text of Velocity
 * (`#* *#`, `#[[ ]]#`), and FreeMarker's verbatim text (`<#noparse>`).
 */
export const templateComment: Decoder = {
  name: 'template-comment',
  classes: charClass.hash,
  applies: mayHoldTemplateComment,
  decode: (text, emit) => {
    const ends = newEnds();
    const out = new Replacement(text);
    for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', Math.max(at + 1, out.end))) {
      const start = startOf(text, at);
      const end = start < 0 ? -1 : endOf(text, at, ends);
      if (start < out.end || end < 0) continue;
      const before = text.slice(Math.max(out.end, start - nameCharsMax), start);
      const instead = out.at(start, end);
      if (directiveName.test(before)) instead.push(32);
    }
    const rest = out.finish();
    if (rest !== undefined) emit(rest);
  },
};

/** False for most texts, by their classes and a few bytes. */
export function mayHoldTemplateComment(text: string, { classes }: Pick<Marks, 'classes'>): boolean {
  if ((classes & charClass.hash) === 0) return false;
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === 42 || text.startsWith('--', at + 1)) return true;
    if (before === 93 && text.charCodeAt(at - 2) === 93) return true;
    if (before === 47 && text.startsWith(verbatim, at)) return true;
  }
  return false;
}

/** `[#list[#----]config as x]`: a comment ends the name of a directive as white space does. */
const directiveName = /[<[]#[a-z]{1,20}$/i;
const nameCharsMax = 24;
const verbatim = '#noparse';

/** What comments end with; `-->` ends `[#--` as well. */
const newEnds = () => ({
  angle: closer('-->'),
  square: closer('--]'),
  star: closer('*#'),
  brackets: closer(']]#'),
  tag: closer(`/${verbatim}`),
});

const closer = (mark: string): Closer => ({ mark, at: -1 });

/** Where a comment with its `#` at `at` begins; -1 where there is none. */
function startOf(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (next === 42 || (next === 91 && text.charCodeAt(at + 2) === 91)) return at;
  const before = text.charCodeAt(at - 1);
  if (before !== 60 && before !== 91) return -1;
  return text.startsWith('--', at + 1) || text.startsWith(verbatim, at) ? at - 1 : -1;
}

/** The next place of a mark, kept so that all comments together cost one pass. */
interface Closer {
  readonly mark: string;
  at: number;
}

/** Behind the comment; -1 when it does not end. */
function endOf(text: string, at: number, ends: ReturnType<typeof newEnds>): number {
  switch (text.charCodeAt(at + 1)) {
    case 42:
      return behind(text, at + 2, ends.star);
    case 91:
      return behind(text, at + 3, ends.brackets);
    case 45: {
      const one = behind(text, at + 3, ends.angle);
      const other = behind(text, at + 3, ends.square);
      return one < 0 || (other >= 0 && other < one) ? other : one;
    }
    default: {
      const end = behind(text, at + verbatim.length, ends.tag);
      return end < 0 ? -1 : Math.min(end + 1, text.length);
    }
  }
}

function behind(text: string, from: number, closer: Closer): number {
  if (closer.at < from) {
    const found = text.indexOf(closer.mark, from);
    closer.at = found < 0 ? Number.POSITIVE_INFINITY : found;
  }
  return closer.at === Number.POSITIVE_INFINITY ? -1 : closer.at + closer.mark.length;
}
