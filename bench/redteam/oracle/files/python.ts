import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { python } from '../../../lib/installed.ts';
import { startJudging } from '../line-oracle.ts';
import { fileContext } from './contexts.ts';
import { type FileOracle, makeShop } from './node.ts';

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
    const remove = () => rmSync(base, { recursive: true, force: true });
    // The program may be another user than we are.
    chmodSync(base, 0o755);
    try {
      const args = ['-I', script, root];
      const running = await startJudging({ command: python, args, answerMs: 5000 });
      return { ...running, close: () => running.close().finally(remove) };
    } catch (error) {
      remove();
      throw error;
    }
  },
};
