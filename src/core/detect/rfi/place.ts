import { placeOfUrl, type Url, type UrlPlace, urlGrammar } from '../../tokenise/url.ts';
import type { Match } from '../rule.ts';
import type { Subject } from '../subject.ts';

const evidencePathChars = 80;

/** The strongest match over the URLs of a subject; `scoreOf` says 0 where a URL is no evidence. */
export function strongestUrl(
  subject: Subject,
  scoreOf: (url: Url, place: UrlPlace) => number,
): Match | undefined {
  const reading = subject.tokens(urlGrammar);
  if (!reading.complete) subject.incomplete('tokens');
  let best: Match | undefined;
  for (const url of reading.urls) {
    const score = scoreOf(url, placeOfUrl(subject.text, subject.classes, url));
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
  /(?:^|[._\-[])(?:inc|include|includes|file|filename|page|pagina|template|tpl|module|mod|load|dir|path|absolute_path|lang|language|theme|skin|doc|document|content|view|layout|root|conf|config|class|require|plugin)(?:$|[._\-\]])|mosconfig|_path|_dir|_root/i;
