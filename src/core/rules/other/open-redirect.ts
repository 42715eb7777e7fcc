import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `/\host`, `https:host`, `///host`: a foreign URL that looks like a local path. */
export const openRedirect: ValueRule = {
  id: 'other.open-redirect',
  cwe: 'CWE-601',
  severity: 'medium',
  score: confidence.likely,
  message: 'is a path for a check of redirects and another host for a browser',
  trigger: {
    charsMax: 500,
    literals: [
      ['/\\', '\\/', '//', '/%09', '/%5c', '/\t', '/%0', '\\\\', 'http:', 'https:', '/\n', '/\r'],
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    if (!trickStart.test(text)) return undefined;
    const { trick, host } = readTarget(text, subject.member);
    if (trick === 'none') return undefined;
    if (trick === 'bare' && !isReturn(subject.member, host)) return undefined;
    const isTyped = (trick === 'scheme' || trick === 'typing') && urlMember.test(subject.member);
    const isRedirect = !isTyped && redirectMember.test(subject.member.slice(-48));
    const score = isRedirect ? confidence.strong : scoreOutside(trick, host, subject.member);
    return { start: 0, end: Math.min(text.length, 120), score };
  },
  examples: [
    { body: { redirect: '/\\www.example.net' } },
    { body: { next: 'https:@www.example.net/' } },
    { body: { return_to: '///www.example.net/x' } },
    { body: { 'query.returnUrl': '\\/\\/www.example.net' } },
    { body: { url: '/\t/www.example.net' } },
    { body: { continue: 'https:www.example.net' } },
    '//www.example.net/%2f..',
    { body: { next: '//www.example.net' } },
    { body: { returnUrl: 'http:///www.example.net' } },
    '/\\www.example.net/a',
    '/%09/www.example.net',
    '//www.example\u3002net',
    { body: { target: 'https://www.example\u3002net' } },
    { body: { dest: '//www.example.com%2f@www.example.net' } },
    { body: { return: '\\\\www.example.net' } },
  ],
  lookalikes: [
    { body: { redirect: '/account/settings?tab=1' } },
    { body: { next: 'https://www.example.com/back' } },
    { body: { return_to: '//cdn.example.net/lib.js' } },
    { body: { url: '\\\\fileserver\\share\\2024' } },
    { body: { redirect: 'https: the protocol' } },
    '//cdn.example.net/lib/app.js',
    '/\\bfoo.bar/i',
    '///<reference path="a.d.ts">',
    { body: { website: 'https:example.com' } },
    '///tmp/report.txt',
    '\\\\files.example.net\\share',
    '//TODO.md',
    'http:/www.example.com/a',
    { body: { url: 'https:www.example.com' } },
    '///filled.count.soap',
    'https:%2f%2fwww.example.com%2fa',
    'http:\\\\www.example.com\\about',
  ],
};

/** Cheap: neither a path of one slash nor a whole URL, but for one with a full stop of CJK. */
const trickStart =
  /^\s{0,4}(?:[\\/][\\/\t\r\n%]|https?:(?:(?!\/\/[^\\/])|\/\/[\w.-]{1,60}[\u3002\uff0e\uff61]))/i;

const redirectMember =
  /(?:^|[._\-[])(?:redirect(?:_?(?:to|url|uri))?|return(?:_?(?:to|url|path))?|next|url|uri|dest(?:ination)?|continue|goto|go|target|rurl|out|view|checkout_url|callback|forward|back|success|ref(?:errer)?|login_?url|image_url)\]?$/i;

/** `next=//host`: applications send a path or a whole URL in such a member. */
function isReturn(member: string, host: string): boolean {
  return returnMember.test(member.slice(-48)) && commonDomain.test(host);
}

const returnMember =
  /(?:^|[._\-[])(?:redirect(?:_?(?:to|url|uri))?|return(?:_?(?:to|url|path))?|next|continue|goto|rurl|dest(?:ination)?|forward|login_?url)\]?$/i;

/** May be a field for one's own site. */
const urlMember = /^(?:url|uri)$/i;

type Trick = 'none' | 'odd' | 'slashes' | 'scheme' | 'typing' | 'climb' | 'dot' | 'bare';

/** In a member for anything: only what has no other use. */
function scoreOutside(trick: Trick, host: string, member: string): number {
  // Backslashes for slashes, or one of them: people type so.
  if (trick === 'typing') return confidence.hint;
  if (trick === 'scheme') return ownSite.test(member) ? confidence.trace : confidence.likely;
  // `///filled.count.soap` is a place on a map.
  return trick === 'slashes' && !commonDomain.test(host) ? confidence.hint : confidence.likely;
}

/** People who type their own address leave out the slashes. */
const ownSite = /^ur[il]$|site|web|home|blog|link|page|domain|host|company|profile/i;

const commonDomain =
  /\.(?:com|net|org|edu|gov|info|biz|name|dev|app|xyz|top|site|online|club|shop|live|pro|test|example|local|internal|[a-z]{2})$/i;

/** Slashes, backslashes and what browsers drop between them, and then a host. */
function readTarget(
  text: string,
  member: string,
): { readonly trick: Trick; readonly host: string } {
  const start = text.trimStart();
  const scheme = schemeStart.exec(start)?.[0].length ?? 0;
  const marks = readMarks(start, scheme);
  const isWhole = scheme > 0 && twoSlashes.test(start.slice(scheme, scheme + 7));
  if (isWhole && !wideDot.test(start.slice(0, wideCharsMax))) return noTarget;
  const isShare = start.startsWith('\\\\') && !returnMember.test(member.slice(-48));
  if (scheme === 0 && (marks.end < 2 || isShare)) return noTarget;
  const rest = start.slice(marks.end);
  const host = hostStart.exec(rest)?.[0] ?? '';
  if (host === '' || fileEnd.test(host)) return noTarget;
  const path = rest.slice(host.length);
  if (isWhole) return wideDot.test(host) ? { trick: 'dot', host } : noTarget;
  return { trick: trickOf({ start, scheme, marks, host, path }), host };
}

const noTarget = { trick: 'none', host: '' } as const;

interface Target {
  /** The text from its scheme or first mark on. */
  readonly start: string;
  /** Length of the scheme with its colon, 0 without. */
  readonly scheme: number;
  readonly marks: Marks;
  readonly host: string;
  readonly path: string;
}

interface Marks {
  readonly end: number;
  readonly slashes: number;
  /** There are others than slashes. */
  readonly isOdd: boolean;
}

function readMarks(start: string, from: number): Marks {
  let slashes = 0;
  let isOdd = from > 0;
  let at = from;
  for (; at < from + markCharsMax; at++) {
    const code = start.charCodeAt(at);
    if (code === 47) slashes++;
    else if (code === 92 || code === 64 || code === 9 || code === 10 || code === 13) isOdd = true;
    else if (code === 37 && droppedEscape.test(start.slice(at, at + 3))) {
      isOdd = true;
      at += 2;
    } else break;
  }
  return { end: at, slashes, isOdd };
}

function trickOf({ start, scheme, marks, host, path }: Target): Trick {
  if (marks.isOdd || marks.slashes >= 3) {
    // `/\bword.word/i` is a regular expression.
    if (expressionEnd.test(path) && start.charCodeAt(1) === 92) return 'none';
    if (scheme > 0) return typingMark.test(start.slice(scheme, scheme + 2)) ? 'typing' : 'scheme';
    return marks.isOdd ? 'odd' : 'slashes';
  }
  if (climbPath.test(path)) return 'climb';
  if (scheme === 0 && userPath.test(path)) return 'odd';
  if (wideDot.test(host)) return 'dot';
  return scheme === 0 && (path === '' || path === '/') ? 'bare' : 'none';
}

const markCharsMax = 12;
const typingMark = /^(?:\\|\/\w|\/\/)/;
const twoSlashes = /^(?:\/|%2f){2}(?![\\/])/i;
const schemeStart = /^https?:/i;
const droppedEscape = /^%(?:09|0a|0d|5c|2f)$/i;
/** A name with a top-level domain, or an address; then the end, a port or a path. */
const hostStart =
  /^(?:[\w-]{1,63}[.\u3002\uff0e\uff61]){1,8}(?:[a-z]{2,24}|\d{1,3})(?=$|[:/\\?#%])|^\[[0-9a-f:.]{2,45}\]/i;
const fileEnd =
  /\.(?:txt|js|mjs|css|html?|php|png|jpe?g|gif|svg|pdf|md|json|xml|csv|log|zip|ts|tsx|py|java|cs|sh|yml|ini)$/i;
const climbPath = /^\/(?:%2f|%5c|\/|\\)?(?:\.|%2e){2}(?:$|[/;%?#])/i;
/** `//www.example.com%2f@host`: the first host is a name of a user for the second. */
const userPath = /^(?:%2f|%5c|\/)@[\w-]{1,60}\./i;
const wideCharsMax = 120;
const wideDot = /[\u3002\uff0e\uff61]/;
const expressionEnd = /^\/[dgimsuvy]{0,4}$/;
