import type { IncludeDirective } from '../../tokenise/server-include.ts';
import { serverInclude } from '../../tokenise/server-include.ts';
import type { Match } from '../rule.ts';
import type { Subject } from '../subject.ts';

/** The first directive that the test accepts, as evidence. */
export function findDirective(
  subject: Subject,
  accepts: (directive: IncludeDirective) => boolean,
): Match | undefined {
  const found = subject.tokens(serverInclude).find(accepts);
  return found === undefined ? undefined : { start: found.start, end: found.end };
}
