import { count, share } from './format.ts';

interface Counts {
  readonly now: number;
  readonly before: number;
}

/** How a count has changed against the same length of time before. */
export function Change(counts: Counts) {
  return (
    <small class="change" title={`${count(counts.before)} in the time before`}>
      {' '}
      {changeOf(counts) ?? 'new'}
    </small>
  );
}

/** The same as a line of its own. */
export function ChangeLine(counts: Counts) {
  const { before } = counts;
  const change = changeOf(counts);
  return (
    <small class="change-line">
      {change === undefined
        ? 'none in the time before'
        : `${change} against the time before (${count(before)})`}
    </small>
  );
}

/** Undefined where there was nothing before. */
function changeOf({ now, before }: Counts): string | undefined {
  if (before === 0) return now === 0 ? '±0' : undefined;
  return `${now < before ? '−' : '+'}${share(Math.abs(now - before) / before)}`;
}
