import { plainName } from '../contract/admin.ts';
import { UsageError } from './command.ts';

const nameCharsMax = 100;
const printable = /^[^\p{Cc}\p{Cs}]+$/u;

/** A name as it is stored; `what` says in an error where it was given. */
export function nameFrom(what: string, given: string): string {
  const name = plainName(given);
  if (name !== '' && name.length <= nameCharsMax && printable.test(name)) return name;
  throw new UsageError(`${what} must be 1 to ${nameCharsMax} printable characters.`);
}
