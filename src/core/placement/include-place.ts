import { type Url, urlGrammar } from '../grammars/url/url.ts';
import type { Match } from '../rules/rule.ts';
import type { Subject } from './subject.ts';

/** No further URL makes this more certain. */
const certain = 88;
const evidencePathChars = 80;

/**
 * The strongest match over the URLs of a subject; `scoreOf` says 0 where a URL is no evidence.
 * `isValue` tells a URL that is the value or a parameter of it from one that a text mentions.
 */
export function strongestUrl(
  subject: Subject,
  scoreOf: (url: Url, isValue: boolean) => number,
): Match | undefined {
  const reading = subject.tokens(urlGrammar);
  if (!reading.complete) subject.incomplete('tokens');
  let best: Match | undefined;
  for (const url of reading.urls) {
    if ((best?.score ?? 0) >= certain) break;
    const score = scoreOf(url, url.place === 'whole' || url.place === 'parameter');
    if (score > (best?.score ?? 0)) {
      best = { start: url.start, end: Math.min(url.end, url.pathStart + evidencePathChars), score };
    }
  }
  return best;
}

/** A member whose value applications put into `include`. */
export function isIncludeMember(member: string): boolean {
  return includeMember.test(member.slice(0, 64));
}

const includeMember =
  /(?:^|[._\-[])(?:inc|includes?|require|template|tpl|module|mod|load|plugin|skin|layout|class|lang(?:uage)?|theme)(?:$|[._\-\]])|mosconfig|_(?:path|dir|root)\b|conf\[/i;

/** A member whose value is the name of a part of the page: a language, a design, a module. */
export function isPartMember(member: string): boolean {
  return partMember.test(member);
}

const partMember =
  /^(?:(?:query|body|cookies)\.)?(?:lang(?:uage)?|locale|theme|skin|template|tpl|layout|inc|include|module|mod|page|view)$/i;
/** `query.lang`, or a member of the body. */
export const partDepthMax = 2;
