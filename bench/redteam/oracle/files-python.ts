import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { python } from '../../lib/installed.ts';
import type { Effect } from '../contract.ts';
import { type FileOracle, makeShop } from './files.ts';
import { fileContext } from './files-contexts.ts';
import { startLineServer } from './line-server.ts';

const script = new URL('files.py', import.meta.url).pathname;

/** `files.py`: what applications in Python open. */
export const pythonFiles: FileOracle = {
  name: 'python files',
  category: 'traversal',
  language: 'path',
  tools: [python],
  contexts: [
    fileContext('os.path.join', ['query.file', 'logo.png'], { isAbsolute: true }),
    fileContext('format string', ['body.file', 'report.txt']),
    fileContext('format string and ending', ['query.name', 'report'], { suffix: '.txt' }),
    fileContext('pathlib', ['body.path', 'report.txt'], { isAbsolute: true }),
    fileContext('unquote', ['query.download', 'logo.png'], { disguise: 'percent' }),
    fileContext('each ../ removed', ['body.attachment', 'report.txt'], { disguise: 'nested' }),
    fileContext('leading slashes removed', ['query.doc', 'report.txt']),
    fileContext('commonprefix', ['body.document', 'report.txt'], { disguise: 'sibling' }),
    fileContext('urlopen of a file URL', ['query.src', 'logo.png'], { disguise: 'percent' }),
  ],
  start: async () => {
    const base = mkdtempSync(join(tmpdir(), 'sallyport-files-'));
    const root = makeShop(base);
    const program = { command: python, args: ['-I', script, root], limitMs: 5000 };
    const server = await startLineServer(program, { context: 'pathlib', value: '' });
    return {
      judge: async (context, [value = '']) => {
        const answer = await server.ask({ context: context.name, value });
        return (answer ?? 'error') as Effect;
      },
      close: async () => {
        await server.close();
        rmSync(base, { recursive: true, force: true });
      },
    };
  },
};
