import { availableParallelism } from 'node:os';
import { barsOf, type Measure, measure, type PartResult } from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import type { Started } from '../lib/server.ts';
import { findPeer, startPeer } from './nginx.ts';
import { type Cell, ratiosOf, resultOf, runRounds } from './rounds.ts';

/** Bodies and how many times faster we mean to be, design.md, section 8. */
const compared: readonly { readonly body: string; readonly times: number }[] = [
  { body: 'login', times: 50 },
  { body: 'form-1k', times: 75 },
  { body: 'article-16k', times: 75 },
];

const nothing: PartResult = { measures: [], charts: [], notes: [] };

/** The same bodies, in the same run, through nginx with ModSecurity and the Core Rule Set. */
export async function measurePeers(plan: Plan, service: Started): Promise<PartResult> {
  if (plan.peers === undefined) return nothing;
  const files = findPeer(plan.peers);
  if ('missing' in files) {
    const packages = 'nginx libnginx-mod-http-modsecurity modsecurity-crs';
    return { ...nothing, notes: [`No peer: ${files.missing} is missing; install ${packages}.`] };
  }
  const workers = availableParallelism();
  const peer = await startPeer(files, workers);
  try {
    const cells = compared.flatMap(({ body }) => cellsOf(plan, body, service, peer));
    const results = await runRounds(cells, repeatsOf(plan, 2));
    const part = { part: 'http', unit: 'req/s' } as const;
    const rates = compared.map(({ body }) => {
      const { rates } = resultOf(results, `peer ${body}`);
      return measure({ ...part, name: 'nginx + ModSecurity + CRS', input: body }, rates);
    });
    const ratios: Measure[] = compared.map(({ body, times }) => {
      const ours = resultOf(results, `ours ${body}`).rates;
      const target = { kind: 'min', value: times } as const;
      const label = { ...part, name: 'screened/peer', input: body, unit: 'ratio', target };
      return measure(label, ratiosOf(ours, resultOf(results, `peer ${body}`).rates));
    });
    return {
      measures: [...rates, ...ratios],
      charts: [
        {
          kind: 'bar',
          title: 'How many times the requests of nginx + ModSecurity + CRS',
          unit: 'ratio',
          bars: barsOf(ratios, ({ input }) => input),
        },
      ],
      notes: [`Peer: nginx with ${workers} workers, CRS ${files.crsVersion}, audit log off.`],
    };
  } finally {
    await peer.stop();
  }
}

function cellsOf(plan: Plan, body: string, service: Started, peer: Started): Cell[] {
  const load = {
    mix: [{ body, share: 1 }],
    connections: plan.smoke ? 4 : 64,
    warmUpMs: cellMs(plan, 400),
    ms: plan.smoke ? 300 : cellMs(plan, 1_800),
  };
  return [
    { name: `ours ${body}`, server: service, plan: load },
    { name: `peer ${body}`, server: peer, plan: load },
  ];
}
