import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { limits } from '../contract/limits.ts';
import type { Log, MappedRequest, ProxiedRequest, RequestMapper } from '../contract/ports.ts';
import { describeError } from './codec.ts';
import { mapRequest } from './map-request.ts';

/**
 * Requests up to this size are written where they are: a way to another thread costs more. The
 * worst of this size, a query of empty parameters, takes less than a millisecond.
 */
const inlineBytesMax = 4_096;
/** Without work for this long, the thread ends. */
const idleMs = 60_000;

/** Caps, not reservations: 1 MiB that unpacks to 4 MiB of JSON needs some 100 MiB. */
const resourceLimits = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 16 };

/**
 * Writes large requests on a thread of its own, which starts with the first of them. Not on the
 * threads of the pool: what unpacks and parses for long must not hold up what is being screened.
 */
export function createRequestMapper(options: { readonly log: Log }): RequestMapper {
  let pool: Piscina | undefined;
  let bytesInWork = 0;

  function start(): Piscina {
    const file = new URL(`../../workers/members${extname(import.meta.url)}`, import.meta.url);
    const started = new Piscina({
      filename: fileURLToPath(file),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      recordTiming: false,
      resourceLimits,
    });
    // A thread that dies without work is told of here only.
    started.on('error', (error: unknown) => {
      options.log.warn({ reason: describeError(error) }, 'idle mapping thread died');
    });
    return started;
  }

  async function mapElsewhere(
    request: ProxiedRequest,
    bytes: number,
  ): Promise<MappedRequest | undefined> {
    if (bytesInWork + bytes > limits.mapBytesMax) return undefined;
    bytesInWork += bytes;
    try {
      pool ??= start();
      // A small body is a view of a block that holds others.
      const body = new Uint8Array(request.body);
      const { buffer } = body;
      const signal = AbortSignal.timeout(limits.taskMsMax);
      const task = { ...request, body };
      return await pool.run(task, { name: 'mapRequest', transferList: [buffer], signal });
    } finally {
      bytesInWork -= bytes;
    }
  }

  return {
    map(request) {
      const bytes = sizeOf(request);
      const isPacked = request.headers['content-encoding'] !== undefined;
      return bytes <= inlineBytesMax && !isPacked
        ? mapRequest(request)
        : mapElsewhere(request, bytes);
    },
    close: async () => pool?.destroy(),
  };
}

/** What takes time: each of these is read member by member. */
function sizeOf({ url, headers, body }: ProxiedRequest): number {
  const cookies = headers['cookie'] ?? [];
  return cookies.reduce((sum, line) => sum + line.length, url.length + body.length);
}
