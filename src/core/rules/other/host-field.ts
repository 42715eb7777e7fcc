import { confidence } from '../../placement/confidence.ts';
import type { RequestRule } from '../rule.ts';

/** `Host: shop.example:@evil.example`: a host that is none, and that links are built from. */
export const hostField: RequestRule = {
  id: 'other.host-field',
  cwe: 'CWE-644',
  severity: 'medium',
  score: confidence.likely,
  message: 'sends a host that no browser sends, so that links which quote it lead elsewhere',
  examples: [
    { body: { path: '/reset', 'header.host': 'www.example.com:@203.0.113.5' } },
    { body: { path: '/', 'header.host': 'www.example.com/x?' } },
    { body: { path: '/', 'header.host': 'www.example.com:80"><b>' } },
    { body: { path: '/', 'header.host': 'www.example.com, files.example.net' } },
    { body: { path: '/', 'header.host': 'www.example.com:a' } },
    { body: { path: '/', 'header.host': 'www.example.com', 'header.host[1]': 'example.net' } },
  ],
  lookalikes: [
    { body: { path: '/', 'header.host': 'www.example.com:8443' } },
    { body: { path: '/', 'header.host': '[2001:db8::1]:80' } },
    { body: { path: '/', 'header.host': 'my_app.internal.' } },
    { body: { host: 'Anna, from 6 pm' } },
  ],
  judgeRequest(request) {
    const field = request.indexOf('header.host');
    if (field < 0) return undefined;
    const text = request.fields[field]?.text ?? '';
    const second = request.indexOf('header.host[1]');
    if (second >= 0) {
      const other = request.fields[second]?.text ?? '';
      if (other !== text)
        return { field: second, start: 0, end: other.length, score: confidence.likely };
    }
    // RFC 9110, section 7.2: a host and a port in digits, nothing else.
    if (text === '' || plainHost.test(text.trim())) return undefined;
    return { field, start: 0, end: text.length };
  },
};

const plainHost = /^(?:\[[0-9a-f:.%]{2,60}\]|[^\s@/\\?#,:"'<>|%;=&$!(){}]{1,255})(?::\d{0,5})?$/i;
