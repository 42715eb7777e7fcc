import { JsonSplitter, type Piece, PieceBuffer } from './split-json.ts';

/** How an input is cut into values. */
export const formats = ['auto', 'json', 'ndjson', 'lines', 'text'] as const;
export type Format = (typeof formats)[number];

/** A piece and its place: a line of the input, or the number of a value. From 1. */
export interface Placed {
  readonly piece: Piece;
  readonly place: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from('\uFEFF');
/** A first line that is longer does not decide the format. */
const firstLineBytesMax = 1_048_576;

/** The format that the name of a file tells. */
export function formatOfName(name: string): Format {
  if (/\.(?:ndjson|jsonl)$/i.test(name)) return 'ndjson';
  if (/\.(?:txt|log)$/i.test(name)) return 'lines';
  return 'auto';
}

/** Cuts an input into pieces, while it is read. `onBytes` gets the number of bytes read. */
export async function* piecesOf(
  chunks: AsyncIterable<Buffer | string>,
  wanted: Format,
  onBytes: (count: number) => void,
): AsyncGenerator<Placed & { readonly format: Exclude<Format, 'auto'> }> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let format = wanted;
  let cutter: Cutter | undefined;
  const begin = () => {
    const bytes = withoutMark(head ?? Buffer.alloc(0));
    head = undefined;
    if (format === 'auto') format = sniff(bytes);
    cutter = cutterFor(format);
    return cutter.push(bytes);
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    onBytes(bytes.length);
    let placed: readonly Placed[];
    if (head === undefined) {
      placed = cutter?.push(bytes) ?? [];
    } else {
      head = Buffer.concat([head, bytes]);
      const isEnough = head.includes(lineFeed) || head.length > firstLineBytesMax;
      placed = isEnough ? begin() : [];
    }
    for (const one of placed) yield { ...one, format: decided(format) };
  }
  const rest = [...(head === undefined ? [] : begin()), ...(cutter?.end() ?? [])];
  for (const one of rest) yield { ...one, format: decided(format) };
}

function decided(format: Format): Exclude<Format, 'auto'> {
  return format === 'auto' ? 'json' : format;
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
}

/** Newline-delimited JSON is recognised by its first line: it is a whole value. */
function sniff(bytes: Buffer): Format {
  const text = bytes.toString().trimStart();
  const [first = ''] = text.split('\n', 1);
  if (first.startsWith('[')) return 'json';
  try {
    JSON.parse(first);
    return 'ndjson';
  } catch {
    return 'json';
  }
}

interface Cutter {
  push(bytes: Buffer): readonly Placed[];
  end(): readonly Placed[];
}

function cutterFor(format: Format): Cutter {
  if (format === 'text') return new WholeCutter();
  return format === 'json' ? new ValueCutter() : new LineCutter();
}

class ValueCutter implements Cutter {
  readonly #splitter = new JsonSplitter();
  #count = 0;

  push(bytes: Buffer): readonly Placed[] {
    return this.#placed(this.#splitter.push(bytes));
  }

  end(): readonly Placed[] {
    return this.#placed(this.#splitter.end());
  }

  #placed(pieces: readonly Piece[]): readonly Placed[] {
    return pieces.map((piece) => {
      this.#count += 1;
      return { piece, place: this.#count };
    });
  }
}

/** Lines that are not empty. */
class LineCutter implements Cutter {
  readonly #buffer = new PieceBuffer();
  #line = 1;

  push(bytes: Buffer): readonly Placed[] {
    const placed: Placed[] = [];
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      this.#buffer.add(bytes.subarray(start, end));
      placed.push(...this.end());
      this.#line += 1;
      start = end + 1;
    }
    this.#buffer.add(bytes.subarray(start));
    return placed;
  }

  end(): readonly Placed[] {
    const piece = this.#buffer.take();
    if (piece.kind === 'too-long') return [{ piece, place: this.#line }];
    const { bytes } = piece;
    const line = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
    if (line.every((byte) => byte === 0x20 || byte === 0x09)) return [];
    return [{ piece: { kind: 'bytes', bytes: line }, place: this.#line }];
  }
}

class WholeCutter implements Cutter {
  readonly #buffer = new PieceBuffer();

  push(bytes: Buffer): readonly Placed[] {
    this.#buffer.add(bytes);
    return [];
  }

  end(): readonly Placed[] {
    return [{ piece: this.#buffer.take(), place: 1 }];
  }
}
