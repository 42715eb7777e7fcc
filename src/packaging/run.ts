import { spawnSync } from 'node:child_process';

const outputBytesMax = 67_108_864;

/** Runs a program that must succeed; gives its standard output. */
export function run(program: string, words: readonly string[], cwd?: string): string {
  const done = spawnSync(program, words, { cwd, encoding: 'utf8', maxBuffer: outputBytesMax });
  if (done.status === 0) return done.stdout;
  throw new Error(`${program} ${words[0]} failed: ${done.error?.message ?? done.stderr}`);
}
