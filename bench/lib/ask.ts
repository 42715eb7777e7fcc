import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

/** One request to `/control`. */
export interface ControlRequest {
  readonly port: number;
  readonly key: string;
  /** That of the process when undefined. */
  readonly agent?: Agent;
  /** Comes back as `x-request-id`. */
  readonly id?: string;
  readonly body: string | Buffer;
  readonly msMax: number;
}

/** An answer that came whole. */
export interface ControlAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks as an application would; fails when the answer does not come whole or in time. */
export function ask({ port, key, agent, id, body, msMax }: ControlRequest): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      path: '/control',
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-api-key': key,
        ...(id === undefined ? {} : { 'x-request-id': id }),
      },
      timeout: msMax,
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.once('error', reject);
    asked.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    asked.end(body);
  });
}
