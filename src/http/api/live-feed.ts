import type { LiveStats } from '../../contract/live.ts';
import type { ProcessState } from '../../contract/management.ts';
import type { Exchange } from '../exchange.ts';
import { respondProblem, statusLine } from '../problem.ts';
import { summaryOf } from './routes/shapes.ts';
import { type Streaming, startStreaming } from './streaming.ts';

const heartbeatMs = 15_000;
const admissionMs = 1_000;

/** What the feed needs beside the figures. */
export interface LiveFeedParts {
  readonly state: () => ProcessState;
  readonly clock: () => number;
  /** Asked once a second: a session may have ended meanwhile. */
  readonly isStillAdmitted: () => Promise<boolean>;
}

/**
 * Answers with server-sent events: figures once a second, and each stored block. What a slow reader
 * cannot take is left out, so that nothing piles up. Ends when the server stops; a reader that then
 * comes back on the same connection is sent elsewhere.
 */
export function sendLive(exchange: Exchange, live: LiveStats, parts: LiveFeedParts): void {
  if (exchange.phase !== 'open') return;
  const { draining, endless } = exchange.service;
  if (draining) {
    respondProblem(exchange, 'draining');
    return;
  }
  let streaming: Streaming | undefined;
  const end = () => streaming?.end();
  let isBehind = false;
  const send = (text: string) => {
    if (streaming === undefined || isBehind || !streaming.isOpen()) return;
    if (streaming.send(text)) return;
    isBehind = true;
    void streaming.drained().then(() => {
      isBehind = false;
    });
  };
  const stop = live.listen({
    onStats: (snapshot) => {
      const at = new Date(parts.clock()).toISOString();
      send(message('stats', { at, ...snapshot, queue: parts.state().queue }));
    },
    onBlock: (event) => send(message('block', summaryOf(event))),
  });
  if (stop === undefined) {
    respondProblem(exchange, 'too-many-listeners');
    return;
  }
  const heartbeat = setInterval(() => send(': still here\n\n'), heartbeatMs).unref();
  const admission = setInterval(() => {
    parts.isStillAdmitted().then(
      (isAdmitted) => (isAdmitted ? undefined : end()),
      // An unavailable database ends no session.
      () => undefined,
    );
  }, admissionMs).unref();
  streaming = startStreaming(
    exchange,
    {
      status: statusLine(200),
      type: 'text/event-stream',
      headers: [
        ['cache-control', 'no-store'],
        ['x-accel-buffering', 'no'],
        ['x-content-type-options', 'nosniff'],
      ],
    },
    () => {
      clearInterval(heartbeat);
      clearInterval(admission);
      stop();
      endless.delete(end);
    },
  );
  endless.add(end);
  // Something to send at once: a browser counts as connected from the first bytes.
  send('retry: 2000\n\n');
}

function message(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
