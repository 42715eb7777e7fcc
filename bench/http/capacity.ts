/** Processor time of one request in microseconds, by the thread that spends it. */
export interface RequestCost {
  /** The thread that reads and answers requests. */
  readonly front: number;
  /** The screening threads. */
  readonly screen: number;
  /** The load generator, where it runs on the same machine; else 0. */
  readonly load: number;
}

/** A cost that grows with the body in a straight line. */
export interface CostLine {
  readonly fixed: RequestCost;
  readonly perByte: RequestCost;
}

/** A machine and how the service is set up on it. */
export interface Deployment {
  readonly cores: number;
  /** Front-end processes that share the port. */
  readonly fronts: number;
  /** Screening threads of all processes. */
  readonly threads: number;
}

/** The line through two measured costs. */
export function lineThrough(
  a: { readonly bytes: number; readonly cost: RequestCost },
  b: { readonly bytes: number; readonly cost: RequestCost },
): CostLine {
  const slope = (part: keyof RequestCost) =>
    Math.max(0, (b.cost[part] - a.cost[part]) / (b.bytes - a.bytes));
  const perByte = { front: slope('front'), screen: slope('screen'), load: slope('load') };
  const start = (part: keyof RequestCost) => Math.max(0, a.cost[part] - perByte[part] * a.bytes);
  const fixed = { front: start('front'), screen: start('screen'), load: start('load') };
  return { fixed, perByte };
}

/** The cost of a request of a size. */
export function costAt(line: CostLine, bytes: number): RequestCost {
  const at = (part: keyof RequestCost) => line.fixed[part] + line.perByte[part] * bytes;
  return { front: at('front'), screen: at('screen'), load: at('load') };
}

/** The mean cost when a share of the requests are attacks. */
export function blend(benign: RequestCost, attack: RequestCost, attackShare: number): RequestCost {
  const of = (part: keyof RequestCost) =>
    benign[part] * (1 - attackShare) + attack[part] * attackShare;
  return { front: of('front'), screen: of('screen'), load: of('load') };
}

/**
 * Requests a second: the front ends, the screening threads, or all cores together are the bound,
 * whichever is met first. A thread is no faster than a core.
 */
export function predictRate(cost: RequestCost, on: Deployment): number {
  const perSecond = 1e6;
  return Math.min(
    (Math.min(on.fronts, on.cores) * perSecond) / cost.front,
    (Math.min(on.threads, on.cores) * perSecond) / cost.screen,
    (on.cores * perSecond) / (cost.front + cost.screen + cost.load),
    cost.load > 0 ? perSecond / cost.load : Number.POSITIVE_INFINITY,
  );
}
