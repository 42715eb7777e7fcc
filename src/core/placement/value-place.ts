import { followsValue, standsBesideValue } from '../text/place.ts';
import { takesName, takesValue } from './field-role.ts';
import type { Subject } from './subject.ts';

/**
 * True when `start` stands beside the value that an application expects, or in a member that takes no
 * sentence: words in front of it were put there for an attack.
 */
export function isAtValue(subject: Subject, start: number): boolean {
  return followsValue(subject.text, start) || isInValue(subject, start);
}

/** The same for what needs no way out of a quote. */
export function isBesideValue(subject: Subject, start: number): boolean {
  return standsBesideValue(subject.text, start) || isInValue(subject, start);
}

/** In a member that takes no sentence. What has more lines, or is longer, may be a document in some of them. */
export function isInValue({ text, member }: Subject, start: number): boolean {
  if (start > sentenceMax ? !takesName(member) : !takesValue(member)) return false;
  return !isDocument(text, start);
}

/** In such a member a separator or a remark behind a command, whatever words follow it there. */
export function endsInValue(subject: Subject, end: number): boolean {
  const { text } = subject;
  return closing.test(text.slice(end, end + 8)) && isInValue(subject, end) && !names.test(text);
}

const closing = /^['"]?\s{0,4}(?:[;|&\n]|(?<=\s)#)/;
/** `id|hostname|uptime|status`: columns. */
const names = /^[\w.-]{1,40}(?: ?[;|,&]{1,2} ?[\w.-]{1,40}){2,40}$/;
const sentenceMax = 400;

/** Three line breaks stand before `end`, among the first characters: each place of a long text asks. */
function isDocument(text: string, end: number): boolean {
  const head = text.slice(0, Math.min(end, documentCharsMax));
  let at = -1;
  for (let breaks = 0; breaks < 3; breaks++) {
    at = head.indexOf('\n', at + 1);
    if (at < 0) return false;
  }
  return true;
}

const documentCharsMax = 2_000;
