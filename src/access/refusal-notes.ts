const everyMs = 60_000;
/** For all names and addresses together, so that an attacker cannot fill the audit. */
const perMinuteMax = 30;
const openMax = 1_000;

interface Open {
  readonly endsAt: number;
  /** Failures since the last entry. */
  failures: number;
}

/** Says which failed sign-ins go into the audit: one entry a minute for a name from an address. */
export interface RefusalNotes {
  /** How many failures an entry stands for that is due now; undefined while none is. */
  due(name: string, address: string): number | undefined;
}

export function createRefusalNotes(clock: () => number): RefusalNotes {
  /** Written first before those written later. */
  const open = new Map<string, Open>();
  let minute = { endsAt: 0, entries: 0 };

  return {
    due(name, address) {
      const now = clock();
      if (minute.endsAt <= now) minute = { endsAt: now + everyMs, entries: 0 };
      const pair = `${address} ${name}`;
      const last = open.get(pair);
      const failures = (last?.failures ?? 0) + 1;
      if ((last !== undefined && last.endsAt > now) || minute.entries >= perMinuteMax) {
        if (last === undefined) keep(pair, { endsAt: now, failures });
        else last.failures = failures;
        return undefined;
      }
      minute.entries += 1;
      keep(pair, { endsAt: now + everyMs, failures: 0 });
      return failures;
    },
  };

  function keep(pair: string, one: Open): void {
    open.delete(pair);
    open.set(pair, one);
    if (open.size <= openMax) return;
    const [oldest] = open.keys();
    if (oldest !== undefined) open.delete(oldest);
  }
}
