/**
 * True where a Markdown renderer takes the text at `at` for code (CommonMark 0.31, 4.5): behind a
 * fence of three back-ticks at the start of its line that is still open. Whatever could make the
 * fence part of something else leaves the doubt: other fences, HTML that blocks it, a line of text
 * right before it.
 */
export function isMarkdownFence(text: string, at: number): boolean {
  let isOpen = false;
  let isBlank = true;
  for (const line of text.slice(0, at).split(lineEnd)) {
    if (!isOpen && mayReachOver(line)) return false;
    if (line.includes('```') || line.includes('~~~')) {
      if (!(isOpen ? closing : fence).test(line)) return false;
      if (!isOpen && !isBlank) return false;
      isOpen = !isOpen;
    }
    isBlank = blank.test(line);
  }
  return isOpen && isClosed(text, at);
}

/** A block of code may go on to the end of the text (4.5); some renderers ask for its last fence. */
function isClosed(text: string, at: number): boolean {
  const [, ...lines] = text.slice(at).split(lineEnd);
  const next = lines.find((line) => line.includes('```') || line.includes('~~~'));
  return next !== undefined && closing.test(next);
}

const lineEnd = /\r?\n/;
/** The language and nothing else: an info string with a back-tick begins no block. */
const fence = /^```[\w+#.-]{0,20}[ \t]*$/;
/** No other space makes a line blank (2.1): behind one, a block of HTML goes on. */
const blank = /^[ \t]*$/;
const closing = /^```[ \t]*$/;

/** `<pre>`, `<div title='`: HTML that goes on over blank lines, and to the browser over code as well. */
function mayReachOver(text: string): boolean {
  return blocking.test(text) || tag.test(text.replaceAll(wholeTag, ''));
}

/** Tags whose content goes on over blank lines (4.6), and comments. */
const blocking = /<(?:script|pre|style|textarea|!|\?)/i;
const tag = /<[/a-z]/i;
/** A tag that ends on its line, each quote of it with its partner. */
const wholeTag =
  /<\/?[a-z][\w-]{0,30}(?:[ \t]{1,8}[\w:-]{1,40}(?:=(?:"[^"<>\n]{0,400}"|'[^'<>\n]{0,400}'|[\w./:#%-]{1,200}))?){0,20}[ \t]{0,4}\/?>/gi;

/**
 * The same for back-ticks that open and close on one line (6.1): none stands above in the same
 * paragraph, which might pair with the first of them, and no tag in front, which would come first.
 */
export function isMarkdownSpan(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const [line = ''] = text.slice(start, start + spanLineMax).split(lineEnd, 1);
  const parts = line.slice(0, at - start).split('`');
  const isInside = parts.length % 2 === 0 && line.includes('`', at - start);
  if (!isInside || at - start >= line.length || doubtful.test(line)) return false;
  if (parts.some((part, index) => index % 2 === 0 && part.includes('<'))) return false;
  const above = text.slice(0, start);
  if (mayReachOver(above)) return false;
  const lines = above.split(lineEnd);
  const paragraph = lines.slice(
    lines.findLastIndex((one, index) => index < lines.length - 1 && blank.test(one)) + 1,
  );
  return !paragraph.some((one) => marks.test(one));
}

const spanLineMax = 2_000;
/** Escapes, cells of a table, longer marks, and what some take for the end of a line. */
const doubtful = /[\\|\r\v\f\u0085\u2028\u2029]|``|~~~/;
const marks = /[`<\r]|~~~/;
