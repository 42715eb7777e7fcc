import type { Url } from '../grammars/url/url.ts';
import type { Match } from '../rules/rule.ts';
import { confidence } from './confidence.ts';
import { strongestUrl } from './fetch-place.ts';
import type { Subject } from './subject.ts';

/** The strongest match over the URLs of a subject that a program may include. */
export function strongestInclude(
  subject: Subject,
  scoreOf: (url: Url, isValue: boolean) => number,
): Match | undefined {
  return strongestUrl(subject, scoreOf, {
    enough: confidence.strong,
    pathChars: 80,
    isAddress: isPartMember,
  });
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
