import type { Channel } from '../../src/contract/notification.ts';
import type { Tally } from '../../src/notifications/tallies.ts';

/** A channel of which a test says what it is about. */
export function channelOf(parts: Partial<Channel> = {}): Channel {
  return {
    id: 'c1',
    name: 'on call',
    kind: 'webhook',
    isPaused: false,
    hears: { policies: [], categories: [], severity: 'low', monitored: false },
    digestMinutes: 0,
    target: { url: 'http://127.0.0.1:9/' },
    createdAt: 1,
    changedAt: 1,
    changedBy: 'ada',
    ...parts,
  };
}

/** Events of one client and rule. */
export function tallyOf(at: number, parts: Partial<Tally & Tally['kind']> = {}): Tally {
  const { events = 1, client = '203.0.113.9', rule = 'sqli.union', severity = 'high' } = parts;
  const kind = {
    decision: 'block',
    severity,
    category: 'sqli',
    rule,
    policy: 'Shop',
    client,
  } as const;
  return {
    id: `${at} ${client} ${rule} ${severity}`,
    channelId: 'c1',
    at,
    lastAt: at,
    events,
    kind,
    sample: {
      ...{ id: `e${at}`, at: new Date(at).toISOString(), decision: 'block', score: 95 },
      ...{ category: 'sqli', rule, pointer: '/q', keyName: 'shop', evidence: "' OR 1=1" },
      ...{ policy: 'Shop', client, severity },
    },
  };
}
