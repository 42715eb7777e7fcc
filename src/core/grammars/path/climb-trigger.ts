import type { Trigger } from '../../rules/rule.ts';
import { foldOf } from '../../text/wide-class.ts';
import { wordList } from '../../text/words.ts';

/** A full stop, and what a receiver turns into one. */
const wideDots = [...foldOf.keys()].filter((code) => code === 46 || foldOf[code] === 46);

/**
 * A step up in any spelling that no decoder undoes: two dots beside a separator, or their
 * substitutes.
 */
export const climbTrigger: Trigger = {
  literals: [
    [
      ...wordList(
        '../ ..\\ ..% ..; ..0x ..2f ..5c .?/ .?\\ .?% .?0x ?./ ?.\\ ?.% ?.0x ??/ ??\\ ??%',
        '??0x .%0 .%2e %2e. %2e%2e %c0 %c1 %e0%80 %f0%80 %f8%80 %fc%80 0x2e',
      ),
      ...wideDots.map((code) => `%u${code.toString(16).padStart(4, '0')}`),
      '%%32',
      '.../',
      '/..',
      '...\\',
      // A control character behind the first dot, which what cleans names drops after the check.
      ...Array.from({ length: 32 }, (_, code) => `.${String.fromCharCode(code)}`).filter(
        (dot) => dot.trim().length > 1,
      ),
      '.\u007f',
    ],
  ],
};
