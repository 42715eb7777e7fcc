import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { python } from '../../lib/installed.ts';
import type { Reader } from '../engine/reader.ts';
import { outside, type Program, processReader } from './process-reader.ts';

const inPython = (kind: string) => ({
  command: python,
  args: (port: number) => ['reader.py', kind, String(port)],
});

/** Readers outside of Node: a proxy stands in front and asks `/forward`. */
export const outsideReaders: readonly Reader[] = [
  processReader('php', ['php'], {
    command: 'php',
    args: (port) => ['-d', 'display_errors=0', '-S', `127.0.0.1:${port}`, 'reader.php'],
  }),
  processReader('python', ['python3'], inPython('by-hand')),
  processReader('flask', ['python3', 'python3 -m flask'], inPython('flask')),
  processReader('django', ['python3', 'python3 -m django'], inPython('django')),
  processReader('go', ['go'], buildGo),
  processReader('rack', ['ruby', 'puma'], {
    command: 'puma',
    args: (port) => ['--silent', '-t', '1:1', '-b', `tcp://127.0.0.1:${port}`, 'reader.ru'],
    // Puma 5 does not answer a bad request behind a good one.
    closesEach: true,
  }),
];

async function buildGo(): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-go-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const binary = join(folder, 'reader');
  await promisify(execFile)('go', ['build', '-o', binary, 'reader.go'], { cwd: outside });
  return { command: binary, args: (port) => [String(port)] };
}
