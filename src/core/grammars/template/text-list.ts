/** `["a","b"]`: a row of JSON, which says nothing to any engine. */
export function isTextList(text: string, at: number): boolean {
  if (text.charCodeAt(at + 1) !== 34) return false;
  textList.lastIndex = at;
  return textList.test(text);
}

const textList =
  /\[(?:\s{0,4}"(?:[^"\\]|\\.){0,2048}"\s{0,4},){0,39}\s{0,4}"(?:[^"\\]|\\.){0,2048}"\s{0,4},?\]/y;
