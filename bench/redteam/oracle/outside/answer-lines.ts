import { createInterface } from 'node:readline';
import type { Effect } from '../../contract.ts';
import type { Question } from '../line-oracle.ts';

/** Vulnerable code: says whether a canary was reached; throws for what is no valid input. */
export type Victim = (values: readonly string[], names: readonly string[]) => boolean;

/** Answers questions on standard input until it ends. */
export function answerLines(victims: Readonly<Record<string, Victim>>): void {
  // What is judged may print as well.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  process.on('uncaughtException', () => undefined);
  process.on('unhandledRejection', () => undefined);
  createInterface({ input: process.stdin }).on('line', (line) => {
    write(`${effectOf(JSON.parse(line), victims)}\n`);
  });
  write('ready\n');
}

function effectOf(question: Question, victims: Readonly<Record<string, Victim>>): Effect {
  const victim = victims[question.context];
  if (victim === undefined) throw new Error(`no code for the context ${question.context}`);
  try {
    return victim(question.values, question.names) ? 'effective' : 'inert';
  } catch {
    return 'error';
  }
}
