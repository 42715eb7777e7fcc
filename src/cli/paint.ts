// Not imported by name: a Node without it would stop before the advice that it is too old.
import util from 'node:util';

type Style = 'red' | 'green' | 'yellow' | 'bold' | 'dim';

/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

/** Colours for a stream that shows them. */
export function paintFor(hasColors: boolean): Paint {
  return hasColors
    ? (style, text) => util.styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}
