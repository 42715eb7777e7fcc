import { isDocumentStart, isMessageMember, isMessagePart } from '../../tokenise/lines.ts';
import type { Subject } from '../subject.ts';

/** How a line break came into a value; it decides how much a header behind it means. */
export type BreakOrigin =
  /** It was percent-encoded inside the value: no honest client does that. */
  | 'encoded'
  /** It was written as `\r\n`. */
  | 'escaped'
  /** A plain break in a value of one line. */
  | 'plain'
  /** A plain break in a value that may have many lines. */
  | 'message'
  /** The value is a text of several lines from its start: a pasted message, a document. */
  | 'document';

/** Judges the text in front of the first line break. */
export function breakOriginOf(subject: Subject, firstEnd: number): BreakOrigin {
  // No honest name of a member holds a line break.
  if (subject.where === 'name' && subject.decoded.length === 0) return 'encoded';
  const isEncoded = subject.decoded.includes('percent');
  if (isEncoded && isMessagePart(firstLine(subject.text, firstEnd), subject.decoded))
    return 'message';
  // A request line may hold encoded breaks, and is interrupted by them.
  if (isEncoded && firstEnd <= firstCharsMax && requestLine.test(subject.text)) return 'encoded';
  if (!isInterrupted(subject.text, firstEnd)) return 'document';
  if (isEncoded) return 'encoded';
  if (subject.decoded.includes('js-escape')) return 'escaped';
  // A part of a text of several lines, not a value that was sent as one.
  if (subject.decoded.some(isCookiePart)) return 'message';
  return isMessageMember(subject.member) ? 'message' : 'plain';
}

function firstLine(text: string, firstEnd: number): string {
  return text.slice(0, Math.min(firstEnd, firstCharsMax));
}

function isCookiePart(step: string): boolean {
  return step.startsWith('cookie:');
}

const requestLine = /^(?:GET|POST|PUT|HEAD|DELETE) \S+/;
const firstCharsMax = 400;
const spacesMax = 4;

/**
 * A value that a break interrupts is short, holds few spaces, and is no field or boundary itself.
 */
function isInterrupted(text: string, firstEnd: number): boolean {
  if (firstEnd > firstCharsMax) return false;
  const first = text.slice(0, firstEnd);
  if (isDocumentStart(first)) return false;
  let spaces = 0;
  for (let at = first.indexOf(' '); at >= 0; at = first.indexOf(' ', at + 1)) spaces++;
  return spaces <= spacesMax;
}
