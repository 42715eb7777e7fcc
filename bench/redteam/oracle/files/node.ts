import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Oracle, Reply } from '../../contract.ts';
import { type FileContext, fileContext, hidden, served } from './contexts.ts';

/** An oracle whose contexts open files. */
export interface FileOracle extends Oracle {
  readonly contexts: readonly FileContext[];
}

/** The path that the application opens; it throws where it refuses the value. */
type PathOf = (root: string, value: string) => string;

function refuse(isBad: boolean): void {
  if (isBad) throw new RangeError('The application refuses the value.');
}

const cases: readonly (readonly [FileContext, PathOf])[] = [
  [fileContext('path.join', ['query.file', 'logo.png']), (root, v) => join(root, v)],
  [fileContext('root + value', ['body.file', 'report.txt']), (root, v) => `${root}/${v}`],
  [
    fileContext('root + value + ending', ['query.page', 'home'], { suffix: '.html' }),
    (root, v) => `${root}/${v}.html`,
  ],
  [
    fileContext('word before the value', ['body.user', 'ann/note.txt'], { hasPrefix: true }),
    (root, v) => join(root, `user_${v}`),
  ],
  [
    fileContext('folder in the middle', ['query.section', 'guide'], { suffix: '/index.html' }),
    (root, v) => join(root, v, 'index.html'),
  ],
  [
    fileContext('path.resolve', ['body.path', 'report.txt'], { isAbsolute: true }),
    (root, v) => resolve(root, v),
  ],
  [
    fileContext('decoded once', ['query.download', 'logo.png'], { disguise: 'percent' }),
    (root, v) => {
      refuse(v.includes('../'));
      return join(root, decodeURIComponent(v));
    },
  ],
  [
    fileContext('decoded twice', ['query.image', 'logo.png'], { disguise: 'percent twice' }),
    (root, v) => {
      refuse(/\.\.\/|%2e%2e/i.test(decodeURIComponent(v)));
      return join(root, decodeURIComponent(decodeURIComponent(v)));
    },
  ],
  [
    fileContext('first ../ removed', ['body.template', 'home.html']),
    (root, v) => join(root, v.replace('../', '')),
  ],
  [
    fileContext('each ../ removed once', ['body.attachment', 'report.txt'], { disguise: 'nested' }),
    (root, v) => join(root, v.replaceAll('../', '')),
  ],
  [
    fileContext('begins with the root', ['query.doc', 'report.txt'], { disguise: 'sibling' }),
    (root, v) => {
      const path = resolve(root, v);
      refuse(!path.startsWith(root));
      return path;
    },
  ],
  [
    fileContext('backslashes made slashes', ['body.filename', 'logo.png'], {
      disguise: 'backslash',
    }),
    (root, v) => {
      refuse(v.includes('../'));
      return join(root, v.replaceAll('\\', '/'));
    },
  ],
  [
    fileContext('normalised after the check', ['body.title', 'report.txt'], { disguise: 'wide' }),
    (root, v) => {
      refuse(v.includes('../'));
      return join(root, v.normalize('NFKC'));
    },
  ],
  [
    fileContext('control characters removed after the check', ['body.name', 'report.txt'], {
      disguise: 'broken by controls',
    }),
    (root, v) => {
      refuse(v.includes('..'));
      return join(root, v.replace(/[\0-\x1f\x7f]/g, ''));
    },
  ],
  [
    fileContext('file URL', ['query.src', 'logo.png'], { disguise: 'url', isAbsolute: true }),
    (root, v) => fileURLToPath(new URL(v, `file://${root}/`)),
  ],
  [
    fileContext('static server', ['query.path', 'guide/index.html'], { disguise: 'percent dots' }),
    (root, v) => `${root}/${decodeURI(v.split(/[?#]/)[0] ?? '')}`,
  ],
];

/** Makes the tree of an application and gives its folder `files`, which is to be served. */
export function makeShop(base: string): string {
  const shop = join(base, 'srv/www/shop');
  const files = [
    ...served.map((name) => [`files/${name}`, 'served\n'] as const),
    ...Object.entries(hidden),
  ];
  for (const [name, content] of files) {
    mkdirSync(dirname(join(shop, name)), { recursive: true });
    writeFileSync(join(shop, name), content);
  }
  return realpathSync(join(shop, 'files'));
}

/** The functions of Node that applications use; what they open decides. */
export const nodeFiles: FileOracle = {
  name: 'node files',
  category: 'traversal',
  language: 'path',
  tools: [],
  contexts: cases.map(([context]) => context),
  start: async () => {
    const base = mkdtempSync(join(tmpdir(), 'sallyport-files-'));
    const root = makeShop(base);
    const pathOf = new Map(cases.map(([context, of]) => [context.name, of]));
    const open = (name: string, value: string, bytesMax: number): Reply => {
      const of = pathOf.get(name);
      if (of === undefined) throw new RangeError(`No such context: ${name}`);
      return opened(root, () => of(root, value), bytesMax);
    };
    return {
      judge: async ({ name }, [value = '']) => open(name, value, 0).effect,
      reply: async ({ name }, [value = '']) => open(name, value, shownBytesMax),
      close: async () => rmSync(base, { recursive: true, force: true }),
    };
  },
};

/** Of a file that is shown. */
const shownBytesMax = 4_000;

/** Opens the file for reading and asks the system which one it is. */
function opened(root: string, pathOf: () => string, bytesMax: number): Reply {
  let path: string;
  try {
    path = pathOf();
  } catch (error) {
    return { effect: 'error', text: String(error), hasFailed: true };
  }
  let file: number | undefined;
  try {
    // A pipe or a terminal would make us wait.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const real = readlinkSync(`/proc/self/fd/${file}`);
    if (!fstatSync(file).isFile()) return { effect: 'inert', text: 'No file', hasFailed: true };
    const bytes = Buffer.alloc(bytesMax);
    const text = bytes.toString('latin1', 0, bytesMax === 0 ? 0 : readSync(file, bytes));
    return { effect: real.startsWith(`${root}/`) ? 'inert' : 'effective', text };
  } catch (error) {
    const isRefused = (error as NodeJS.ErrnoException).code === 'ERR_INVALID_ARG_VALUE';
    return { effect: isRefused ? 'error' : 'inert', text: String(error), hasFailed: true };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
