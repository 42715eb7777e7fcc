import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Notice } from '../../src/contract/notification.ts';
import { inert, linesOf } from '../../src/notifications/formats/lines.ts';
import { mailOf } from '../../src/notifications/formats/mail.ts';
import { slackBody } from '../../src/notifications/formats/slack.ts';
import { teamsBody } from '../../src/notifications/formats/teams.ts';
import { noticeOf } from '../../src/notifications/notice.ts';
import { channelOf, tallyOf } from './fixture.ts';

/** A message of which an attacker has chosen all that attackers can. */
function noticeWith(evil: string): Notice {
  const tally = tallyOf(Date.parse('2026-03-10T12:00:00Z'), { client: evil, events: 3 });
  const sample = { ...tally.sample, client: evil, host: evil, path: evil, pointer: evil };
  return noticeOf({
    channel: channelOf({ threshold: { count: 1, minutes: 1, per: 'client' } }),
    kind: 'alert',
    tallies: [{ ...tally, sample: { ...sample, evidence: evil, method: 'GET' } }],
    reached: [{ value: evil, count: 3 }],
    publicUrl: 'https://gate.example',
  });
}

const evils = [
  '<!channel> <@U123> <https://evil.example|click>',
  '[click](https://evil.example)',
  '<at>everyone</at>',
  '<a href="https://evil.example">x</a>',
  'https://evil.example/x',
  'www.evil.example',
  'a@evil.example',
  'x\r\nBcc: all@evil.example',
  '\u202Egpj.exe',
  '`code` *bold* ~x~',
  '\ud800',
];

test('no text of an attacker is a link, a mention or a separate line', () => {
  for (const evil of evils) {
    const notice = noticeWith(evil);
    const texts = linesOf(notice).map(({ text }) => text);
    assert.ok(texts.length > 5);
    for (const text of texts) {
      assert.doesNotMatch(text, /:\/\/|[\r\n\u202e\ud800]|evil\.example/u, evil);
    }
    const { subject, text } = mailOf(notice);
    assert.equal(subject, 'Sallyport: 3 requests blocked (high)');
    const lines = text.split('\n');
    assert.equal(lines.length, texts.length + 5);
    // The link is ours, and what the attacker has chosen in it is encoded.
    assert.match(
      lines.at(-2) ?? '',
      /^Open the events: https:\/\/gate\.example\/dashboard\/events\?[\w.~%&=+*-]+$/,
    );
  }
});

test('Slack and Teams get such texts in elements that are not parsed', () => {
  for (const evil of evils) {
    const slack = JSON.parse(slackBody(noticeWith(evil)));
    assert.equal(slack.text, 'Sallyport: 3 requests blocked (high)');
    const [header, rich] = slack.blocks;
    assert.equal(header.text.type, 'plain_text');
    const [facts, link] = rich.elements;
    for (const { type, text } of facts.elements) {
      assert.equal(type, 'text');
      assert.notEqual(text, '');
    }
    assert.deepEqual(
      link.elements.map(({ type, text }: { type: string; text: string }) => [type, text]),
      [['link', 'Open the events']],
    );
    const [{ content }] = JSON.parse(teamsBody(noticeWith(evil))).attachments;
    for (const { type, inlines } of content.body) {
      assert.equal(type, 'RichTextBlock');
      for (const run of inlines) assert.equal(run.type, 'TextRun');
    }
    assert.equal(content.actions[0].url.startsWith('https://gate.example/dashboard/'), true);
  }
});

test('any text becomes one short line without links', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const shown = inert(text);
      assert.doesNotMatch(shown, /\p{C}|:\/\//u);
      assert.ok(shown.length <= 121 * 10);
    }),
  );
  assert.equal(inert('203.0.113.9'), '203.0.113.9');
  assert.equal(inert('https://evil.example/a.php'), 'https[:]//evil[.]example/a[.]php');
});
