import { useRef, useState } from 'preact/hooks';
import { count } from './format.ts';
import { ticksOf } from './ticks.ts';
import { axisMoment, isNamedByDay, momentRange } from './time.tsx';

export interface Series {
  readonly label: string;
  /** Name of a custom property of `tokens.css`. */
  readonly colour: string;
  /** One for each step. */
  readonly values: readonly number[];
}

interface ChartProps {
  readonly label: string;
  /** When the first step begins, in milliseconds since 1970. */
  readonly from: number;
  readonly stepSeconds: number;
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  /** Where a step leads to. */
  readonly hrefOf?: (from: number, to: number) => string;
  /** Called with what was dragged over. */
  readonly onZoom?: (from: number, to: number) => void;
}

/** Less is a click. */
const dragPx = 5;

/**
 * Bars over time, the series on top of each other. Values show on hover and on focus: Tab reaches
 * the chart, arrows move within it. A drag chooses a range of time.
 */
export function Chart(props: ChartProps) {
  const { label, from, stepSeconds, series, format = count } = props;
  const [shown, setShown] = useState<number | undefined>(undefined);
  const length = series[0]?.values.length ?? 0;
  const stepMs = stepSeconds * 1_000;
  const span = length * stepMs;
  const most = Math.max(0, ...Array.from({ length }, (_, step) => totalOf(series, step)));
  const top = roundUp(most);
  return (
    <figure class="chart">
      <div class="chart-body">
        <div class="chart-scale" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{value === top / 2 && top < 2 ? '' : format(value)}</span>
          ))}
        </div>
        <Plot {...props} top={top} onShow={setShown} />
        {shown === undefined || shown >= length ? null : (
          <Tooltip
            share={(shown + 0.5) / length}
            title={momentRange(from + shown * stepMs, stepMs)}
            rows={series.map((one) => [one, format(one.values[shown] ?? 0)])}
          />
        )}
      </div>
      <div class="chart-axis" aria-hidden="true">
        {ticksOf({ from, stepMs, length }, isNamedByDay(span)).map((step) => (
          <span key={step} style={{ left: `${(step / length) * 100}%` }}>
            {axisMoment(from + step * stepMs, span)}
          </span>
        ))}
      </div>
      <figcaption>
        <span class="sr-only">{label}</span>
        {series.map((one) => (
          <span key={one.label} class="legend">
            <i style={{ background: `var(${one.colour})` }} />
            {one.label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Plot(
  props: ChartProps & {
    readonly top: number;
    readonly onShow: (step: number | undefined) => void;
  },
) {
  const { from, stepSeconds, series, format = count, hrefOf, top, onShow } = props;
  const plot = useRef<HTMLElement>(null);
  const [reached, setReached] = useState(0);
  const length = series[0]?.values.length ?? 0;
  const stepMs = stepSeconds * 1_000;
  const drag = useDrag(plot, (start, end) => {
    const [first, last] = [Math.floor(start * length), Math.ceil(end * length)];
    props.onZoom?.(from + first * stepMs, from + last * stepMs);
  });
  // With the newest step first in the order of Tab when nothing else was reached yet.
  const current = reached < length ? reached : length - 1;
  const move = (step: number) => {
    const next = Math.min(length - 1, Math.max(0, step));
    setReached(next);
    plot.current?.querySelectorAll<HTMLElement>('.column')[next]?.focus();
  };
  return (
    <section
      ref={plot}
      class="plot"
      aria-label={props.label}
      onPointerDown={props.onZoom === undefined ? undefined : drag.start}
      onPointerMove={drag.move}
      onPointerUp={drag.end}
      onPointerCancel={drag.cancel}
      onPointerLeave={() => onShow(undefined)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') move(current + 1);
        if (event.key === 'ArrowLeft') move(current - 1);
        if (event.key === 'Home') move(0);
        if (event.key === 'End') move(length - 1);
      }}
      onClickCapture={drag.swallowClick}
    >
      {Array.from({ length }, (_, step) => (
        <Column
          key={step}
          href={hrefOf?.(from + step * stepMs, from + (step + 1) * stepMs)}
          label={`${momentRange(from + step * stepMs, stepMs)}: ${series
            .map((one) => `${one.label} ${format(one.values[step] ?? 0)}`)
            .join(', ')}`}
          parts={series.map((one) => [one.colour, (one.values[step] ?? 0) / top])}
          isReached={step === current}
          onShow={() => onShow(step)}
          onHide={() => onShow(undefined)}
        />
      ))}
      {drag.shown === undefined ? null : (
        <div
          class="brush"
          style={{
            left: `${drag.shown[0] * 100}%`,
            width: `${(drag.shown[1] - drag.shown[0]) * 100}%`,
          }}
        />
      )}
    </section>
  );
}

function Column(props: {
  readonly href: string | undefined;
  readonly label: string;
  readonly parts: readonly (readonly [colour: string, share: number])[];
  readonly isReached: boolean;
  readonly onShow: () => void;
  readonly onHide: () => void;
}) {
  const { href, label, parts, isReached, onShow, onHide } = props;
  const wiring = {
    class: 'column',
    'aria-label': label,
    tabIndex: isReached ? 0 : -1,
    onPointerEnter: onShow,
    onFocus: onShow,
    onBlur: onHide,
  };
  const bars = parts.map(([colour, share]) => (
    <i key={colour} style={{ height: `${share * 100}%`, background: `var(${colour})` }} />
  ));
  return href === undefined ? (
    <span role="img" {...wiring}>
      {bars}
    </span>
  ) : (
    <a href={href} draggable={false} {...wiring}>
      {bars}
    </a>
  );
}

function Tooltip(props: {
  /** Where it stands, from 0 to 1. */
  readonly share: number;
  readonly title: string;
  readonly rows: readonly (readonly [series: Series, value: string])[];
}) {
  const { share, title, rows } = props;
  const side = share > 0.5 ? { right: `${(1 - share) * 100}%` } : { left: `${share * 100}%` };
  return (
    <div class="chart-tooltip-place" aria-hidden="true">
      <div class="chart-tooltip" style={side}>
        <strong>{title}</strong>
        {rows.map(([{ label, colour }, value]) => (
          <span key={label}>
            <i style={{ background: `var(${colour})` }} />
            {label} <b>{value}</b>
          </span>
        ))}
      </div>
    </div>
  );
}

/** A drag over the width of an element, as shares of it from 0 to 1. */
function useDrag(
  element: { readonly current: HTMLElement | null },
  onDone: (start: number, end: number) => void,
) {
  const origin = useRef<number | undefined>(undefined);
  const wasDragged = useRef(false);
  const [shown, setShown] = useState<readonly [number, number] | undefined>(undefined);
  const shareOf = (x: number) => {
    const { left, width } = element.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return Math.min(1, Math.max(0, (x - left) / width));
  };
  const cancel = () => {
    origin.current = undefined;
    setShown(undefined);
  };
  return {
    shown,
    cancel,
    start: (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType === 'touch') return;
      origin.current = event.clientX;
      wasDragged.current = false;
    },
    move: (event: PointerEvent) => {
      if (origin.current === undefined) return;
      if (shown === undefined && Math.abs(event.clientX - origin.current) < dragPx) return;
      if (shown === undefined) element.current?.setPointerCapture(event.pointerId);
      const [a, b] = [shareOf(origin.current), shareOf(event.clientX)];
      setShown(a < b ? [a, b] : [b, a]);
    },
    end: () => {
      const chosen = shown;
      cancel();
      if (chosen === undefined) return;
      wasDragged.current = true;
      onDone(...chosen);
    },
    /** The click that ends a drag follows no link. */
    swallowClick: (event: Event) => {
      if (!wasDragged.current) return;
      wasDragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

function totalOf(series: readonly Series[], step: number): number {
  return series.reduce((total, { values }) => total + (values[step] ?? 0), 0);
}

/** The next number that reads well at the top of a scale. */
function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = [1, 2, 4, 5, 6, 8, 10].find((one) => one * power >= value) ?? 10;
  return lead * power;
}
