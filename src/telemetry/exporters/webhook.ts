import type { StoredEvent } from '../../contract/event.ts';
import type { Log } from '../../contract/ports.ts';
import { type Batch, Outbox } from './outbox.ts';
import { postJson } from './post.ts';
import { signedHeaders, signingKeyOf } from './signature.ts';

/** Where blocks are posted, and what signs them. */
export interface WebhookOptions {
  readonly url: string;
  /** `whsec_` and base64, or any other text; nothing is signed without it. */
  readonly secret: string | undefined;
  readonly version: string;
  readonly log: Log;
  readonly retryMs?: { readonly first: number; readonly last: number };
}

/** Posts blocks in batches, signed as https://www.standardwebhooks.com says. */
export function createWebhook(options: WebhookOptions): Outbox<StoredEvent> {
  const { url, secret, version, log, retryMs } = options;
  const key = secret === undefined ? undefined : signingKeyOf(secret);
  return new Outbox<StoredEvent>({
    name: 'webhook',
    log,
    itemsMax: 2_000,
    batchMax: 50,
    gatherMs: 500,
    ...(retryMs === undefined ? {} : { retryMs }),
    send: (batch, signal) => {
      const body = bodyOf(batch);
      const headers = {
        'user-agent': `sallyport/${version}`,
        ...signedHeaders(key, { id: `msg_${batch.id}`, body }),
      };
      return postJson(url, { body, headers, signal });
    },
  });
}

/** What is sent of a block: its event, without the excerpts of each decoding. */
function bodyOf({ at, items }: Batch<StoredEvent>): string {
  const blocks = items.map(({ findings, ...event }) => ({
    ...event,
    findings: findings.map(({ steps: _steps, ...finding }) => finding),
  }));
  return JSON.stringify({
    type: 'sallyport.blocks',
    timestamp: at.toISOString(),
    data: { blocks },
  });
}
