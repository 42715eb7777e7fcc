import { urlLiterals } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { isOwnAddress, strongestUrl } from '../../placement/fetch-place.ts';
import type { ValueRule } from '../rule.ts';

/** `http://0x7f.1/`: an internal address in a spelling that only address parsers know. */
export const oddAddress: ValueRule = {
  id: 'ssrf.odd-address',
  score: confidence.certain,
  message: 'spells an address so that a check of the host misses where it leads',
  trigger: { literals: [urlLiterals] },
  judge: (subject) =>
    strongestUrl(subject, (url, isValue) => {
      const kind = url.hostKind;
      if (kind === 'odd-loopback') {
        const host = subject.text.slice(url.hostStart, url.hostEnd);
        if (standard.has(host) && isOwnAddress(subject, url)) return confidence.trace;
        return isValue ? confidence.certain : confidence.hint;
      }
      // `http:host` without slashes is a URL to fetchers only.
      const isBare = url.slashes === 0 && (kind === 'loopback' || kind === 'private');
      if (isBare && url.scheme.startsWith('http'))
        return isValue ? confidence.strong : confidence.trace;
      return kind === 'odd-private' || kind === 'odd-address'
        ? isValue
          ? confidence.strong
          : confidence.hint
        : 0;
    }),
  examples: [
    ...['http://[::ffff:0:127.0.0.1]/', 'http://2130706433/', 'http://%310%2e7.1.2:8080/'],
    ...['http://%6c%6fcalhost/', ' http://[::]/>=http://www.example.com'],
    ...['                http://0x7f.1/', 'http://0x7f.1:8080/admin', 'http://0177.0.0.1/'],
    ...['http://127.1/', 'http://[::1]:3000/', 'http://①②⑦.⓪.⓪.①/', 'http:0/'],
    ...['https://127.42.0.9/', 'http://[::]/', 'http://127.\n0.0.\t1/'],
    ...['https://0xa.0\tx87.0x36.0xf1/', '\tURL:http://0x7f.1/', '<URL: http://0x7f.1/>'],
    { body: { 'header.referer': 'http://0x7f.1:8000/' } },
    { body: { url: 'http://[::1]:51004/callback' } },
    { body: { callback: 'http://[::1]:51004/callback' } },
    { body: { callback_url: 'http://[::1]:2375/' } },
    { body: { webhook: 'http://127.1/x it came too late, and so on' } },
    { body: { 'body.link': 'http://127.1/x it came too late, and so on' } },
  ],
  lookalikes: [
    'http://192.168.0.1:8080/\nhttp://192.168.0.2:8080/',
    'http://localhost:3000/',
    'http://[::ffff:129.144.52.38]:80/index.html',
    ...['https://203.0.113.9/status', 'URL: http://localhost:3000/', 'http://2001.example.org/'],
    'http://caf%c3%a9%2dbar.example.org/',
    { body: { 'query.redirect_uri': 'http://[::1]:51004/callback' } },
    { body: { 'header.referer': 'http://0.0.0.0:8000/docs' } },
    '//cdn.example.net/0x7f/1.js',
    'listen on http://0.0.0.0:8000/ or on http://[::1]:8000/ as you like, the manual says',
  ],
};

/** As programs print the address that they listen on. */
const standard: ReadonlySet<string> = new Set(['[::1]', '[::]', '0.0.0.0']);
