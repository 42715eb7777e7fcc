import type { Exchange } from '../exchange.ts';
import { statusLine } from '../problem.ts';
import type { ApiAnswer } from './api-route.ts';
import { startStreaming } from './streaming.ts';

/** Characters that are collected before they are sent. */
const chunkChars = 65_536;

/** Answers with lines, as a file. Reads on only as fast as the reader takes them. */
export function sendLines(
  exchange: Exchange,
  { lines, fileName }: Extract<ApiAnswer, { readonly kind: 'lines' }>,
  type = 'text/plain',
): void {
  if (exchange.phase !== 'open') return;
  const streaming = startStreaming(exchange, {
    status: statusLine(200),
    type,
    headers: [
      ['content-disposition', `attachment; filename="${fileName}"`],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
    ],
  });
  const pump = async () => {
    let chunk = '';
    for await (const line of lines) {
      chunk += line;
      if (chunk.length < chunkChars) continue;
      const isBehind = !streaming.send(chunk);
      chunk = '';
      if (isBehind) await streaming.drained();
      if (!streaming.isOpen()) return;
    }
    if (chunk !== '') streaming.send(chunk);
    streaming.end();
  };
  pump().catch((error: unknown) => {
    const { decisionId, service } = exchange;
    service.log.warn({ decisionId, err: error }, 'an export broke off');
    // Without the closing chunk the reader knows that this is not all.
    if (streaming.isOpen()) exchange.res.close();
  });
}
