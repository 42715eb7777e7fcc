import { createReadStream } from 'node:fs';
import type { PolicyProblem } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import type { PolicyRecord } from '../contract/policies.ts';
import type { Shape } from '../contract/shape.ts';
import type { ShapeOptions, ShapeOutcome } from '../contract/shape-reader.ts';
import { inlineShapeReader } from '../shape/inline-reader.ts';
import { CommandError, type CommandInput, type Terminal, UsageError } from './command.ts';
import { readText } from './policy-file.ts';
import { inOneLine, table } from './table.ts';

/** The shape in a file, or in standard input for `-`. */
export async function readShapeFile(
  input: CommandInput,
  terminal: Terminal,
): Promise<Extract<ShapeOutcome, { kind: 'shape' }>> {
  const path = input.positionals[0] ?? '';
  const chunks = path === '-' ? terminal.input : createReadStream(path);
  const text = await readText(path, chunks, limits.shapeDocumentBytesMax);
  const outcome = await inlineShapeReader.read(text, optionsOf(input));
  if (outcome.kind === 'shape') return outcome;
  const list = outcome.problems.map((one) => `  - ${problemText(one)}`).join('\n');
  throw new UsageError(`${path} declares no shape that could be enforced:\n${list}`);
}

function optionsOf(input: CommandInput): ShapeOptions {
  const unlisted = input.text('unlisted');
  if (unlisted !== undefined && unlisted !== 'refuse' && unlisted !== 'screen') {
    throw new UsageError('--unlisted must be refuse or screen.');
  }
  return {
    ...(input.isOn('closed') ? { closed: true } : {}),
    ...(input.isOn('lenient') ? { lenient: true } : {}),
    ...(unlisted === undefined ? {} : { unlisted }),
  };
}

function problemText({ pointer, message }: PolicyProblem): string {
  return inOneLine(`${pointer === '' ? 'The document' : pointer} ${message}`, 500);
}

/** What is not enforced, for standard error. */
export function notesText(notes: readonly PolicyProblem[]): string {
  return notes.map((note) => `note: ${problemText(note)}\n`).join('');
}

/** The operations of a shape, one a line. */
export function shapeText(shape: Shape): string {
  const routes = shape.routes ?? [];
  const rows = routes.map(({ method, path, parameters = [], body }) => [
    method,
    inOneLine(path, 200),
    parameters.length === 0
      ? ''
      : `${parameters.length} parameter${parameters.length === 1 ? '' : 's'}`,
    Object.keys(body?.content ?? {}).join(' '),
  ]);
  const whole = shape.body === undefined ? '' : 'A schema of whole bodies.\n';
  const others = shape.unlisted === 'screen' ? 'are screened' : 'are refused';
  const rest = routes.length === 0 ? '' : `Requests without a route ${others}.\n`;
  return `${rows.length === 0 ? '' : `${table(rows)}\n`}${whole}${rest}`;
}

/** The shape of a policy. */
export function shapeOfPolicy(found: PolicyRecord | undefined): Shape {
  if (found?.document.shape !== undefined) return found.document.shape;
  throw new CommandError(
    `The policy ${found?.name ?? 'default'} declares no shape: sallyport shape import <file>.`,
  );
}
