import type { ValueRule } from '../rule.ts';

/** `/\host`, `https:host`, `///host`: a foreign URL that looks like a local path. */
export const openRedirect: ValueRule = {
  id: 'other.open-redirect',
  category: 'other',
  cwe: 'CWE-601',
  severity: 'medium',
  score: 76,
  message: 'is a path for a check of redirects and another host for a browser',
  trigger: {
    literals: [
      [
        '/\\',
        '\\/',
        '///',
        'https:@',
        'http:@',
        '/%09',
        '/%5c',
        '/\t',
        '/%0',
        '\\\\',
        'http:/',
        'https:/',
        'http:',
        'https:',
      ],
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    if (
      text.length > urlCharsMax ||
      !trickStart.test(text) ||
      !redirectMember.test(subject.member.slice(-48))
    )
      return undefined;
    return isTrick(text) ? { start: 0, end: Math.min(text.length, 120) } : undefined;
  },
  examples: [
    { body: { redirect: '/\\www.example.net' } },
    { body: { next: 'https:@www.example.net/' } },
    { body: { return_to: '///www.example.net/x' } },
    { body: { 'query.returnUrl': '\\/\\/www.example.net' } },
    { body: { url: '/\t/www.example.net' } },
    { body: { continue: 'https:www.example.net' } },
  ],
  lookalikes: [
    { body: { redirect: '/account/settings?tab=1' } },
    { body: { next: 'https://www.example.com/back' } },
    { body: { return_to: '//cdn.example.net/lib.js' } },
    { body: { url: '\\\\fileserver\\share\\2024' } },
    { body: { redirect: 'https: the protocol' } },
  ],
};

/** Cheap: neither a path of one slash nor a whole URL. */
const trickStart = /^\s{0,4}(?:[\\/][\\/\t\r\n%]|https?:(?!\/\/))/i;

const urlCharsMax = 500;

const redirectMember =
  /(?:^|[._\-[])(?:redirect(?:_?(?:to|url|uri))?|return(?:_?(?:to|url|path))?|next|url|uri|dest(?:ination)?|continue|goto|go|target|rurl|out|view|checkout_url|callback|forward|back|success|ref(?:errer)?|login_?url|image_url)\]?$/i;

/** Slashes, backslashes and what browsers drop between them, and then a host. */
function isTrick(text: string): boolean {
  const start = text.trimStart();
  const scheme = schemeStart.exec(start)?.[0].length ?? 0;
  let at = scheme;
  let slashes = 0;
  let odd = scheme > 0;
  for (; at < scheme + markCharsMax; at++) {
    const code = start.charCodeAt(at);
    if (code === 47) slashes++;
    else if (code === 92 || code === 64 || code === 9 || code === 10 || code === 13) odd = true;
    else if (code === 37 && droppedEscape.test(start.slice(at, at + 3))) {
      odd = true;
      at += 2;
    } else break;
  }
  if (scheme > 0 && start.startsWith('//', scheme)) return false;
  if (scheme === 0 && (at < 2 || start.startsWith('\\\\'))) return false;
  return (odd || slashes >= 3) && hostStart.test(start.slice(at, at + 70));
}

const markCharsMax = 12;
const schemeStart = /^https?:/i;
const droppedEscape = /^%(?:09|0a|0d|5c|2f)$/i;
const hostStart = /^(?:[a-z0-9-]{1,63}\.[a-z0-9]|\[)/i;
