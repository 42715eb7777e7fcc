import { followsValue } from '../text/place.ts';
import { takesValue } from './field-role.ts';
import type { Subject } from './subject.ts';

/**
 * True when `start` stands beside the value that an application expects, or in a member that takes no
 * sentence: words in front of it were put there for an attack.
 */
export function isAtValue({ text, member }: Subject, start: number): boolean {
  return followsValue(text, start) || (start <= sentenceMax && takesValue(member));
}

/** What is longer is a document that was put into the wrong member. */
const sentenceMax = 400;
