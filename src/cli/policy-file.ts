import { createReadStream, writeFileSync } from 'node:fs';
import type { Kysely } from 'kysely';
import type { Policies, PolicyChange, PolicyRecord } from '../contract/policies.ts';
import { createEngine } from '../core/engine.ts';
import { createPolicies } from '../policies/policies.ts';
import { createSqlPolicyStore } from '../policies/sql-policy-store.ts';
import { inlineShapeReader } from '../shape/inline-reader.ts';
import { codeOf } from '../storage/error-code.ts';
import type { Tables } from '../storage/tables.ts';
import { type Terminal, UsageError } from './command.ts';
import { nameFrom } from './names.ts';
import type { Paint } from './paint.ts';
import { inOneLine } from './table.ts';

const fileBytesMax = 1_048_576;
const valueCharsMax = 200;

/** A policy in a file. */
export interface PolicyFile {
  /** The id of the policy, or its name. */
  readonly policy: string;
  readonly name: string;
  /** The version that the document was made from. */
  readonly version: number | undefined;
  readonly document: unknown;
}

/** The policies of a database, for a command: a running server learns of a change by itself. */
export function openPolicies(database: Kysely<Tables>): Policies {
  const engine = createEngine();
  return createPolicies({
    store: createSqlPolicyStore(database),
    explainer: { checkPolicy: async (document) => engine.checkPolicy(document) },
    shapes: inlineShapeReader,
    refresh: async () => undefined,
    shadow: () => undefined,
    clock: Date.now,
  });
}

/** A policy as the text of its file. */
export function policyFileText({ id, name, version, document }: PolicyRecord): string {
  return `${JSON.stringify({ policy: id, name, version, document }, null, 2)}\n`;
}

/** Writes a file in the place of an earlier one. */
export function writePolicyFile(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`${path} cannot be written (${codeOf(error)}); name another --output.`);
  }
}

/** Reads the file of a policy, or standard input for `-`. */
export async function readPolicyFile(path: string, terminal: Terminal): Promise<PolicyFile> {
  const text = await readText(path, path === '-' ? terminal.input : createReadStream(path));
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(
      `${path} is not JSON (${error instanceof Error ? error.message : error}).`,
    );
  }
  const { policy, name, version, document, ...rest } = membersOf(content);
  const [unknown] = Object.keys(rest);
  const isWhole = typeof policy === 'string' && document !== undefined && unknown === undefined;
  const isVersion = version === undefined || (Number.isSafeInteger(version) && Number(version) > 0);
  if (!isWhole || !isVersion || (name !== undefined && typeof name !== 'string')) {
    throw new UsageError(
      `${path} must be an object with policy, name, version and document, as ` +
        '`sallyport policies export` writes it' +
        `${unknown === undefined ? '' : `; ${unknown} is not known`}.`,
    );
  }
  return {
    policy,
    name: nameFrom(`name in ${path}`, name ?? policy),
    version: version === undefined ? undefined : Number(version),
    document,
  };
}

/** The text of a file, or of standard input. */
export async function readText(
  path: string,
  chunks: AsyncIterable<Buffer | string>,
  bytesMax = fileBytesMax,
): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      kept.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes > bytesMax) break;
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${codeOf(error)}); use - for standard input.`);
  }
  if (bytes <= bytesMax) return Buffer.concat(kept).toString();
  throw new UsageError(
    `${path} is longer than ${bytesMax} bytes; leave descriptions out, or split it.`,
  );
}

function membersOf(content: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  return isObject ? { ...content } : {};
}

/** Changes as lines of a diff. */
export function diffLines(changes: readonly PolicyChange[], paint: Paint): string {
  return changes
    .map(({ op, pointer, from, to }) => {
      if (op === 'add') return `${paint('green', `+ ${pointer}  ${shown(to)}`)}\n`;
      if (op === 'remove') return `${paint('red', `- ${pointer}  ${shown(from)}`)}\n`;
      return `${paint('yellow', `~ ${pointer}  ${shown(from)} → ${shown(to)}`)}\n`;
    })
    .join('');
}

function shown(value: unknown): string {
  return inOneLine(JSON.stringify(value), valueCharsMax);
}
