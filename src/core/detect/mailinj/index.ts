import type { Detector } from '../rule.ts';
import { mimeHeader } from './mime-header.ts';
import { protocolCommand } from './protocol-command.ts';
import { recipient } from './recipient.ts';

/** Rules of the category `mailinj`. */
export const mailinj: Detector = {
  category: 'mailinj',
  rules: [recipient, mimeHeader, protocolCommand],
};
