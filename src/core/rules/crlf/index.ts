import type { Detector } from '../rule.ts';
import { bodyStart } from './body-start.ts';
import { headerField } from './header-field.ts';
import { hiddenField } from './hidden-field.ts';
import { logLine } from './log-line.ts';
import { responseLine } from './response-line.ts';
import { wideBreak } from './wide-break.ts';

/** Rules of the category `crlf`. */
export const crlf: Detector = {
  category: 'crlf',
  rules: [headerField, hiddenField, responseLine, bodyStart, wideBreak, logLine],
};
