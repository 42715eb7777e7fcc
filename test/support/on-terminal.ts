import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { type CliOptions, cliCommand, collect } from './cli.ts';
import { requireTool } from './require-tool.ts';

/** What the program shows on a terminal; `input` is typed. Undefined when the test was skipped. */
export async function onTerminal(
  t: TestContext,
  args: readonly string[],
  options: CliOptions,
): Promise<string | undefined> {
  if (!requireTool(t, 'script')) return undefined;
  const { program, env } = cliCommand(args, options);
  const line = program.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  // Node takes a machine that builds for one without colours.
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...rest } = env;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: options.cwd,
    env: { ...rest, TERM: 'xterm-256color', ...options.environment },
  });
  child.stdin.end(options.input ?? '');
  const out = collect(child.stdout);
  await once(child, 'close');
  return out();
}
