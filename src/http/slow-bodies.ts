import type { UwsResponse } from './uws.ts';

/** Something that waits for the rest of a request body. */
export interface SlowBody {
  readonly res: UwsResponse;
  /** Time of `performance.now()` at which the wait ends. */
  dueAt: number;
  /** Time at which the idle timer of uWebSockets.js must be pushed back. */
  rearmAt: number;
}

/** uWebSockets.js drops a connection after 8 to 12 seconds without enough of the body. */
const rearmEveryMs = 4_000;

/**
 * The bodies that did not arrive in one piece, watched by one shared timer that only runs while
 * there are any. A timer for each request would cost every request, and nearly all bodies come in
 * one piece.
 */
export class SlowBodies<Body extends SlowBody> {
  private readonly bodies = new Set<Body>();
  private readonly periodMs: number;
  private readonly onDue: (body: Body) => void;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: { readonly periodMs: number; readonly onDue: (body: Body) => void }) {
    this.periodMs = options.periodMs;
    this.onDue = options.onDue;
  }

  /** Watches a body; one that is watched already gets the new time. */
  watch(body: Body, waitMs: number): void {
    const now = performance.now();
    body.dueAt = now + waitMs;
    body.rearmAt = now + rearmEveryMs;
    this.bodies.add(body);
    if (this.timer === undefined) {
      this.timer = setInterval(() => this.sweep(), this.periodMs);
      this.timer.unref();
    }
  }

  forget(body: Body): void {
    this.bodies.delete(body);
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.bodies.clear();
  }

  private sweep(): void {
    const now = performance.now();
    for (const body of this.bodies) {
      if (now >= body.dueAt) {
        this.bodies.delete(body);
        this.onDue(body);
      } else if (now >= body.rearmAt) {
        // There is no call for the idle timer itself: `resume` restarts it.
        body.res.pause();
        body.res.resume();
        body.rearmAt = now + rearmEveryMs;
      }
    }
    if (this.bodies.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }
}
