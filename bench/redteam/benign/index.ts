import { analytics } from './analytics.ts';
import { documentation } from './documentation.ts';
import { forms } from './forms.ts';
import { json } from './json.ts';
import { manuals } from './manuals.ts';
import { messages } from './messages.ts';
import type { Origin } from './origin.ts';
import { packages } from './packages.ts';
import { reports } from './reports.ts';
import { sources } from './sources.ts';

/** All origins of benign texts, in the order in which records show them. */
export const origins: readonly Origin[] = [
  documentation,
  manuals,
  messages,
  sources,
  packages,
  reports,
  forms,
  json,
  analytics,
];
