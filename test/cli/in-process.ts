import { Readable } from 'node:stream';
import type { ExitCode, Terminal } from '../../src/cli/command.ts';
import { dispatch } from '../../src/cli/dispatch.ts';
import { paintFor } from '../../src/cli/paint.ts';

/** Runs a command in this process, where a test has more of them than it can start processes. */
export async function runInProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<{ readonly code: ExitCode; readonly out: string; readonly err: string }> {
  let [out, err] = ['', ''];
  const terminal: Terminal = {
    out: (text) => {
      out += text;
    },
    flow: async (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    input: Readable.from([Buffer.from(input)]),
    isInteractive: { in: false, out: false, err: false },
    paint: paintFor(false),
    isRead: () => true,
    onLine: () => undefined,
  };
  const code = await dispatch(args, environment, terminal);
  return { code, out, err };
}
