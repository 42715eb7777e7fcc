/**
 * True when a word and a separator with a blank behind it stand before an offset, `Help; regedit`,
 * or a path and a separator, `C:\a;C:\b`. None behind a host, `localhost & `, `example.com & `.
 */
export function isListedWord(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - beforeCharsMax), at);
  return word.test(before) || path.test(before);
}

const beforeCharsMax = 40;
const word = /(?:^|[^\w.])(?!localhost\b)[a-z\u00c0-\u1fff]{2,24}\s{0,2}[;&|]{1,2}\s{1,4}$/i;
const path = /\\[\w.-]{1,30}\s?[;|]\s?$/;
