import {
  isDocumentStart,
  isLineMember,
  isMessageMember,
  isMessagePart,
  isMimePart,
} from '../grammars/http/lines.ts';
import type { Subject } from './subject.ts';

/**
 * How sure it is that a line break does not belong into a value, 0 to 1: an encoded one is certain,
 * a plain one in a value of one line is likely, one in a message or a pasted mail is honest.
 */
export function breakWeight(subject: Subject, firstEnd: number): number {
  // A client writes in front of the break what it likes, and does not choose the member.
  const name = subject.member.slice(-40);
  const isLine = isLineMember(subject.member) && !mailMember.test(name);
  const isHead = headMember.test(name) || (isLine && !isMimePart(subject.text));
  if (!isHead && firstEnd > firstCharsMax) return 0.4;
  if (!isHead && isDocumentStart(subject.text.slice(0, firstEnd))) return 0.4;
  const isPart = isMessagePart(subject.text.slice(0, firstEnd), subject.decoded);
  if (subject.decoded.includes('percent') && !isPart) return 1;
  // Nothing but a break and what follows, in base64: no message begins so.
  if (firstEnd === 0 && subject.decoded.includes('base64') && !isPart) return 1;
  // An address alone in its line is no first line of a message.
  if (onlyAddress.test(subject.text.slice(0, firstEnd))) return 0.85;
  const isMessage =
    isPart ||
    isMessageMember(subject.member) ||
    subject.decoded.some((step) => step.startsWith('cookie:'));
  if (subject.decoded.includes('js-escape')) return isMessage ? 0.65 : 0.95;
  return isMessage ? 0.6 : 0.9;
}

const headMember =
  /(?:^|[._\-[])(?:subject|betreff|(?:full|first|last|your|sender|user)?_?name)\]?$/i;
/** It may hold a mail as a whole. */
const mailMember = /e-?mail\]?$/i;
const onlyAddress = /^[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}$/;
const firstCharsMax = 160;
