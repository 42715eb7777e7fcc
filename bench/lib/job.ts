import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithUs } from './children.ts';
import { ownTarget } from './plan.ts';

/**
 * Runs a file of the suite as a process of its own and gives back what it answers. What was
 * compiled and collected in one measurement then cannot help or hurt another.
 */
export async function runJob<Input, Output>(
  job: string,
  input: Input,
  nodeFlags: readonly string[] = [],
): Promise<Output> {
  const { nodeFlags: ownFlags, ending } = ownTarget();
  const file = fileURLToPath(new URL(`../${job}${ending}`, import.meta.url));
  const child = fork(file, { execArgv: [...ownFlags, ...nodeFlags], serialization: 'advanced' });
  endWithUs(child);
  const ended = once(child, 'exit');
  try {
    const answer = new Promise<Output>((resolve) => {
      child.once('message', (message) => resolve(message as Output));
    });
    child.send(input as object);
    const early = ended.then(([code, signal]): never => {
      throw new Error(`${job} ended with ${code ?? signal} before it answered; see its output.`);
    });
    return await Promise.race([answer, early]);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** To be called by a job: answers the one message that its process is started for. */
export function answerJob<Input, Output>(work: (input: Input) => Output | Promise<Output>): void {
  process.once('message', async (input) => {
    const output = await work(input as Input);
    process.send?.(output);
  });
}
