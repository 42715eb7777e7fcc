import { useCallback, useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { withQuery } from '../api/client.ts';
import { type Range, rangeOf, type SpanName } from '../ui/range.ts';

const refreshMs = 10_000;

export interface TimeRange {
  readonly range: Range;
  /** In milliseconds since 1970; rises as time goes by. */
  readonly now: number;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Changes members of the query in the address. */
  readonly change: (members: Readonly<Record<string, string | undefined>>) => void;
}

/** The range of time in the address, up to now as time goes by. */
export function useRange(fallback: SpanName, paused: boolean): TimeRange {
  const { path, query, route } = useLocation();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (paused) return;
    const timer = setInterval(() => setNow(Date.now()), refreshMs);
    return () => clearInterval(timer);
  }, [paused]);
  const change = useCallback(
    (members: Readonly<Record<string, string | undefined>>) => {
      setNow(Date.now());
      route(withQuery(path, { ...query, ...members }));
    },
    [path, query, route],
  );
  return { range: rangeOf(query, fallback, now), now, query, change };
}
