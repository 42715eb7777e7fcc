import type { ValueRule } from '../rule.ts';
import { strongestUrl } from './place.ts';

/** `http://0x7f.1/`: an internal address in a spelling that only address parsers know. */
export const oddAddress: ValueRule = {
  id: 'ssrf.odd-address',
  category: 'ssrf',
  cwe: 'CWE-918',
  severity: 'high',
  score: 90,
  message: 'spells an address so that a check of the host misses where it leads',
  trigger: { literals: [['http:', 'https:', '//', 'ftp:', '\\\\']] },
  judge: (subject) =>
    strongestUrl(subject, (url, isValue) => {
      const kind = url.hostKind;
      if (kind === 'odd-loopback') return isValue ? 90 : 60;
      // `http:host` without slashes is a URL to fetchers only.
      const isBare = url.slashes === 0 && (kind === 'loopback' || kind === 'private');
      if (isBare && url.scheme.startsWith('http')) return isValue ? 80 : 40;
      return kind === 'odd-address' ? (isValue ? 80 : 50) : 0;
    }),
  examples: [
    'http://[::ffff:0:127.0.0.1]/',
    'http://2130706433/',
    'http://0x7f.1:8080/admin',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]:3000/',
    'http://①②⑦.⓪.⓪.①/',
    'http:0/',
    'https://127.42.0.9/',
    'http://[::]/',
  ],
  lookalikes: [
    'http://localhost:3000/',
    'https://203.0.113.9/status',
    'http://2001.example.org/',
    '//cdn.example.net/0x7f/1.js',
    'listen on http://0.0.0.0:8000/ or on http://[::1]:8000/ as you like, the manual says',
  ],
};
