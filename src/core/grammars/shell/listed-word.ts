/**
 * True when a word and a separator with a blank behind it stand before an offset: `Help; regedit`,
 * `TV & AC`. None behind a host, `example.com & `.
 */
export function isListedWord(text: string, at: number): boolean {
  return listed.test(text.slice(Math.max(0, at - beforeCharsMax), at));
}

const beforeCharsMax = 40;
const listed = /(?:^|[^\w.])[a-z\u00c0-\u1fff]{2,24}\s{0,2}[;&|]{1,2}\s{1,4}$/i;
