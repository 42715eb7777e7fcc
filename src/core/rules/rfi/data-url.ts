import { confidence } from '../../placement/confidence.ts';
import { isIncludeMember, isPartMember, strongestInclude } from '../../placement/include-place.ts';
import type { ValueRule } from '../rule.ts';

/** `data://text/plain;base64,…`: a file whose content the client sends along. */
export const dataUrl: ValueRule = {
  id: 'rfi.data-url',
  score: confidence.strong,
  message: 'gives a file name that carries the content of the file, to have it run',
  trigger: { literals: [['data:']] },
  judge: (subject) =>
    strongestInclude(subject, (url, isValue) => {
      if (url.scheme !== 'data') return 0;
      // What stands in another line is no part of it.
      const [rest = ''] = subject.text
        .slice(url.authorityStart, url.authorityStart + 400)
        .split('\n', 1);
      // `/data:;base64,=`: nothing is carried.
      const isText = textType.test(rest) && (url.slashes > 1 || !empty.test(rest));
      if (!isText && !code.test(rest)) return 0;
      if (code.test(rest)) return isValue ? confidence.certain : confidence.likely;
      // The wrapper of PHP has slashes, the URL of a browser has none.
      if (url.slashes >= 2) return isValue ? confidence.strong : confidence.hint;
      if (!isValue) return 0;
      const isNamed = isIncludeMember(subject.member) || isPartMember(subject.member);
      return url.place === 'parameter' || isNamed ? confidence.likely : confidence.hint;
    }),
  examples: [
    ...['data://text/plain;base64,PD9waHAgZWNobyAxOw==', 'data:,<?php phpinfo();'],
    '/index.php?page=data:text/plain,<?php echo 1; ?>',
    { body: { include: 'data:text/plain;base64,PD9waHAgZWNobyAxOw==' } },
    { body: { page: 'DATA:text/plain;base64,aGVsbG8=' } },
  ],
  lookalikes: [
    ...['data:image/png;base64,iVBORw0KGgoAAAANSUhEUg', 'our data: text/plain files only'],
    'data:text/plain;charset=utf-8,Hello%20World',
    'url(data:image/svg+xml;utf8,%3Csvg%3E);\nthen see what phpinfo says',
    { body: { path: '/data:;base64,=' } },
    { body: { file: 'data:text/plain;base64,aGVsbG8=', page: 'data: 5, 7' } },
  ],
};

const textType =
  /^(?:text\/(?:plain|html|php|x-php)?|application\/(?:x-httpd-php|x-php))?[;,]|^text\/plain/i;
const empty = /^[^,]{0,80},=?\s{0,4}$/;
const code = /<\?(?:php|=)|<%|PD9waH|PD89|system\(|phpinfo/i;
