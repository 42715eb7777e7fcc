import type { ValueRule } from '../rule.ts';
import { strongestUrl } from './place.ts';

/** A public name that resolves to an internal address, or that reports who asks for it. */
export const rebindingName: ValueRule = {
  id: 'ssrf.rebinding-name',
  category: 'ssrf',
  cwe: 'CWE-918',
  severity: 'high',
  score: 82,
  message: 'names a host whose owner decides, at each look-up, where it leads',
  trigger: {
    literals: [
      [
        'nip.io',
        'sslip.io',
        'xip.io',
        'xip.name',
        'ipq.co',
        'traefik.me',
        'backname.io',
        'localtest.me',
        'lvh.me',
        'vcap.me',
        'lacolhost.com',
        'localho.st',
        'fuf.me',
        '127-0-0-1',
        '1u.ms',
        'rbndr.us',
        'rebind.',
        'r3dir.me',
        'burpcollaborator',
        'oastify.com',
        'interact.sh',
        'interactsh',
        'oast.',
        'dnslog.cn',
        'ceye.io',
        'bxss.me',
        'xss.ht',
        'requestbin.net',
        'requestrepo.com',
        'canarytokens',
        'zhack.ca',
        'eyes.sh',
        'dod.network',
      ],
    ],
  },
  judge: (subject) =>
    strongestUrl(subject, (url, isValue) => {
      const kind = url.hostKind;
      if (kind === 'rebinding') return isValue ? 82 : 50;
      return kind === 'catcher' ? (isValue ? 76 : 50) : 0;
    }),
  examples: [
    'http://127.0.0.1.nip.io/',
    'https://localtest.me:8443/admin',
    'http://x.a9fea9fe.1u.ms/',
    '//abc.oastify.com/x',
    'http://192-168-0-1.sslip.io/',
  ],
  lookalikes: [
    'https://nip.io/',
    'https://app.203.0.113.5.nip.io/',
    'We use localtest.me for our local tests, see http://localtest.me/ for how.',
    'https://roast.me/coffee',
  ],
};
