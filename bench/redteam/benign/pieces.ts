import type { Random } from '../../lib/random.ts';

const charactersMin = 20;
const charactersMax = 4_000;
/** Of one file, so that a long one does not outweigh the others. */
const piecesEach = 6;

/** Some lines, paragraphs and longer parts of a text, 20 to 4,000 characters each. */
export function piecesOf(random: Random, text: string): readonly string[] {
  const paragraphs = text.replaceAll('\r\n', '\n').split(/\n[ \t]*\n/);
  return random
    .times(piecesEach, () => piece(random, paragraphs))
    .filter((one) => one.length >= charactersMin);
}

function piece(random: Random, paragraphs: readonly string[]): string {
  const start = random.below(paragraphs.length);
  const paragraph = paragraphs[start] ?? '';
  switch (random.below(4)) {
    case 0:
      return random.pick(paragraph.split('\n')).trim().slice(0, charactersMax);
    case 1: {
      const count = 2 + random.below(20);
      return cut(paragraphs.slice(start, start + count).join('\n\n'));
    }
    default:
      return cut(paragraph);
  }
}

/** At the end of a line, as users select and copy. */
function cut(text: string): string {
  const whole = text.replace(/^\n+/, '').trimEnd();
  if (whole.length <= charactersMax) return whole;
  const end = whole.lastIndexOf('\n', charactersMax);
  return whole.slice(0, end > 0 ? end : charactersMax).toWellFormed();
}

const longFields = [
  'body.comment',
  'body.message',
  'body.description',
  'body.text',
  'body.content',
  'body.post.body',
  'body.notes',
];
const shortFields = ['body.title', 'query.q', 'body.subject', 'body.comment', 'body.message'];
const codeFields = ['body.code', 'body.snippet', 'body.content', 'body.comment'];

/** A field that takes prose of this length. */
export function fieldFor(random: Random, text: string): string {
  return random.pick(text.length < 120 && !text.includes('\n') ? shortFields : longFields);
}

/** A field that people paste code into. */
export function codeField(random: Random): string {
  return random.pick(codeFields);
}
