/** One metric of a scrape. */
export interface Scraped {
  readonly type: string;
  readonly help: string;
  /** Names of labels, without `le`. */
  readonly labels: ReadonlySet<string>;
  /** Values by the text of their labels, `a="b",c="d"`; those of a histogram by its suffix too. */
  readonly values: ReadonlyMap<string, number>;
}

const sample = /^(\w+?)(_bucket|_sum|_count)?(?:\{(.*)\})? (\S+)$/;

/** Reads the text format of Prometheus. */
export function parseExposition(text: string): ReadonlyMap<string, Scraped> {
  const metrics = new Map<
    string,
    { type: string; help: string; labels: Set<string>; values: Map<string, number> }
  >();
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\w+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      metrics.set(name, { type: '', help: rest, labels: new Set(), values: new Map() });
    } else if (kind === 'TYPE') {
      const metric = metrics.get(name);
      if (metric !== undefined) metric.type = rest;
    } else if (line !== '') {
      const [, base = '', suffix = '', labels = '', value] = sample.exec(line) ?? [];
      const isPart = metrics.get(base)?.type === 'histogram';
      const metric = metrics.get(isPart ? base : base + suffix);
      if (metric === undefined) throw new Error(`A sample without a metric: ${line}`);
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) {
        if (label !== 'le') metric.labels.add(label);
      }
      metric.values.set(isPart ? `${suffix}{${labels}}` : labels, Number(value));
    }
  }
  return metrics;
}

/** Asks for metrics and reads them. */
export async function scrape(address: string): Promise<ReadonlyMap<string, Scraped>> {
  const response = await fetch(`${address}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
  return parseExposition(await response.text());
}
