import type { Detector } from '../rule.ts';
import { openRedirect } from './open-redirect.ts';
import { scannerAgent } from './scanner-agent.ts';
import { scriptUpload } from './script-upload.ts';
import { shellshock } from './shellshock.ts';

/** Rules of the category `other`. */
export const other: Detector = {
  category: 'other',
  rules: [shellshock, scriptUpload, openRedirect, scannerAgent],
};
