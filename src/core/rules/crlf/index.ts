import type { Detector } from '../rule.ts';
import { headerField, hiddenField } from './header-field.ts';
import { logLine } from './log-line.ts';
import { bodyStart, responseLine } from './response-line.ts';
import { wideBreak } from './wide-break.ts';

/** Rules of the category `crlf`. */
export const crlf: Detector = {
  category: 'crlf',
  rules: [headerField, hiddenField, responseLine, bodyStart, wideBreak, logLine],
};
