import { printable } from '../../contract/printable.ts';
import type { ClosableLog } from './logger.ts';
import { redactFields, redactText } from './redact.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';
/** The least first. */
const levels: readonly string[] = ['debug', 'info', 'warn', 'error'] satisfies Level[];

const colours = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' } as const;
const blockColour = 'bold';
type Style = (typeof colours)[Level] | typeof blockColour;

const textCharsMax = 200;

/** How lines for people are written. */
export interface ReadableLogOptions {
  /** As of the JSON log. */
  readonly level: string;
  readonly write: (text: string) => void;
  /** Colours a text for its reader, or leaves it as it is. */
  readonly paint: (style: Style, text: string) => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * A log for somebody at a terminal: one short line for each event. Of a block: time, decision, rule,
 * place, client and id. What a stranger wrote cannot steer the terminal.
 */
export function createReadableLog(options: ReadableLogOptions): ClosableLog {
  const { write, clock, paint } = options;
  const least = levels.indexOf(options.level);
  const writeLine = (style: Style, word: string, text: string): void => {
    const time = new Date(clock()).toTimeString().slice(0, 8);
    write(`${time}  ${paint(style, word.padEnd(wordLength))}  ${text}\n`);
  };
  const at =
    (level: Level): ClosableLog['info'] =>
    (fields, message) => {
      if (least === -1 || levels.indexOf(level) < least) return;
      writeLine(colours[level], level, sentence(message, redactFields(fields)));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    line(members, message) {
      if (least === -1 || levels.indexOf('info') < least) return;
      writeLine(blockColour, message, blockText(JSON.parse(`{${members}}`)));
    },
    close: () => Promise.resolve(),
  };
}

/** `would block` is the longest word at the head of a line. */
const wordLength = 11;

interface Members {
  readonly [name: string]: unknown;
}

/** Rule, place, client and request of a block, from the fields of its line. */
function blockText(fields: Members): string {
  const [rule = 'not screened completely', pointer, client, method, domain = '', path = ''] = [
    ['rule', 'id'],
    ['sallyport', 'pointer'],
    ['source', 'ip'],
    ['http', 'request', 'method'],
    ['url', 'domain'],
    ['url', 'path'],
  ].map((names) => valueAt(fields, ...names));
  return [
    short(rule),
    ...(pointer === undefined ? [] : [`at ${short(pointer)}`]),
    ...(client === undefined ? [] : [`from ${short(client)}`]),
    ...(method === undefined ? [] : [`(${short(`${method} ${domain}${path}`)})`]),
    `id ${short(valueAt(fields, 'event', 'id'))}`,
  ].join('  ');
}

/** A message with its fields, such as `pepper made  path=data/pepper`. */
function sentence(message: string, fields: Members): string {
  const named = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${short(readable(value))}`],
  );
  return [printable(redactText(message)), ...named].join('  ');
}

/** Of an error its message: whoever wants its place reads the JSON log. */
function readable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return valueAt(value as Members, 'message') ?? JSON.stringify(value);
}

function short(value: unknown): string {
  const text = printable(String(value));
  return text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text;
}

function valueAt(fields: Members, ...path: readonly string[]): unknown {
  let value: unknown = fields;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Members)[name];
  }
  return value;
}
