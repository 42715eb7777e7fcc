import {
  dialogs,
  evaluators,
  markupMembers,
  pageFunctions,
  timers,
  unpackers,
} from '../../knowledge/page.ts';
import { isSpace, isWord } from '../../text/char-class.ts';
import { createFinder } from '../../text/char-finder.ts';
import { clue, mayHold } from '../../text/clue.ts';
import { blanksStart } from '../../text/runs.ts';
import { wordSet } from '../../text/words.ts';
import type { Grammar } from '../grammar.ts';
import { isBelowComment } from './script.ts';

/**
 * Cheap test before a text is read as script: false when nothing in it is called, assigned or read
 * that the judges know. Prose has its brackets behind a space and a common word, which costs next
 * to nothing.
 */
export const mayHoldScript: Grammar<boolean> = { name: 'script-hint', read: findHint };

/** What calls or assigns. */
const nextMark = createFinder(/[(`=]/g);
const cookie = /\.\s{0,8}cookie/i;

const called: ReadonlySet<string> = new Set([
  ...dialogs,
  ...evaluators,
  ...timers,
  ...unpackers,
  ...pageFunctions,
  'constructor',
]);

const dialogInitials: ReadonlySet<number> = new Set(
  [...dialogs].map((dialog) => dialog.charCodeAt(0)),
);

/** What is assigned to, to run script or to leave the page. */
const assigned: ReadonlySet<string> = new Set(['location', 'onerror', ...markupMembers]);

/** The same for members of an object: in markup `href=` is no assignment. */
const assignedMembers: ReadonlySet<string> = wordSet('href search protocol domain srcdoc action');

function findHint(text: string): boolean {
  for (let at = nextMark(text, 1); at < text.length; at = nextMark(text, at + 1)) {
    const isAssigned = text.charCodeAt(at) === 61;
    if (isAssigned ? isAssignment(text, at) : isCall(text, at)) return true;
  }
  return mayHold(text, clue.cookie) && cookie.test(text);
}

/** The bracket or backtick at `at` may open the arguments of something known. */
function isCall(text: string, at: number): boolean {
  const end = blanksStart(text, at, 8);
  if (isBelowComment(text, end, at)) return true;
  const code = text.charCodeAt(end - 1);
  // More white space, also of Unicode.
  if (isSpace(code)) return true;
  if (isWord(code)) {
    const start = wordStart(text, end);
    const isMethod = text.charCodeAt(start - 1) === 46;
    return (isMethod && end === at) || called.has(text.slice(start, end).toLowerCase());
  }
  // `)(`, `?.(`, `/**/(`
  return code === 41 || code === 46 || (code === 47 && text.charCodeAt(end - 2) === 42);
}

function isAssignment(text: string, at: number): boolean {
  const end = blanksStart(text, at, 8);
  const start = wordStart(text, end);
  const name = text.slice(start, end).toLowerCase();
  if (assigned.has(name)) return true;
  if (assignedMembers.has(name) && isMember(text, start)) return true;
  const value = text.slice(at + 1, at + 16).trimStart();
  if (!dialogInitials.has(value.charCodeAt(0) | 32)) return false;
  const call = value.toLowerCase();
  for (const dialog of dialogs) {
    if (call.startsWith(dialog)) return true;
  }
  return false;
}

/** Of ASCII only: U+2028 and other separators stand in front of a name, too. */
function isName(code: number): boolean {
  return code < 128 && isWord(code);
}

/** `.` in front, with white space or a comment between at most. */
function isMember(text: string, start: number): boolean {
  const code = text.charCodeAt(blanksStart(text, start, 8) - 1);
  return code === 46 || code === 47;
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < 24 && isName(text.charCodeAt(start - 1))) start--;
  return start;
}
