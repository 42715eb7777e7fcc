import { limits } from '../contract/limits.ts';
import type { Log, ProxiedRequest, RequestMapper } from '../contract/ports.ts';
import { mapRequest } from './map-request.ts';
import { MapperLane } from './mapper-lane.ts';

/**
 * Requests up to this size are written where they are: a way to another thread costs more. The
 * worst of this size, a query of empty parameters, takes less than a millisecond.
 */
const inlineBytesMax = 4_096;
/** Requests up to this size have threads without larger ones; the scanner draws the same line. */
const smallBytesMax = 65_536;

/** What a request mapper is made of. */
export interface RequestMapperOptions {
  /** Screening threads: large requests are written on as many. */
  readonly threads: number;
  readonly log: Log;
  /** Instead of `limits.mapMsMax`. */
  readonly msMax?: number;
}

/**
 * Writes large requests on other threads. Not on those of the pool: what unpacks and parses for
 * long must not hold up what is being screened. There are as many as screening threads, since
 * writing a request takes no longer than screening it, and at least two: half of them are for
 * requests up to 64 KiB, so that a form never waits for a body of a megabyte.
 */
export function createRequestMapper(options: RequestMapperOptions): RequestMapper {
  const { log, msMax = limits.mapMsMax } = options;
  const threads = Math.max(1, Math.floor(options.threads / 2));
  const lane = { threads, bytesMax: limits.mapBytesMax, msMax, log };
  const small = new MapperLane(lane);
  const large = new MapperLane(lane);

  return {
    map(request) {
      const bytes = sizeOf(request);
      // What is packed may be of any size.
      const isPacked = request.headers['content-encoding'] !== undefined;
      if (isPacked || bytes > smallBytesMax) return large.map(request, bytes);
      return bytes <= inlineBytesMax ? mapRequest(request) : small.map(request, bytes);
    },
    close: async () => {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

/** What takes time: each of these is read member by member. */
function sizeOf({ url, headers, body }: ProxiedRequest): number {
  const cookies = headers['cookie'] ?? [];
  return cookies.reduce((sum, line) => sum + line.length, url.length + body.length);
}
