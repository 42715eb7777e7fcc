import type { Row } from '../clients/requests.ts';

/** A request of the conformance suite in its parts, its body without chunks. */
export interface SplitRow {
  readonly line: string;
  readonly method: string;
  readonly target: string;
  /** Lower-case name and value. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export function splitRow({ bytes }: Pick<Row, 'bytes'>): SplitRow {
  const headEnd = bytes.indexOf('\r\n\r\n');
  const [line = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = lines.map((one) => {
    const colon = one.indexOf(':');
    return [one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim()] as const;
  });
  const body = bytes.subarray(headEnd + 4);
  const isChunked = headers.some(([name]) => name === 'transfer-encoding');
  return { line, method, target, headers, body: isChunked ? unchunked(body) : body };
}

function unchunked(body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(pieces);
    pieces.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
