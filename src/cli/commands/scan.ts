import { policyOf } from '../../config/load.ts';
import { errorCatalogue } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Policy } from '../../contract/policy.ts';
import { noContext } from '../../contract/request.ts';
import type { Engine } from '../../core/engine.ts';
import { type Command, UsageError } from '../command.ts';
import type { ScanInput } from '../scan/inputs.ts';
import { type Format, formatOfName, formats, piecesOf } from '../scan/pieces.ts';
import { type Outcome, ScanReport } from '../scan/report.ts';
import type { Piece } from '../scan/split-json.ts';

export const scan: Command = {
  name: 'scan',
  summary: 'Screen JSON, lines or texts from files or from standard input and print the verdicts.',
  operands: '[file|folder|pattern|-]...',
  operandsMax: Number.POSITIVE_INFINITY,
  operandValues: 'files',
  options: [
    {
      name: 'format',
      value: `<${formats.join('|')}>`,
      help: 'how the input is cut into values [auto]',
      values: formats,
    },
    { name: 'text', help: 'take each input as one plain string value: --format text' },
    { name: 'human', help: 'print for people [on a terminal]' },
    { name: 'json', help: 'print JSON [elsewhere]' },
  ],
  settings: ['sensitivity', 'onIncomplete', 'trustedOrigins', 'categoriesOff', 'config'],
  notes: `Formats: json is values that follow each other, and the items of arrays; ndjson is a value a
line; lines is a text a line; text is the whole input as one text. auto goes by the name (.ndjson,
.jsonl; .txt and .log are lines) or by the first line. A value that is no object is screened as
{"value": ...}, a text as {"text": ...}. A value may have ${limits.bodyBytesMax.toLocaleString('en-US')} bytes, an input any number.
One value gives its verdict; several give one JSON object a line, or for people the blocks and
a table. Hidden files of folders are left out.
Exit code 0: all allowed. 1: a value was blocked. 2: none was, and one could not be screened.`,
  async run(input, terminal) {
    const { createEngine } = await import('../../core/engine.ts');
    const { inputsOf } = await import('../scan/inputs.ts');
    const format = formatOf(input.text('format'), input.isOn('text'));
    const isHuman = input.isOn('human') || (terminal.isInteractive.out && !input.isOn('json'));
    const report = new ScanReport(terminal, isHuman);
    const screen = screening(createEngine(), policyOf(input.config));
    for (const one of inputsOf(input.positionals, terminal.input)) {
      if (!terminal.isRead()) break;
      await scanInput({ input: one, format, screen, report, isRead: terminal.isRead });
    }
    return report.end();
  },
};

function formatOf(text: string | undefined, isText: boolean): Format {
  if (isText && (text ?? 'text') !== 'text') {
    throw new UsageError('--text is --format text: leave one of them out.');
  }
  const wanted = text ?? (isText ? 'text' : 'auto');
  const found = formats.find((format) => format === wanted);
  if (found !== undefined) return found;
  throw new UsageError(`--format must be one of ${formats.join(', ')}, not ${wanted}.`);
}

type Screen = (text: string) => Outcome['result'];

function screening(engine: Engine, policy: Policy): Screen {
  return (body) => {
    if (Buffer.byteLength(body) > limits.bodyBytesMax) return tooLong(Buffer.byteLength(body));
    const result = engine.screen({ body, context: noContext }, policy);
    if (result.kind === 'verdict') return { verdict: result.verdict };
    const { title, advice } = errorCatalogue[result.fault];
    return { error: `${title}. ${advice}` };
  };
}

async function scanInput(job: {
  readonly input: ScanInput;
  readonly format: Format;
  readonly screen: Screen;
  readonly report: ScanReport;
  readonly isRead: () => boolean;
}): Promise<void> {
  const { input, screen, report } = job;
  const source = input.name;
  const wanted = job.format === 'auto' ? formatOfName(source) : job.format;
  let last = 0;
  try {
    const pieces = piecesOf(input.open(), wanted, (count) => report.addBytes(count));
    for await (const { piece, place: number, format } of pieces) {
      last = number;
      const result = resultOf(piece, format, screen);
      const place = format === 'ndjson' || format === 'lines' ? { line: number } : { item: number };
      await report.add({ source, place, result });
      // Where a value ends is not known any more.
      if ('error' in result && format === 'json' && piece.kind === 'bytes') return;
      if (!job.isRead()) return;
    }
    if (last === 0) await report.add({ source, place: { item: 1 }, result: nothing });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    const text = `cannot be read (${code}); use - for standard input`;
    await report.add({ source, place: { item: last + 1 }, result: { error: text } });
  }
}

const nothing = { error: 'holds no value' };

function resultOf(piece: Piece, format: Format, screen: Screen): Outcome['result'] {
  if (piece.kind === 'too-long') return tooLong(piece.length);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(piece.bytes);
  } catch {
    return { error: errorCatalogue['body-not-utf8'].advice };
  }
  if (format === 'lines' || format === 'text') return screen(JSON.stringify({ text }));
  const result = screen(text.trimStart().startsWith('{') ? text : `{"value":${text}}`);
  return 'error' in result ? { error: `${result.error} --text takes any text.` } : result;
}

function tooLong(length: number): Outcome['result'] {
  return {
    error:
      `Not screened: ${length.toLocaleString('en-US')} bytes. ` +
      `${errorCatalogue['body-too-large'].advice}`,
  };
}
