import {
  isDocumentStart,
  isLabelMember,
  isLineMember,
  isLineValue,
  isMessageMember,
  isMessagePart,
  isMimePart,
  lineCharsMax,
} from '../grammars/http/lines.ts';
import type { Subject } from './subject.ts';

/** How a line break came into a value; it decides how much a header behind it means. */
export type BreakOrigin =
  /** It was percent-encoded inside the value: no honest client does that. */
  | 'encoded'
  /** It was written as `\r\n`. */
  | 'escaped'
  /** A plain break in a member that holds one line by what it is for. */
  | 'line'
  /** A plain break behind a sentence in such a member: a client put the words there. */
  | 'head'
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
  if (isOneLine(subject, firstEnd)) return 'line';
  // A client writes in front of the break what it likes, and does not choose the member.
  const isHead = isHeadMember(subject, firstEnd);
  if (!isHead && !isInterrupted(subject.text, firstEnd)) return 'document';
  if (isEncoded) return 'encoded';
  if (isHead) return isLabelMember(subject.member) ? 'head' : 'plain';
  if (subject.decoded.includes('js-escape')) return 'escaped';
  // A part of a text of several lines, not a value that was sent as one.
  if (subject.decoded.some(isCookiePart)) return 'message';
  return isMessageMember(subject.member) ? 'message' : 'plain';
}

function isOneLine({ text, member, depth, decoded }: Subject, firstEnd: number): boolean {
  if (firstEnd > firstCharsMax || depth > lineDepthMax) return false;
  const first = text.slice(0, firstEnd);
  // Values within a query that a URL ends with are of all kinds.
  const isOwn = decoded.length === 0 || (isPercent(decoded) && !first.includes('='));
  return isOwn && isLineValue(member, first);
}

/** True for a break that no form sends: encoded, or encoded where one line is expected. */
export function isEncoded(origin: BreakOrigin): boolean {
  return origin === 'encoded' || origin === 'line';
}

/** False where a plain break is none of a member of one line: a cheap look before a reading. */
export function mayBeLine({ depth, member, text }: Subject): boolean {
  if (depth > lineDepthMax) return false;
  const head = text.slice(0, lineCharsMax + 1);
  const feed = head.indexOf('\n');
  const back = head.indexOf('\r');
  const end = back < 0 || (feed >= 0 && feed < back) ? feed : back;
  return end >= 0 && isLineValue(member, head.slice(0, end));
}

function firstLine(text: string, firstEnd: number): string {
  return text.slice(0, Math.min(firstEnd, firstCharsMax));
}

/** Percent-encoded, once or more, and nothing else. */
function isPercent(decoded: readonly string[]): boolean {
  return decoded.every((step) => step === 'percent');
}

/** A member whose value becomes a line of a head; not what a parameter of an address holds. */
function isHeadMember({ member, depth, decoded, text, where }: Subject, firstEnd: number): boolean {
  if (where === 'name' || depth > lineDepthMax || !isLineMember(member)) return false;
  if (!decoded.every(isSameText) || isMimePart(text)) return false;
  return !parameter.test(firstLine(text, firstEnd));
}

/** Steps that lead to the value as a whole. */
function isSameText(step: string): boolean {
  return !step.includes(':');
}

const parameter = /[?&][\w.[\]-]{1,40}=[^&]{0,300}$/;

/** True for the step into a value of a cookie. */
export function isCookiePart(step: string): boolean {
  return step.startsWith('cookie:');
}

const requestLine = /^(?:GET|POST|PUT|HEAD|DELETE) \S+/;
const firstCharsMax = 400;
const spacesMax = 4;
/** `query.next`, or a member of the body; what is nested deeper is data of many kinds. */
const lineDepthMax = 2;

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
