import { formatNumber, formatTick } from './format.ts';
import type { BarChart, Chart, LineChart } from './measure.ts';

// Charts as inline SVG without a script: text and lines take their colours from the style sheet of
// the page, so that they are readable on a dark and on a light ground.

/** The SVG of a chart. */
export function svgOf(chart: Chart): string {
  return chart.kind === 'bar' ? barSvg(chart) : lineSvg(chart);
}

/** Text that is safe inside markup. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const width = 760;
const barHeight = 20;
const barGap = 8;
const labelWidth = 250;
const valueWidth = 90;

function barSvg({ bars, unit, title }: BarChart): string {
  const most = Math.max(...bars.map(({ high }) => high), Number.MIN_VALUE);
  const room = width - labelWidth - valueWidth;
  const height = bars.length * (barHeight + barGap) + barGap;
  const drawn = bars.map(({ label, value, low, high }, index) => {
    const y = barGap + index * (barHeight + barGap);
    const middle = y + barHeight / 2;
    const at = (amount: number) => labelWidth + (amount / most) * room;
    const spread =
      high > low ? `<path class="spread" d="M${fix(at(low))} ${middle}H${fix(at(high))}"/>` : '';
    return (
      `<text x="${labelWidth - 8}" y="${middle}" class="end">${escapeHtml(label)}</text>` +
      `<rect class="fill0" x="${labelWidth}" y="${y}" width="${fix(at(value) - labelWidth)}" ` +
      `height="${barHeight}" rx="3"/>${spread}` +
      `<text x="${fix(at(Math.max(value, high)) + 8)}" y="${middle}">${formatNumber(value)}</text>`
    );
  });
  return frame(height, `${title}, ${unit}`, drawn.join(''));
}

const plot = { left: 64, right: 16, top: 12, bottom: 44, height: 300 };

function lineSvg(chart: LineChart): string {
  const points = chart.series.flatMap((series) => series.points);
  const x = scaleOf(
    chart.xScale,
    points.map(([value]) => value),
  );
  const y = scaleOf(
    chart.yScale,
    points.map(([, value]) => value),
  );
  const bottom = plot.top + plot.height;
  const toX = (value: number) => plot.left + x.place(value) * (width - plot.left - plot.right);
  const toY = (value: number) => bottom - y.place(value) * plot.height;
  const grid = [
    ...x.ticks.map(
      (tick) =>
        `<path class="grid" d="M${fix(toX(tick))} ${plot.top}V${bottom}"/>` +
        `<text class="middle" x="${fix(toX(tick))}" y="${bottom + 16}">${formatTick(tick)}</text>`,
    ),
    ...y.ticks.map(
      (tick) =>
        `<path class="grid" d="M${plot.left} ${fix(toY(tick))}H${width - plot.right}"/>` +
        `<text class="end" x="${plot.left - 8}" y="${fix(toY(tick))}">${formatTick(tick)}</text>`,
    ),
    `<text class="middle" x="${width / 2}" y="${bottom + 34}">${escapeHtml(chart.xLabel)}</text>`,
    `<text class="middle" transform="rotate(-90 14 ${plot.top + plot.height / 2})" x="14" ` +
      `y="${plot.top + plot.height / 2}">${escapeHtml(chart.yLabel)}</text>`,
  ];
  const lines = chart.series.map(({ name, points: own }, index) => {
    const path = own.map(([a, b]) => `${fix(toX(a))} ${fix(toY(b))}`).join('L');
    const dots = own.map(
      ([a, b]) =>
        `<circle class="fill${index % colours}" cx="${fix(toX(a))}" cy="${fix(toY(b))}" r="3">` +
        `<title>${escapeHtml(name)}: ${formatNumber(a)}, ${formatNumber(b)}</title></circle>`,
    );
    return `<path class="line stroke${index % colours}" d="M${path}"/>${dots.join('')}`;
  });
  const svg = frame(bottom + plot.bottom, chart.title, grid.join('') + lines.join(''));
  const names = chart.series.map(
    ({ name }, index) => `<li class="text${index % colours}"><span>${escapeHtml(name)}</span></li>`,
  );
  return `${svg}<ul class="legend">${names.join('')}</ul>`;
}

/** How many colours the style sheet of the page has. */
const colours = 6;

interface Scale {
  readonly ticks: readonly number[];
  /** 0 at the start of the axis, 1 at its end. */
  place(value: number): number;
}

function scaleOf(kind: LineChart['xScale'], values: readonly number[]): Scale {
  if (kind === 'nines') return ninesScale(values);
  if (kind === 'log') return logScale(values.filter((value) => value > 0));
  const most = Math.max(...values, 0);
  const step = roundStep((most === 0 ? 1 : most) / 5);
  const end = Math.max(1, Math.ceil(most / step)) * step;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  return { ticks, place: (value) => value / end };
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
}

function logScale(values: readonly number[]): Scale {
  const [least, most] = values.length === 0 ? [1, 10] : [Math.min(...values), Math.max(...values)];
  const first = Math.floor(Math.log10(least));
  const last = Math.max(first + 1, Math.ceil(Math.log10(most)));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
  return {
    ticks,
    place: (value) => (Math.log10(Math.max(value, 10 ** first)) - first) / (last - first),
  };
}

/** Each nine of a percentile takes as much room as the one before. */
function ninesScale(values: readonly number[]): Scale {
  const depth = (value: number) => -Math.log10(1 - Math.min(value, 99.999) / 100);
  const most = Math.max(...values.map(depth), 1);
  const ticks = [0, 50, 90, 99, 99.9, 99.99].filter((tick) => depth(tick) <= most + 1e-9);
  return { ticks, place: (value) => depth(value) / most };
}

function frame(height: number, title: string, content: string): string {
  return (
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">` +
    `${content}</svg>`
  );
}

function fix(value: number): string {
  return value.toFixed(1);
}
