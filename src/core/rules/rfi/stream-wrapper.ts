import type { Url } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongestInclude } from '../../placement/include-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordList, wordSet } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `php://filter/…`: the stream wrappers of PHP, which read, decode and run what a path cannot. */
export const streamWrapper: ValueRule = {
  id: 'rfi.stream-wrapper',
  score: confidence.certain,
  message: 'uses a PHP stream wrapper to read or run what a file name alone cannot reach',
  trigger: {
    literals: [
      wordList(
        'php:/ phar:/ zip:/ expect:/ glob:/ compress. ssh2. ogg:/ rar:/ zlib: bzip2: php:\\',
      ),
    ],
  },
  judge: (subject) =>
    strongestInclude(subject, (url, isValue) => {
      const target = targetOf(subject, url);
      if (target === undefined) return 0;
      if (isValue) return confidence.certain;
      if (loads.test(subject.text.slice(Math.max(0, url.start - 16), url.start)))
        return confidence.strong;
      // Manuals quote the wrappers; a chain of filters is no quotation.
      return target.includes('resource=') ? confidence.likely : confidence.trace;
    }),
  examples: [
    ...['php://filter/convert.base64-encode/resource=index.php', 'php://input', 'expect://id'],
    ...['/view?page=zip://uploads/a.zip%23x.php', 'phar://avatar.jpg/x.php', 'glob:///etc/pass*'],
    ...['compress.zlib://http://203.0.113.5/x.txt', 'ssh2.sftp://user:pass@203.0.113.5/etc/hosts'],
    '<svg><image xlink:href="expect://id"/></svg>',
    { body: { page: 'glob://*.php' } },
  ],
  lookalikes: [
    ...['In PHP read the raw body from php://input, then decode it.', 'What to expect: //TODO'],
    ...['Zip: //unknown', 'the wrapper "phar://" is described in the manual'],
    'the zip:// and phar:// wrappers are described in the manual',
  ],
};

/** An attribute or an entity that loads what it names. */
const loads = /(?:\b(?:href|src|data)=|\bSYSTEM\s{1,4})["']$/i;

/** What a wrapper of PHP is asked for; undefined where there is none. */
function targetOf(subject: Subject, url: Url): string | undefined {
  if (url.slashes < 2) return undefined;
  const rest = subject.text.slice(url.authorityStart, Math.min(url.end, url.authorityStart + 400));
  if (url.scheme === 'php') return phpTarget.test(rest) ? rest : undefined;
  return wrappers.has(url.scheme) && wrappedTarget.test(rest) ? rest : undefined;
}

const phpTarget = /^(?:filter|input|stdin|fd|memory|temp|output)(?:$|[/&?#%\u0000'";, ])/i;
const wrappedTarget = /^[\w./%~{}$*?[-]/;

const wrappers: ReadonlySet<string> = wordSet(
  'phar zip expect glob compress.zlib compress.bzip2 ssh2.sftp ssh2.exec ssh2.shell',
  'ssh2.scp ssh2.tunnel ogg rar zlib bzip2',
);
