import { limits } from '../contract/limits.ts';
import { type BodySource, dropBody, type Exchange } from './exchange.ts';
import { respondDefect } from './problem.ts';
import { respondNoRoom } from './read-body.ts';
import type { UwsRequest } from './uws.ts';

type Route = (exchange: Exchange, req: UwsRequest) => void;
type DataHandler = (chunk: ArrayBuffer, isLast: boolean) => void;

/**
 * Handles a request again, as if it had only come now, when what it waits for is over. It waits
 * once; one whose body outgrows what is held goes on at once.
 */
export function handleAgainAfter(
  wait: Promise<void>,
  exchange: Exchange,
  req: UwsRequest,
  route: Route,
): void {
  let isWaiting = true;
  const goOn = (): void => {
    if (!isWaiting) return;
    isWaiting = false;
    if (exchange.phase !== 'open') return;
    // Its bytes now count for its key.
    dropBody(exchange);
    exchange.req = held;
    try {
      route(exchange, held);
    } catch (error) {
      respondDefect(exchange, error);
    }
    exchange.req = undefined;
  };
  const held = new HeldRequest(exchange, req, goOn);
  exchange.held = held;
  wait.then(goOn, (error: unknown) => respondDefect(exchange, error));
}

/** A copy of the head of a request, and what has come of its body. */
class HeldRequest implements UwsRequest, BodySource {
  readonly #lines: (readonly [name: string, value: string])[] = [];
  readonly #method: string;
  readonly #url: string;
  readonly #query: string | undefined;
  #chunks: [chunk: ArrayBuffer, isLast: boolean][] = [];
  #bytes = 0;
  #handler: DataHandler | undefined;

  constructor(exchange: Exchange, req: UwsRequest, onOverflow: () => void) {
    req.forEach((name, value) => {
      this.#lines.push([name, value]);
    });
    this.#method = req.getCaseSensitiveMethod();
    this.#url = req.getUrl();
    this.#query = req.getQuery();
    exchange.res.onData((chunk, isLast) => {
      if (this.#handler !== undefined) {
        this.#handler(chunk, isLast);
        return;
      }
      exchange.bodyPending = !isLast;
      if (exchange.phase !== 'open') return;
      this.#bytes += chunk.byteLength;
      if (!exchange.service.reception.hold(exchange, this.#bytes)) {
        this.#chunks = [];
        respondNoRoom(exchange);
        return;
      }
      this.#chunks.push([chunk.slice(0), isLast]);
      if (this.#bytes > limits.bodyBytesMax) onOverflow();
    });
  }

  getHeader(lowerCaseName: string): string {
    return this.#lines.find(([name]) => name === lowerCaseName)?.[1] ?? '';
  }

  forEach(line: (name: string, value: string) => void): void {
    for (const [name, value] of this.#lines) line(name, value);
  }

  getCaseSensitiveMethod(): string {
    return this.#method;
  }

  getUrl(): string {
    return this.#url;
  }

  getQuery(): string | undefined {
    return this.#query;
  }

  /** Hands over what has come of the body so far, and all that still comes. */
  onData(handler: DataHandler): void {
    this.#handler = handler;
    for (const [chunk, isLast] of this.#chunks.splice(0)) handler(chunk, isLast);
  }
}
