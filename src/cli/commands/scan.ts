import { createReadStream } from 'node:fs';
import { policyOf } from '../../config/load.ts';
import { categoryTitle } from '../../contract/category.ts';
import { errorCatalogue } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { noContext } from '../../contract/request.ts';
import type { Verdict } from '../../contract/verdict.ts';
import { type Command, UsageError } from '../command.ts';

export const scan: Command = {
  name: 'scan',
  summary: 'Screen a JSON object from a file or from standard input and print the verdict.',
  operands: '[file|-]',
  operandsMax: 1,
  options: [
    { name: 'text', help: 'take the input as one plain string value' },
    { name: 'human', help: 'print a summary instead of JSON' },
  ],
  settings: ['sensitivity', 'onIncomplete', 'trustedOrigins', 'categoriesOff', 'config'],
  notes: 'Exit code 0: allowed. 1: blocked. 2: the input cannot be screened.',
  async run(input, terminal) {
    const [file = '-'] = input.positionals;
    const bytes = file === '-' ? await readBounded(terminal.input) : await readInputFile(file);
    const text = decode(bytes);
    const body = input.isOn('text') ? JSON.stringify({ text }) : text;
    if (Buffer.byteLength(body) > limits.bodyBytesMax) {
      throw new UsageError(errorCatalogue['body-too-large'].advice);
    }
    const { createEngine } = await import('../../core/engine.ts');
    const policy = policyOf(input.config);
    const result = createEngine().screen({ body, context: noContext }, policy);
    if (result.kind === 'rejected') {
      const { title, advice } = errorCatalogue[result.fault];
      throw new UsageError(`${title}. ${advice} --text takes any text.`);
    }
    const { verdict } = result;
    terminal.out(
      input.isOn('human') ? humanSummary(verdict) : `${JSON.stringify(verdict, null, 2)}\n`,
    );
    return verdict.decision === 'block' ? 1 : 0;
  },
};

async function readInputFile(path: string): Promise<Buffer> {
  try {
    return await readBounded(createReadStream(path));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new UsageError(`${path} cannot be read (${code}); use - for standard input`);
  }
}

async function readBounded(chunks: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    kept.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > limits.bodyBytesMax) throw new UsageError(errorCatalogue['body-too-large'].advice);
  }
  return Buffer.concat(kept);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(errorCatalogue['body-not-utf8'].advice);
  }
}

function humanSummary(verdict: Verdict): string {
  const { decision, score, threshold, findings, coverage } = verdict;
  const lines = [
    `${decision === 'block' ? 'BLOCK' : 'ALLOW'}  score ${score}, threshold ${threshold}`,
  ];
  for (const finding of findings) {
    const place = finding.pointer === '' ? 'the whole body' : finding.pointer;
    const part = finding.where === 'name' ? ' (member name)' : '';
    lines.push(
      '',
      `${categoryTitle[finding.category]} in ${place}${part}`,
      `  rule      ${finding.rule} (${finding.cwe}, ${finding.severity}, score ${finding.score})`,
      `  why       ${finding.message}`,
      `  evidence  ${JSON.stringify(finding.evidence)}`,
    );
    if (finding.decoded.length > 0) lines.push(`  decoded   ${finding.decoded.join(' → ')}`);
  }
  if (!coverage.complete) lines.push('', `Not screened completely: ${coverage.reasons.join(', ')}`);
  return `${lines.join('\n')}\n`;
}
