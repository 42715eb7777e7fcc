import { readFileSync } from 'node:fs';
import { startJudging } from '../line-oracle.ts';
import { type FileContext, fileContext, hidden, served } from './contexts.ts';
import type { FileOracle } from './node.ts';

// With a private /tmp and /etc, which remember reads; nothing else is writable for its user.
const setUp = `
mount -t tmpfs -o strictatime,size=4m tmpfs /tmp
for folder in /var/tmp /dev/shm /run/lock; do
  if [ -d $folder ]; then mount -t tmpfs -o size=1m tmpfs $folder; fi
done
mkdir /tmp/etc
for name in passwd group shadow hosts hostname issue fstab os-release crontab resolv.conf; do
  echo canary > /tmp/etc/$name
done
eval "$MAKE_SHOP"
# Its name is a link by way of /etc.
php=$(readlink -f "$(command -v php)")
mount --bind /tmp/etc /etc
exec "$php" -n -d display_errors=0 -d extension=posix -d allow_url_include=1 -d memory_limit=64M \\
  -d disable_functions=system,exec,passthru,shell_exec,popen,proc_open,phpinfo,mail \\
  -r "$CODE"
`;

function makeShop(): string {
  const files = [
    ...served.map((name) => [`files/${name}`, 'served'] as const),
    ...Object.entries(hidden),
    ...[['files/user_ann/theme.php', '<?php'] as const, ['private/theme.php', 'canary'] as const],
  ];
  return files
    .map(([name, content]) => {
      const path = `/tmp/srv/www/shop/${name}`;
      return `mkdir -p ${path.slice(0, path.lastIndexOf('/'))}; echo '${content.replace(/'.*/s, '')}' > ${path}`;
    })
    .join('\n');
}

function phpOracle(
  name: string,
  category: 'traversal' | 'rfi',
  contexts: readonly FileContext[],
): FileOracle {
  return {
    name,
    category,
    language: 'path',
    tools: ['php', 'unshare'],
    contexts,
    start: async () => {
      const apart = ['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc'];
      const code = readFileSync(new URL('files.php', import.meta.url), 'utf8');
      return startJudging({
        command: 'unshare',
        args: [...apart, '--fork', '--kill-child', 'sh', '-ec', setUp],
        env: {
          PATH: process.env['PATH'] ?? '',
          CODE: code.replace(/^<\?php/, ''),
          MAKE_SHOP: makeShop(),
        },
        answerMs: 5000,
      });
    },
  };
}

/** `files.php`: what applications in PHP open. */
export const phpFiles: FileOracle = phpOracle('php files', 'traversal', [
  fileContext('include', ['query.page', 'home.php']),
  fileContext('include with ending', ['query.view', 'home'], { suffix: '.php' }),
  fileContext('readfile', ['query.file', 'report.txt']),
  fileContext('file_get_contents, whole', ['body.source', 'files/report.txt'], {
    isAbsolute: true,
  }),
  fileContext('each ../ removed', ['body.attachment', 'report.txt'], { disguise: 'nested' }),
  fileContext('urldecode', ['query.download', 'logo.png'], { disguise: 'percent' }),
  fileContext('fopen in a folder', ['body.note', 'note.txt'], { depth: 2 }),
]);

/** The same, where the value begins the path: code from elsewhere is included. */
export const phpInclude: FileOracle = phpOracle('php include', 'rfi', [
  fileContext('include, whole', ['query.page', 'files/home.php'], { isAbsolute: true }),
  fileContext('include, whole, with ending', ['query.lang', 'files/home'], {
    isAbsolute: true,
    suffix: '.php',
  }),
  fileContext('include_once, http refused', ['query.module', 'files/home.php'], {
    isAbsolute: true,
    disguise: 'url',
  }),
  fileContext('require of a theme', ['body.theme', 'files/user_ann'], {
    isAbsolute: true,
    suffix: '/theme.php',
  }),
]);
