import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Metrics } from '../../contract/ports.ts';
import type { DurationHistogram } from './duration-histogram.ts';
import {
  type DurationFamily,
  durationFamilies,
  type Family,
  families,
  type MetricsParts,
} from './families.ts';
import { processFamilies } from './process-families.ts';

/**
 * The metrics of this process. Parts count for themselves, cheaply; they are read only at a
 * scrape.
 */
export function createMetrics(parts: MetricsParts): Metrics {
  const registry = new Registry();
  for (const family of [...families, ...processFamilies()]) register(registry, family, parts);
  for (const family of durationFamilies) new ReadHistogram(registry, family, parts);
  return { contentType: registry.contentType, text: () => registry.metrics() };
}

function register(registry: Registry, family: Family, parts: MetricsParts): void {
  const { name, help, labels: labelNames = [] } = family;
  const common = { name, help, labelNames, registers: [registry] };
  if (family.type === 'gauge') {
    const gauge: Gauge<string> = new Gauge({
      ...common,
      collect() {
        gauge.reset();
        for (const { labels = {}, value } of family.read(parts)) gauge.set(labels, value);
      },
    });
  } else {
    const counter: Counter<string> = new Counter({
      ...common,
      collect() {
        counter.reset();
        for (const { labels = {}, value } of family.read(parts)) counter.inc(labels, value);
      },
    });
  }
}

/** A histogram of the library that tells what one of ours has counted. */
class ReadHistogram extends Histogram<'le'> {
  readonly #histogram: DurationHistogram;
  readonly #head: { readonly name: string; readonly help: string };

  constructor(registry: Registry, { name, help, histogram }: DurationFamily, parts: MetricsParts) {
    const read = histogram(parts);
    super({ name, help, buckets: [...read.bounds], registers: [registry] });
    this.#histogram = read;
    this.#head = { name, help };
  }

  override async get(): ReturnType<Histogram<'le'>['get']> {
    const { bounds, atMost, count, sumSeconds } = this.#histogram;
    const { name } = this.#head;
    const bucket = (le: number | string, value: number) => ({
      metricName: `${name}_bucket`,
      labels: { le },
      value,
    });
    const values = [
      ...bounds.map((bound, index) => bucket(bound, atMost[index] ?? 0)),
      bucket('+Inf', count),
      { metricName: `${name}_sum`, labels: {}, value: sumSeconds },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
    return {
      ...this.#head,
      type: 'histogram',
      aggregator: 'sum',
      collect: () => undefined,
      values,
    };
  }

  /** What the registry asks for the text. */
  getForPromString(): ReturnType<Histogram<'le'>['get']> {
    return this.get();
  }
}
