import type { Notice } from '../../contract/notification.ts';
import { linesOf } from './lines.ts';

/**
 * A message for an incoming webhook of Slack. Texts stand in rich text elements, which Slack takes as they are:
 * neither mentions such as `<!channel>` nor mrkdwn count there (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block).
 */
export function slackBody(notice: Notice): string {
  const facts = linesOf(notice).flatMap(({ label, text }, index) => [
    { type: 'text', text: `${index === 0 ? '' : '\n'}${label}: `, style: { bold: true } },
    { type: 'text', text, style: { code: true } },
  ]);
  const { link, title } = notice;
  const sections = [
    { type: 'rich_text_section', elements: facts },
    ...(link === undefined
      ? []
      : [
          {
            type: 'rich_text_section',
            elements: [{ type: 'link', url: link, text: 'Open the events' }],
          },
        ]),
  ];
  return JSON.stringify({
    // What notifications show. It is made of our own words and numbers alone.
    text: escaped(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
      { type: 'rich_text', elements: sections },
    ],
  });
}

/** The three characters that Slack gives a meaning to, wherever mrkdwn is read. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
