import { urlLiterals } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongestUrl } from '../../placement/fetch-place.ts';
import type { ValueRule } from '../rule.ts';

/** A public name that resolves to an internal address, or that reports who asks for it. */
export const rebindingName: ValueRule = {
  id: 'ssrf.rebinding-name',
  score: confidence.strong,
  message: 'names a host whose owner decides, at each look-up, where it leads',
  trigger: { literals: [urlLiterals] },
  judge: (subject) =>
    strongestUrl(subject, (url, isValue) => {
      const kind = url.hostKind;
      if (kind === 'rebinding') return isValue ? confidence.strong : confidence.hint;
      return kind === 'catcher' ? (isValue ? confidence.likely : confidence.hint) : 0;
    }),
  examples: [
    ...['http://127.0.0.1.nip.io/', 'https://localtest.me:8443/admin', 'http://x.a9fea9fe.1u.ms/'],
    ...['//abc.oastify.com/x', 'http://192-168-0-1.sslip.io/', 'http://0a4c7c04.nip.io/?q=1'],
    ...['https://localtest｡me:8443/', 'http://hooks.example.com.100.100.100.200.nip.io/'],
  ],
  lookalikes: [
    ...['https://nip.io/', 'https://cb007105.nip.io/', 'https://app.203.0.113.5.nip.io/'],
    'We use localtest.me for our local tests, see http://localtest.me/ for how.',
    'https://roast.me/coffee',
  ],
};
