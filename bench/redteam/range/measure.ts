import { Families, type Family } from '../judge/families.ts';
import { replay } from './replay.ts';
import type { OpenRoute } from './site.ts';
import { type Guard, openSite, type SentRequest, type Site, type SiteLog } from './site.ts';
import type { ToolAttack } from './tool.ts';

/** What came of an attack on a site. */
export interface Attacked {
  readonly requests: number;
  /** Refused by Sallyport. */
  readonly blocked: number;
  /** Neither refused nor let through by what they hold: the service took too long. */
  readonly unscreened: number;
  /** Requests that reached the code of a route. */
  readonly arrived: number;
  /** Of those: a canary was reached. */
  readonly effective: number;
  /** What the tool says that it found. */
  readonly findings: readonly string[];
}

/** One tool against the range, bare and behind Sallyport. */
export interface AttackReport {
  readonly attack: string;
  readonly target: string;
  readonly bare: Attacked;
  readonly behind: Attacked;
  /** The different requests that were effective on the bare site, sent to the other one as they were. */
  readonly replayed: Omit<Attacked, 'findings'>;
  /** What got through and was effective, of the attack and of what was sent again. */
  readonly families: readonly Family[];
  readonly seconds: number;
}

/** How attacks are made. */
export interface Bounds {
  readonly guard: Guard;
  /** For each run of a tool. */
  readonly seconds: number;
}

/** More are not sent again. */
const replayedMax = 3_000;

/** Attacks a bare site, then a guarded one, then sends again what was effective on the bare one. */
export async function measure(
  attack: ToolAttack,
  routes: readonly OpenRoute[],
  { guard, seconds }: Bounds,
): Promise<AttackReport> {
  const began = performance.now();
  const families = new Families();
  const withSite = async <T>(use: (site: Site) => Promise<T>, given?: Guard): Promise<T> => {
    const site = await openSite(routes, given);
    try {
      return await use(site);
    } finally {
      await site.close();
    }
  };
  const run = async (site: Site): Promise<readonly [Attacked, SiteLog]> => {
    const findings = await attack.run(site.url, seconds);
    return [{ ...countsOf(site.log), findings }, site.log];
  };
  const [bare, bareLog] = await withSite(run);
  const [behind, behindLog] = await withSite(run, guard);
  const again = await withSite(async (site) => {
    await replay(site.url, different(bareLog));
    return site.log;
  }, guard);
  for (const log of [behindLog, again]) {
    for (const { route, values } of log.hits) {
      families.add(route.path, 0, route.context, { kind: attack.name, values });
    }
  }
  return {
    attack: attack.name,
    target: attack.target,
    bare,
    behind,
    replayed: countsOf(again),
    families: families.all(),
    seconds: Math.round((performance.now() - began) / 1_000),
  };
}

function countsOf({
  requests,
  blocked,
  arrived,
  hits,
  outages,
}: SiteLog): Omit<Attacked, 'findings'> {
  return { requests, blocked, unscreened: outages.length, arrived, effective: hits.length };
}

/** Each once, whatever else of its headers differs. */
function different({ hits }: SiteLog): readonly SentRequest[] {
  const byContent = new Map<string, SentRequest>();
  for (const { request } of hits) {
    const { method, target, headers, body } = request;
    const content = [method, target, headers['cookie'], headers['referer'], body];
    byContent.set(JSON.stringify(content), request);
  }
  return [...byContent.values()].slice(0, replayedMax);
}
