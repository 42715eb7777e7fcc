import type { Notice } from '../../contract/notification.ts';
import { linesOf } from './lines.ts';

/**
 * A message for a workflow of Teams: an adaptive card. Texts stand in text runs, which know neither
 * Markdown nor mentions (https://adaptivecards.io/explorer/TextRun.html).
 */
export function teamsBody(notice: Notice): string {
  const facts = linesOf(notice).map(({ label, text }) => ({
    type: 'RichTextBlock',
    spacing: 'Small',
    inlines: [
      { type: 'TextRun', text: `${label}: `, weight: 'Bolder' },
      { type: 'TextRun', text },
    ],
  }));
  const { link, title } = notice;
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      {
        type: 'RichTextBlock',
        inlines: [{ type: 'TextRun', text: title, weight: 'Bolder', size: 'Medium' }],
      },
      ...facts,
    ],
    ...(link === undefined
      ? {}
      : { actions: [{ type: 'Action.OpenUrl', title: 'Open the events', url: link }] }),
    msteams: { width: 'Full' },
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', content: card };
  return JSON.stringify({ type: 'message', attachments: [attachment] });
}
