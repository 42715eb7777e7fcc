import { confidence } from '../../placement/confidence.ts';
import { isPartMember, partDepthMax } from '../../placement/include-place.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/** The absolute path of a file, below a folder at the root of a Unix system. */
const rootPath =
  /^(?:file:\/\/)?\/{1,8}(?:\.?\/){0,8}(?:tmp|var|srv|opt|usr|etc|proc|root|mnt|run|dev\/(?:shm|fd))\/{1,8}[^\s/][^\s]{0,300}$/;

/** A file outside of the application where a part of a page is named. */
export const localScript: ValueRule = {
  id: 'rfi.local-script',
  severity: 'high',
  score: confidence.likely,
  message: 'names a file of the machine, by its absolute path, where a part of a page is included',
  trigger: {
    isOfValues: true,
    literals: [
      ['/tmp', '/var', '/srv', '/opt', '/usr', '/etc', '/proc', '/root', '/mnt', '/run', '/dev'],
    ],
  },
  examples: [
    { body: { 'query.lang': '/tmp/uploads/a1' } },
    { body: { theme: '/var/www/uploads/avatar' } },
    { body: { 'query.page': '/srv/shop/private/panel' } },
  ],
  lookalikes: [
    ...inMember('query.page', '/users/42', '/variants/blue'),
    ...[{ body: { path: '/var/www/html' } }, { body: { page: '/run' } }],
    { body: { template: '/etc/ is where settings are' } },
    { body: { frames: [{ module: '/usr/lib/libc.so' }] } },
  ],
  judge({ text, member, depth }): Match | undefined {
    if (depth > partDepthMax || !isPartMember(member) || !rootPath.test(text)) return undefined;
    return { start: 0, end: text.length };
  },
};
