import { request } from 'node:http';
import { inTurn, numbered } from '../../lib/in-turn.ts';
import type { SentRequest } from './site.ts';

/** Sends requests again, some at the same time, each as it was. Those that cannot be sent are left out. */
export async function replay(site: string, requests: readonly SentRequest[]): Promise<void> {
  await inTurn(requests, numbered(8), (one) => sendAgain(site, one));
}

function sendAgain(site: string, { method, target, headers, body }: SentRequest): Promise<void> {
  const { hostname, port } = new URL(site);
  const bytes = Buffer.from(body, 'latin1');
  return new Promise((resolve) => {
    try {
      const asked = request({ hostname, port, method, path: target, headers, timeout: 20_000 });
      asked.once('response', (answer) => {
        answer.resume().once('close', () => resolve());
      });
      asked.once('timeout', () => asked.destroy());
      asked.once('error', () => resolve());
      asked.end(bytes);
    } catch {
      resolve();
    }
  });
}
