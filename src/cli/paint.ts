import { styleText } from 'node:util';

type Style = 'red' | 'green' | 'yellow' | 'bold' | 'dim';

/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

/** Colours for a stream that shows them. */
export function paintFor(hasColors: boolean): Paint {
  return hasColors
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}
