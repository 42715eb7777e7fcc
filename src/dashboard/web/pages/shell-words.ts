const ansi: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  e: '\u001b',
};

/** The words of a command line as a shell divides it; undefined where a quotation has no end. */
export function wordsOf(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    const quote = /\$(?=')|['"]/y.exec(text.slice(at, at + 2))?.[0];
    if (quote !== undefined) {
      const read = quoted(text, quote === '$' ? at + 2 : at + 1, quote);
      if (read === undefined) return undefined;
      word = (word ?? '') + read.text;
      at = read.end;
    } else if (char === '\\') {
      const escaped = escapedAt(text, at);
      if (escaped.text !== undefined) word = (word ?? '') + escaped.text;
      at = escaped.end;
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else {
      word = (word ?? '') + char;
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** What a backslash outside of quotations makes of the next character; nothing of a line's end. */
function escapedAt(
  text: string,
  at: number,
): { readonly text: string | undefined; readonly end: number } {
  const lineEnd = /^\\\r?\n/.exec(text.slice(at, at + 3));
  if (lineEnd !== null) return { text: undefined, end: at + lineEnd[0].length };
  return { text: text[at + 1] ?? '', end: at + 2 };
}

/** A quotation: `'` takes all as it is, `"` a few escapes, `$` (for `$'…'`) those of C. */
function quoted(
  text: string,
  from: number,
  kind: string,
): { readonly text: string; readonly end: number } | undefined {
  const close = kind === '$' ? "'" : kind;
  const parts: string[] = [];
  let at = from;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === close) return { text: parts.join(''), end: at + 1 };
    const next = text[at + 1] ?? '';
    if (char !== '\\' || kind === "'") {
      parts.push(char);
      at += 1;
    } else if (kind === '"') {
      parts.push('"\\$`'.includes(next) ? next : next === '\n' ? '' : `\\${next}`);
      at += 2;
    } else {
      const code = /^\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2}))/.exec(text.slice(at, at + 6));
      parts.push(
        code === null
          ? (ansi[next] ?? next)
          : String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '', 16)),
      );
      at += code?.[0].length ?? 2;
    }
  }
  return undefined;
}
