import { count, share } from './format.ts';

/** How a count has changed against the same length of time before. */
export function Change(props: { readonly now: number; readonly before: number }) {
  const { now, before } = props;
  const words =
    before === 0
      ? now === 0
        ? '±0'
        : 'new'
      : `${now < before ? '−' : '+'}${share(Math.abs(now - before) / before)}`;
  return (
    <small class="change" title={`${count(before)} in the time before`}>
      {' '}
      {words}
    </small>
  );
}
