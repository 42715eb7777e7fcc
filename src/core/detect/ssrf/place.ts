import { type HostKind, hostKindOf } from '../../tokenise/host.ts';
import { placeOfUrl, type Url, type UrlPlace, urlGrammar } from '../../tokenise/url.ts';
import type { Match } from '../rule.ts';
import type { Subject } from '../subject.ts';

/** One URL as the rules see it. */
export interface UrlFinding {
  readonly url: Url;
  readonly place: UrlPlace;
  /** True where the URL is the value or a parameter of it, false where text mentions it. */
  readonly isValue: boolean;
}

/** The strongest match over the URLs of a subject; `scoreOf` says 0 where a URL is no evidence. */
export function strongestUrl(
  subject: Subject,
  scoreOf: (found: UrlFinding) => number,
): Match | undefined {
  const reading = subject.tokens(urlGrammar);
  if (!reading.complete) subject.incomplete('tokens');
  let best: Match | undefined;
  for (const url of reading.urls) {
    const place = placeOfUrl(subject.text, subject.classes, url);
    const isValue = place === 'whole' || place === 'parameter';
    const score = scoreOf({ url, place, isValue });
    if (score > (best?.score ?? 0)) best = { start: url.start, end: endOf(url), score };
  }
  return best;
}

const evidencePathChars = 60;

function endOf(url: Url): number {
  return Math.min(url.end, url.pathStart + evidencePathChars);
}

/** Where the host of a URL leads. */
export function kindOfHost(subject: Subject, url: Url): HostKind {
  return hostKindOf(subject.text.slice(url.hostStart, url.hostEnd));
}

/** Schemes that fetch from a host. */
export function isFetchScheme(scheme: string): boolean {
  return (
    scheme === '' || fetchSchemes.has(scheme) || scheme.endsWith('http') || scheme.endsWith('https')
  );
}

const fetchSchemes: ReadonlySet<string> = new Set(['http', 'https', 'ftp', 'ws', 'wss', 'url']);
