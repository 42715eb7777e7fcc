import type { Scan } from '../match/prefilter.ts';
import { charClass } from '../text/char-class.ts';
import { base64, wholeBase64 } from './base64.ts';
import { mayBeLoose } from './base64-loose.ts';
import { control } from './control.ts';
import { cookie } from './cookie.ts';
import { cssEscape } from './css-escape.ts';
import type { Decoder, Marks } from './decoder.ts';
import { form } from './form.ts';
import { graphql } from './graphql.ts';
import { hex, mayHoldStream } from './hex.ts';
import { htmlEntity } from './html-entity.ts';
import { jsEscape } from './js-escape.ts';
import { isJsonString, json } from './json.ts';
import { multipart } from './multipart.ts';
import type { Nature } from './nature.ts';
import { path } from './path.ts';
import { percent } from './percent.ts';
import { plus } from './plus.ts';
import { printable } from './printable.ts';
import { mayHoldLine, sqlCode } from './sql-code.ts';
import { commentClasses, sqlComment } from './sql-comment.ts';
import { mayHoldTemplateComment, templateComment } from './template-comment.ts';
import { unicode } from './unicode.ts';
import { isBrokenUrl, urlBreak } from './url-break.ts';
import { utf7 } from './utf-7.ts';
import { utf16 } from './utf-16.ts';
import type { View } from './views.ts';
import { xml } from './xml.ts';

/**
 * All decoders, in the order in which they are tried on a view. A new decoder is one file and one
 * line here.
 */
export const decoders: readonly Decoder[] = [
  json,
  percent,
  htmlEntity,
  jsEscape,
  unicode,
  control,
  urlBreak,
  base64,
  hex,
  plus,
  utf7,
  utf16,
  cssEscape,
  form,
  graphql,
  cookie,
  path,
  multipart,
  xml,
  sqlComment,
  templateComment,
  sqlCode,
];

/** For a text that is encoded as a whole. */
export const dataDecoders: readonly Decoder[] = [percent, wholeBase64, hex, utf7];

/** Those that a finding may name. */
export const namedDecoders: readonly Decoder[] = [...decoders, wholeBase64, printable];

/** Whether a view is decoded further: not what was read for one language, and no bytes. */
export function isExpanded({ text, readBy }: View, marks: Marks, nature: Nature): boolean {
  if (readBy !== undefined || nature === 'binary') return false;
  return nature === 'data' || canBeEncoded(text, marks);
}

/** False when no decoder applies, by the marks and a few bytes: most texts are let through here. */
function canBeEncoded(text: string, marks: Marks): boolean {
  const { classes, wide, longestRun } = marks;
  return (
    (classes & encodingClasses) !== 0 ||
    (classes & pathClasses) === pathClasses ||
    (classes & commentClasses) === commentClasses ||
    wide !== 0 ||
    longestRun >= encodedRunMin ||
    (classes & ~charClass.lineBreak) === charClass.nonAscii ||
    mayBeLoose(text, marks) ||
    mayHoldStream(text) ||
    ((classes & charClass.doubleQuote) !== 0 && isJsonString(text)) ||
    isBrokenUrl(text, marks) ||
    mayHoldTemplateComment(text, marks) ||
    mayHoldLine(text, marks)
  );
}

/** False when a text holds nothing that a rule or a decoder waits for. */
export function deservesLook({ classes, anyHit, longestRun }: Readonly<Scan>): boolean {
  return classes !== 0 || anyHit || longestRun >= encodedRunMin;
}

/** Each escape begins with one of these, and each text with parts has one of these between them. */
const encodingClasses =
  charClass.percent |
  charClass.ampersand |
  charClass.backslash |
  charClass.control |
  charClass.plus |
  charClass.equals |
  charClass.brace |
  charClass.bracket |
  charClass.less;

/** A path whose segments are more than names. */
const pathClasses = charClass.slash | charClass.paren;

/** Shorter runs of letters and digits hold no encoded attack. */
const encodedRunMin = 10;
