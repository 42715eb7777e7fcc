import type { Answer } from '../answer.ts';
import { writeHead } from '../answer.ts';
import { type Exchange, finish } from '../exchange.ts';

/** An answer that is sent in parts. */
export interface Streaming {
  /** False once the reader has gone, or the answer has ended. */
  isOpen(): boolean;
  /** Sends a part. False when the reader is behind: wait for `drained` before sending more. */
  send(text: string): boolean;
  /** Resolves when the reader has caught up, or has gone. */
  drained(): Promise<void>;
  end(): void;
}

/** Begins an answer that is sent in parts. */
export function startStreaming(
  exchange: Exchange,
  head: Omit<Answer, 'body'>,
  onOver: () => void = () => undefined,
): Streaming {
  const { res } = exchange;
  let wake: (() => void) | undefined;
  const over = () => {
    wake?.();
    onOver();
  };
  const isOpen = () => exchange.phase === 'open';
  const end = () => {
    if (!isOpen()) return;
    finish(exchange);
    // Asked to close the connection as well it would write a header into the body.
    res.cork(() => res.end());
    over();
  };
  // Replaces the handler that the exchange began with.
  res.onAborted(() => {
    finish(exchange);
    over();
  });
  res.onWritable(() => {
    wake?.();
    return true;
  });
  res.cork(() => writeHead(exchange, { ...head, body: '' }));
  return {
    isOpen,
    send: (text) => {
      let sent = true;
      if (isOpen()) {
        res.cork(() => {
          sent = res.write(text);
        });
      }
      return sent;
    },
    drained: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (!isOpen()) resolve();
      }),
    end,
  };
}
