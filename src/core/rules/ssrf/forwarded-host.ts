import { hostKindOf } from '../../grammars/url/host.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** Names and addresses of the services that hand out credentials. */
const services: readonly string[] = [
  '169.254.169.254',
  '169.254.170.2',
  'metadata',
  '100.100.100.200',
];

/** `Host: 169.254.169.254`: a proxy that routes by the name of the host goes there. */
export const forwardedHost: ValueRule = {
  id: 'ssrf.forwarded-host',
  category: 'ssrf',
  cwe: 'CWE-918',
  severity: 'high',
  score: confidence.strong,
  message: 'names the metadata service as the host that the request is for',
  trigger: { literals: [services] },
  judge: (subject) => {
    if (!hostMember.test(subject.member)) return undefined;
    const { text } = subject;
    const host = text.slice(0, hostCharsMax).trim().replace(port, '');
    // Other addresses of 169.254/16 are those of pods and printers.
    const isService = services.some((one) => host.toLowerCase().includes(one));
    return isService && hostKindOf(host) === 'metadata'
      ? { start: 0, end: text.length }
      : undefined;
  },
  examples: [
    { body: { path: '/', 'header.host': '169.254.169.254' } },
    { body: { path: '/', 'header.x-forwarded-host': 'metadata.google.internal:80' } },
    { body: { path: '/', 'header.host': '100.100.100.200' } },
  ],
  lookalikes: [
    { body: { path: '/', 'header.host': 'metadata.example.com' } },
    { body: { path: '/', 'header.host': '169.254.130.4' } },
    { body: { host: '169.254.20.7' } },
  ],
};

const hostCharsMax = 128;
const hostMember = /^header\.(?:host|x-forwarded-host|x-host|x-forwarded-server|forwarded)$/;
const port = /:\d{1,5}$/;
