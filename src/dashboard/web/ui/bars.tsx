import { Change } from './change.tsx';
import { count, share } from './format.ts';
import { Inert } from './inert.tsx';

export interface Bar {
  readonly label: string;
  readonly href: string;
  readonly count: number;
  /** The count of the time before; undefined where it is not compared. */
  readonly before?: number | undefined;
}

/** Counts beside each other: a bar of the greatest, the share of all, the change. */
export function Bars(props: { readonly bars: readonly Bar[]; readonly total?: number }) {
  const { bars, total = 0 } = props;
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  return (
    <ul class="bars">
      {bars.map((bar) => (
        <li key={bar.label}>
          <a href={bar.href}>
            <Inert text={bar.label} />
          </a>
          <span class="bar-track" aria-hidden="true">
            <i style={{ width: `${(bar.count / most) * 100}%` }} />
          </span>
          <span class="number">
            {count(bar.count)}
            {total === 0 ? null : <small> {share(bar.count / total)}</small>}
            {bar.before === undefined ? null : <Change now={bar.count} before={bar.before} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
