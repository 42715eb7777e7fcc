import { writeAnswer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { openApiDocument } from '../openapi.ts';
import { statusLine } from '../problem.ts';

let text: string | undefined;

/** `GET /openapi.json`: the description of everything that this server answers. */
export function openapi(exchange: Exchange): void {
  text ??= JSON.stringify(openApiDocument(exchange.service.version));
  writeAnswer(exchange, {
    status: statusLine(200),
    type: 'application/json',
    body: text,
    headers: [['cache-control', 'public, max-age=300']],
  });
}
