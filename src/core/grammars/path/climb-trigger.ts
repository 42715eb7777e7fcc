import type { Trigger } from '../../rules/rule.ts';

/**
 * A step up in any spelling that no decoder undoes: two dots beside a separator, or their
 * substitutes.
 */
export const climbTrigger: Trigger = {
  literals: [
    [
      '../',
      '..\\',
      '..%',
      '..;',
      '..0x',
      '..2f',
      '..5c',
      '.?/',
      '.?\\',
      '.?%',
      '.?0x',
      '?./',
      '?.\\',
      '?.%',
      '?.0x',
      '??/',
      '??\\',
      '??%c',
      '??%e',
      '??0x',
      '.%0',
      '.%2e',
      '%2e.',
      '%2e%2e',
      '%c0',
      '%c1',
      '0x2e',
      '%u002e',
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
