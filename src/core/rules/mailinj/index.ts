import type { Detector } from '../rule.ts';
import { addressBreak } from './address-break.ts';
import { encodedWord } from './encoded-word.ts';
import { mimeHeader } from './mime-header.ts';
import { partBoundary } from './part-boundary.ts';
import { protocolCommand } from './protocol-command.ts';
import { recipient } from './recipient.ts';
import { stringExpansion } from './string-expansion.ts';
import { transportOption } from './transport-option.ts';

/** Rules of the category `mailinj`. */
export const mailinj: Detector = {
  category: 'mailinj',
  rules: [
    recipient,
    mimeHeader,
    protocolCommand,
    partBoundary,
    transportOption,
    stringExpansion,
    encodedWord,
    addressBreak,
  ],
};
