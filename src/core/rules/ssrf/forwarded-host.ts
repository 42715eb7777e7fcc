import { hostKindOf, isCredentialHost } from '../../grammars/url/host.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `Host: 169.254.169.254`: a proxy that routes by the name of the host goes there. */
export const forwardedHost: ValueRule = {
  id: 'ssrf.forwarded-host',
  score: confidence.strong,
  message: 'names the metadata service as the host that the request is for',
  trigger: { literals: [['.', ':', '0x']] },
  judge: (subject) => {
    const { text, member, decoded } = subject;
    if (!member.startsWith('header.') || !hostMember.test(member)) return undefined;
    // A parameter of the header is not the header.
    if (decoded.some((step) => step.includes(':'))) return undefined;
    for (const [, name = ''] of text.slice(0, listCharsMax).matchAll(host)) {
      // Other addresses of 169.254/16 are those of pods and printers.
      if (hostKindOf(name) === 'metadata' && isCredentialHost(name))
        return { start: 0, end: text.length };
    }
    return undefined;
  },
  examples: [
    { body: { path: '/', 'header.host': '169.254.169.254' } },
    { body: { path: '/', 'header.x-forwarded-host': 'metadata.google.internal:80' } },
    { body: { path: '/', 'header.host': '100.100.100.200' } },
    { body: { path: '/', 'header.host': '[::ffff:a9fe:a9fe]:80' } },
    { body: { path: '/', 'header.host': '0xa9fea9fe' } },
    { body: { path: '/', 'header.x-forwarded-host': 'shop.example.com, 169.254.169.254' } },
    { body: { path: '/', 'header.forwarded': 'for=203.0.113.7;host="169.254.169.254:80"' } },
  ],
  lookalikes: [
    { body: { path: '/', 'header.host': 'metadata.example.com' } },
    { body: { path: '/', 'header.host': '169.254.130.4' } },
    { body: { path: '/', 'header.host': '[fe90::7]' } },
    { body: { path: '/', 'header.forwarded': 'for=169.254.169.254;host=shop.example.com' } },
    { body: { host: '169.254.20.7' } },
  ],
};

const listCharsMax = 512;
const hostMember = /^header\.(?:host|x-forwarded-host|x-host|x-forwarded-server|forwarded)$/;
/** A host of a list, without its port; behind `host=` in RFC 7239. */
const host = /(?:(?:^|,)\s{0,8}(?!\w{1,10}=)|\bhost="?)(\[[^\]]{1,64}\]|[^\s,:;="]{1,128})/gi;
