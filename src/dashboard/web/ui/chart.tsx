import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from './theme.tsx';

export interface Line {
  readonly label: string;
  /** Name of a custom property of `tokens.css`. */
  readonly colour: string;
  readonly values: readonly number[];
}

const heightPx = 180;
const daySeconds = 86_400;

/** Lines over time. Its numbers are also in words beside it: a canvas is silent. */
export function Chart(props: {
  readonly label: string;
  readonly from: number;
  readonly stepSeconds: number;
  readonly lines: readonly Line[];
  readonly unit?: string;
}) {
  const { label, from, stepSeconds, lines, unit = '' } = props;
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const [theme] = useTheme();
  const isLong = stepSeconds * (lines[0]?.values.length ?? 0) > 2 * daySeconds;
  const shape = lines.map((line) => `${line.label} ${line.colour}`).join();

  // A new theme or shape needs a new plot.
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const made = new uPlot(
      optionsOf(element, lines, unit, isLong),
      [[], ...lines.map(() => [])],
      element,
    );
    plot.current = made;
    made.setData(dataOf(props));
    const observer = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: heightPx });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [theme, shape, unit, isLong]);

  // The props that make the data are named.
  useEffect(() => plot.current?.setData(dataOf(props)), [from, stepSeconds, lines]);

  return (
    <figure class="chart">
      <div ref={holder} class="chart-canvas" role="img" aria-label={label} />
      <figcaption>
        {lines.map((line) => (
          <span key={line.label} class="legend">
            <i style={{ background: `var(${line.colour})` }} />
            {line.label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function dataOf(props: {
  readonly from: number;
  readonly stepSeconds: number;
  readonly lines: readonly Line[];
}): uPlot.AlignedData {
  const { from, stepSeconds, lines } = props;
  const length = lines[0]?.values.length ?? 0;
  const times = Array.from({ length }, (_, index) => from / 1_000 + index * stepSeconds);
  return [times, ...lines.map(({ values }) => [...values])];
}

function optionsOf(
  element: HTMLElement,
  lines: readonly Line[],
  unit: string,
  isLong: boolean,
): uPlot.Options {
  const grid = { stroke: colourOf(element, '--line'), width: 1 };
  const axis = { stroke: colourOf(element, '--faint'), grid, ticks: grid, font: '11px system-ui' };
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.15)] } },
    axes: [
      { ...axis, values: isLong ? '{D} {MMM}' : '{HH}:{mm}', space: 70 },
      { ...axis, size: 52, values: (_plot, ticks) => ticks.map((tick) => `${short(tick)}${unit}`) },
    ],
    series: [
      {},
      ...lines.map(({ label, colour }, index) => ({
        label,
        stroke: colourOf(element, colour),
        width: 1.75,
        points: { show: false },
        ...(index === 0 ? { fill: colourOf(element, `${colour}-fill`) } : {}),
      })),
    ],
  };
}

function short(value: number): string {
  return value >= 1_000 ? `${value / 1_000}k` : String(value);
}

/** The value of a custom property in the current theme: a canvas cannot read properties. */
function colourOf(element: HTMLElement, property: string): string {
  element.style.color = `var(${property})`;
  return getComputedStyle(element).color;
}
