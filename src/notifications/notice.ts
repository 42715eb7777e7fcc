import { randomUUID } from 'node:crypto';
import type {
  Channel,
  MessageKind,
  Notice,
  NoticeCount,
  NoticeSample,
} from '../contract/notification.ts';
import { baseOf } from '../contract/public-url.ts';
import type { Severity } from '../contract/verdict.ts';
import { sum } from './compose.ts';
import { severityRank } from './hears.ts';
import { slotMs, type Tally, type TallyKind } from './tallies.ts';

const topMax = 5;
const samplesMax = 3;

/** What a message says about some events. */
export function noticeOf(input: {
  readonly channel: Channel;
  readonly kind: MessageKind;
  readonly tallies: readonly Tally[];
  readonly reached: readonly NoticeCount[];
  readonly publicUrl: string | undefined;
}): Notice {
  const { channel, kind, tallies, reached, publicUrl } = input;
  const from = Math.min(...tallies.map(({ at }) => at));
  const to = Math.max(...tallies.map(({ lastAt }) => lastAt));
  const blocked = sum(tallies.filter((one) => one.kind.decision === 'block'));
  const wouldBlock = sum(tallies) - blocked;
  const severity = highest(tallies);
  const top = {
    clients: most(tallies, ({ client }) => client),
    rules: most(tallies, ({ rule }) => rule),
    policies: most(tallies, ({ policy }) => policy),
    categories: most(tallies, ({ category }) => category),
  };
  const { threshold } = channel;
  return {
    id: randomUUID(),
    kind,
    channel: channel.name,
    title: titleOf({ kind, blocked, wouldBlock, severity }),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    blocked,
    wouldBlock,
    ...(severity && { severity }),
    ...(threshold &&
      reached.length > 0 && { reached: { ...threshold, values: reached.slice(0, topMax) } }),
    top,
    samples: samplesOf(tallies),
    ...(publicUrl !== undefined && { link: linkOf(publicUrl, { from, to: to + slotMs, tallies }) }),
  };
}

/** A message that says only that messages arrive. */
export function testNotice(channel: Channel, now: number, publicUrl: string | undefined): Notice {
  const at = new Date(now).toISOString();
  const sample: NoticeSample = {
    id: '00000000-0000-7000-8000-000000000000',
    at,
    decision: 'block',
    score: 95,
    category: 'sqli',
    rule: 'sqli.tautology',
    severity: 'critical',
    pointer: '/username',
    keyName: 'example',
    policy: 'example',
    evidence: "' OR 1=1 --",
    method: 'POST',
    host: 'shop.example',
    path: '/login',
    client: '192.0.2.1',
  };
  return {
    id: randomUUID(),
    kind: 'test',
    channel: channel.name,
    title: 'Sallyport: this is a test. Nothing was blocked',
    from: at,
    to: at,
    blocked: 0,
    wouldBlock: 0,
    top: { clients: [], rules: [], policies: [], categories: [] },
    samples: [sample],
    ...(publicUrl !== undefined && { link: `${baseOf(publicUrl)}/dashboard/notifications` }),
  };
}

function titleOf(facts: {
  readonly kind: MessageKind;
  readonly blocked: number;
  readonly wouldBlock: number;
  readonly severity: Severity | undefined;
}): string {
  const { kind, blocked, wouldBlock, severity } = facts;
  const parts = [
    ...(blocked > 0 ? [`${requests(blocked)} blocked`] : []),
    ...(wouldBlock > 0 ? [`${requests(wouldBlock)} would be blocked`] : []),
  ];
  const held = kind === 'held' ? ' during quiet hours' : '';
  const worst = severity === undefined ? '' : ` (${severity})`;
  return `Sallyport: ${parts.join(', ')}${held}${worst}`;
}

function requests(count: number): string {
  return count === 1 ? '1 request' : `${count.toLocaleString('en')} requests`;
}

function highest(tallies: readonly Tally[]): Severity | undefined {
  const all = tallies.flatMap(({ kind }) => kind.severity ?? []);
  return all.sort((a, b) => severityRank(b) - severityRank(a))[0];
}

function most(tallies: readonly Tally[], fact: (kind: TallyKind) => string): NoticeCount[] {
  const counts = new Map<string, number>();
  for (const { kind, events } of tallies) {
    const value = fact(kind);
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + events);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, topMax);
}

/** The worst, then the latest; one of each rule and client. */
function samplesOf(tallies: readonly Tally[]): NoticeSample[] {
  const seen = new Set<string>();
  return tallies
    .map(({ sample }) => sample)
    .sort((a, b) => rankOf(b) - rankOf(a) || (a.at < b.at ? 1 : -1))
    .filter(({ rule, client }) => {
      const key = JSON.stringify([rule, client]);
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, samplesMax);
}

function rankOf({ severity }: NoticeSample): number {
  return severityRank(severity);
}

/** The list of events with the filter that all of them pass. */
function linkOf(
  publicUrl: string,
  span: { readonly from: number; readonly to: number; readonly tallies: readonly Tally[] },
): string {
  const { tallies } = span;
  const same = (fact: (tally: Tally) => string) => {
    const values = new Set(tallies.map(fact));
    return values.size === 1 && !tallies.some(({ kind }) => kind.isRest) ? [...values][0] : '';
  };
  const query = new URLSearchParams({
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
  });
  const filters = {
    client: same(({ kind }) => kind.client),
    rule: same(({ kind }) => kind.rule),
    category: same(({ kind }) => kind.category),
    decision: same(({ kind }) => kind.decision),
  };
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  return `${baseOf(publicUrl)}/dashboard/events?${query}`;
}
