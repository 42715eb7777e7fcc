import { nearest } from '../config/nearest.ts';

/**
 * Throws for an option that does not exist: a misspelt `onOutage` would otherwise let pass what was
 * meant to be refused.
 */
export function checkOptionNames(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    const advice =
      near === undefined ? `its options are ${known.join(', ')}.` : `did you mean ${near}?`;
    throw new TypeError(`${what} has no option ${name}: ${advice}`);
  }
}
