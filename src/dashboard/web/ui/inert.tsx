import type { ComponentChildren } from 'preact';

/**
 * Characters that show nothing, or change how others are shown: controls, zero-width, direction
 * marks, tags, halves of surrogate pairs. Attackers hide text with them; here they are visible.
 */
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;

/** The usual short name of a character, and what it is. */
const names: Readonly<Record<string, readonly [short: string, long: string]>> = {
  '\u0000': ['NUL', 'null'],
  '\t': ['TAB', 'tabulator'],
  '\n': ['LF', 'line feed'],
  '\r': ['CR', 'carriage return'],
  '\u001b': ['ESC', 'escape'],
  '\u00ad': ['SHY', 'soft hyphen'],
  '\u200b': ['ZWSP', 'zero-width space'],
  '\u200d': ['ZWJ', 'zero-width joiner'],
  '\u202d': ['LRO', 'left-to-right override'],
  '\u202e': ['RLO', 'right-to-left override'],
  '\ufeff': ['BOM', 'byte order mark'],
};

/**
 * Text that came from a request: text nodes only, in a direction of its own, with hidden
 * characters made visible and the evidence marked.
 */
export function Inert(props: {
  readonly text: string;
  /** Start and end of the evidence. */
  readonly mark?: readonly [start: number, end: number];
}) {
  const { text, mark } = props;
  if (mark === undefined) return <bdi class="inert">{visible(text)}</bdi>;
  const [start, end] = mark;
  return (
    <bdi class="inert">
      {visible(text.slice(0, start))}
      <mark>{visible(text.slice(start, end))}</mark>
      {visible(text.slice(end))}
    </bdi>
  );
}

/** A value as JSON to look at and to copy: what would be hidden in it is written as an escape. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(hidden, (text) =>
    text === '\n'
      ? text
      : Array.from({ length: text.length }, (_, at) => escapeAt(text, at)).join(''),
  );
}

function escapeAt(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}

function visible(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push(<Hidden char={match[0]} />);
    // The line ends are also kept: a picture of them alone would make one long line.
    if (match[0] === '\n') parts.push('\n');
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function Hidden({ char }: { readonly char: string }) {
  const code = char.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const [short = number, long = ''] = names[char] ?? [];
  return (
    <span class="hidden-char" title={`${number} ${long}`}>
      {short}
    </span>
  );
}
