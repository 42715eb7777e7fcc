import { base64 } from './base64.ts';
import { control } from './control.ts';
import { cookie } from './cookie.ts';
import { cssEscape } from './css-escape.ts';
import type { Decoder } from './decoder.ts';
import { form } from './form.ts';
import { hex } from './hex.ts';
import { htmlEntity } from './html-entity.ts';
import { jsEscape } from './js-escape.ts';
import { json } from './json.ts';
import { multipart } from './multipart.ts';
import { percent } from './percent.ts';
import { plus } from './plus.ts';
import { unicode } from './unicode.ts';
import { utf7 } from './utf-7.ts';
import { utf16 } from './utf-16.ts';
import { xml } from './xml.ts';

/** All decoders, in the order in which they are tried on a view. A new decoder is one file and one line here. */
export const decoders: readonly Decoder[] = [
  json,
  percent,
  htmlEntity,
  jsEscape,
  unicode,
  control,
  base64,
  hex,
  plus,
  utf7,
  utf16,
  cssEscape,
  form,
  cookie,
  multipart,
  xml,
];
