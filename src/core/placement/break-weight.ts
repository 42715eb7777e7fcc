import {
  fieldsBehindFirst,
  isDocumentStart,
  isLabelMember,
  isLineMember,
  isMailStart,
  isMessageMember,
  isMessagePart,
  isMimePart,
  type Line,
  type LineReading,
} from '../grammars/http/lines.ts';
import type { Match } from '../rules/rule.ts';
import { isCookiePart } from './break-origin.ts';
import { strongest } from './evidence.ts';
import type { Subject } from './subject.ts';

/**
 * How sure it is that a line break does not belong into a value, 0 to 1: an encoded one is certain,
 * a plain one in a value of one line is likely, one in a message or a pasted mail is honest.
 */
export function breakWeight(subject: Subject, firstEnd: number): number {
  const first = subject.text.slice(0, firstEnd);
  // A client writes in front of the break what it likes, and does not choose the member.
  if (!isHead(subject, first) && (firstEnd > firstCharsMax || isDocumentStart(first))) return 0.4;
  const { decoded, member } = subject;
  const isPart = isMessagePart(first, decoded);
  if (!isPart && isCertain(decoded, firstEnd)) return 1;
  // An address alone in its line is no first line of a message.
  if (onlyAddress.test(first)) return 0.85;
  const isMessage = isPart || isMessageMember(member) || decoded.some(isCookiePart);
  if (decoded.includes('js-escape')) return isMessage ? 0.65 : 0.95;
  return isMessage ? 0.6 : 0.9;
}

/** A member whose value becomes a line of a head; one for an address may hold a mail as a whole. */
function isHead({ member, text }: Subject, first: string): boolean {
  const name = member.slice(-40);
  if (headMember.test(name)) return true;
  if (!isLineMember(member)) return false;
  return mailMember.test(name) ? !isMailStart(first) : !isMimePart(text);
}

/** The fields behind the break, where a client may put some lines in front in a member for a line. */
export function fieldsOf(subject: Subject, reading: LineReading): readonly Line[] {
  const { text } = subject;
  return fieldsBehindFirst(text, reading, isHeadLine(subject, reading) ? linesBefore : 0);
}

/** What stands in front of a field; a text has more. */
export const linesBefore = 3;

/** A member that holds one line of a head by what it is for. */
export function isHeadLine(subject: Subject, { firstEnd }: LineReading): boolean {
  const { member, text } = subject;
  if (!headMember.test(member.slice(-40)) && !isLabelMember(member)) return false;
  return isHead(subject, text.slice(0, firstEnd));
}

/** An encoded break, or in base64 nothing but a break and what follows: no message begins so. */
function isCertain(decoded: readonly string[], firstEnd: number): boolean {
  return decoded.includes('percent') || (firstEnd === 0 && decoded.includes('base64'));
}

const headMember =
  /(?:^|[._\-[])(?:subject|betreff|(?:full|first|last|your|sender|user)?_?name)\]?$/i;
const mailMember = /e-?mail\]?$/i;
const onlyAddress = /^[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}$/;
const firstCharsMax = 160;

/** The strongest of lines, each with the break in front of it. */
export function strongestLine(
  lines: readonly Line[],
  scoreOf: (line: Line) => number,
): Match | undefined {
  return strongest(lines, scoreOf, undefined, ({ breakStart: start, end }) => ({ start, end }));
}
