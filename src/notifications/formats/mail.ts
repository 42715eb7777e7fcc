import type { Notice } from '../../contract/notification.ts';
import { linesOf } from './lines.ts';

/** A mail: plain text only, so that there is no markup to break out of. */
export function mailOf(notice: Notice): { readonly subject: string; readonly text: string } {
  const { title, link } = notice;
  const facts = linesOf(notice).map(({ label, text }) => `${label}: ${text}`);
  const end = link === undefined ? [] : ['', `Open the events: ${link}`];
  return { subject: title, text: [title, '', ...facts, ...end, ''].join('\n') };
}
