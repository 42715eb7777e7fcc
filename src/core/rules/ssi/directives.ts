import type { IncludeDirective } from '../../grammars/html/server-include.ts';
import { serverInclude } from '../../grammars/html/server-include.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match } from '../rule.ts';

/** The first directive that the test accepts, as evidence. */
export function findDirective(
  subject: Subject,
  accepts: (directive: IncludeDirective) => boolean,
): Match | undefined {
  const found = subject.tokens(serverInclude).find(accepts);
  return found === undefined ? undefined : { start: found.start, end: found.end };
}
