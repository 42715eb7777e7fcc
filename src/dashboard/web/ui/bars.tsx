import { count } from './format.ts';
import { Inert } from './inert.tsx';

export interface Bar {
  readonly label: string;
  readonly href: string;
  readonly count: number;
}

/** Counts beside each other, each with a bar as long as its share of the greatest. */
export function Bars({ bars }: { readonly bars: readonly Bar[] }) {
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
          <span class="number">{count(bar.count)}</span>
        </li>
      ))}
    </ul>
  );
}
