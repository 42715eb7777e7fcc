import type { Detector } from '../rule.ts';
import { addressBreak, encodedWord, stringExpansion, transportOption } from './address.ts';
import { partBoundary } from './part-boundary.ts';
import { protocolCommand } from './protocol-command.ts';
import { mimeHeader, recipient } from './recipient.ts';

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
