import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = join(root, 'dist/src/cli/bin.js');
/** The build starts in half the time: where it is newer than each source, it is what runs. */
const program = isBuilt() ? built : join(root, 'src/cli/bin.ts');

function isBuilt(): boolean {
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  return ['src', 'workers'].every((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .every((path) => statSync(join(root, folder, path)).mtimeMs < mtimeMs),
  );
}

/** What a finished process left. */
export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** How a process is started, beyond its arguments. */
export interface CliOptions {
  /** Working directory; `./data` would be made there. */
  readonly cwd: string;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The words before the program, of a command that runs it. */
  readonly prefix?: readonly string[];
}

/** Starts the command-line program as a process of its own, without the settings of this one. */
export function spawnCli(
  args: readonly string[],
  options: CliOptions,
): ChildProcessWithoutNullStreams {
  const { program, env } = cliCommand(args, options);
  const [first = '', ...rest] = [...(options.prefix ?? []), ...program];
  return spawn(first, rest, { cwd: options.cwd, env, stdio: 'pipe' });
}

/** The words that start the command-line program, and its environment. */
export function cliCommand(args: readonly string[], { environment }: CliOptions) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SALLYPORT_'));
  return {
    program: [process.execPath, program, ...args],
    env: { ...Object.fromEntries(inherited), ...environment },
  };
}

/** Runs the command-line program to its end. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<Finished> {
  const child = spawnCli(args, options);
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: out(), err: err() };
}

/** Keeps what a stream says; the result gives all of it so far. */
export function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
