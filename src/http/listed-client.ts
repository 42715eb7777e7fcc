import type { AddressEntry } from '../contract/address-list.ts';
import { type Policy, thresholds } from '../contract/policy.ts';
import type { KeyGrant } from '../contract/ports.ts';
import { addClient, forwardedForMember, type RequestContext } from '../contract/request.ts';
import type { Verdict } from '../contract/verdict.ts';
import type { Exchange } from './exchange.ts';
import { forwardedClient } from './peer.ts';
import { recordBlock, type Screened } from './record.ts';
import { respondUnscreened, respondVerdict } from './respond.ts';
import { topLevelText } from './top-level-text.ts';

/** A client that is listed, and the entry that counts for it. */
export interface Listed {
  readonly client: string;
  readonly entry: AddressEntry;
}

/** What the event of a denied request holds instead of its body, which was not read. */
const noBody = Buffer.from('{}');

/**
 * The entry for the client of a request, whose `X-Forwarded-For` comes from the application server
 * or the proxy; undefined where none counts, or no client is named.
 */
export function listedClient(
  { service }: Exchange,
  { policyId, policy }: KeyGrant,
  forwardedFor: string,
): Listed | undefined {
  const { addresses } = service;
  if (addresses === undefined || addresses.isEmpty()) return undefined;
  if (forwardedFor === '' || policy.mode === 'off') return undefined;
  const client = forwardedClient(forwardedFor, service.trustedProxies);
  const entry = client === '' ? undefined : addresses.match(client, policyId);
  return entry === undefined ? undefined : { client, entry };
}

/**
 * The same where the context came in the body. Any body may name a client, so that an allowed one
 * counts only where the caller's header declares that the caller wrote it, as our middleware does.
 */
export function listedByBody(
  exchange: Exchange,
  { grant, body, context, hasContextInBody }: Screened,
): Listed | undefined {
  if (context.for !== '' || exchange.service.addresses?.isEmpty() !== false) return undefined;
  const listed = listedClient(exchange, grant, topLevelText(body, forwardedForMember));
  return listed?.entry.action === 'allow' && hasContextInBody !== true ? undefined : listed;
}

/** With the client in the context, where an exclusion may ask for it and it can be trusted. */
export function withClient(exchange: Exchange, request: Screened): Screened {
  const { grant, body, context, hasContextInBody } = request;
  if (!grant.asksClient) return request;
  const inBody = context.for === '' && hasContextInBody === true;
  const forwardedFor = inBody ? topLevelText(body, forwardedForMember) : context.for;
  const client = forwardedClient(forwardedFor, exchange.service.trustedProxies);
  return { ...request, context: addClient(context, client) };
}

/** Answers at `/control` for a client that is listed: nothing is screened. */
export function concludeListed(
  exchange: Exchange,
  grant: KeyGrant,
  found: {
    readonly listed: Listed;
    readonly context: RequestContext;
    readonly body: Uint8Array | undefined;
  },
): void {
  const { listed } = found;
  exchange.service.decisions.listed(listed.entry.action);
  if (listed.entry.action === 'allow') {
    respondUnscreened(exchange);
    return;
  }
  respondVerdict(exchange, grant.policy, outcomeOf(listed, grant.policy));
  recordDenied(exchange, grant, found);
}

/** Records a request that was refused because of its client. */
export function recordDenied(
  exchange: Exchange,
  grant: KeyGrant,
  found: {
    readonly listed: Listed;
    readonly context: RequestContext;
    readonly body?: Uint8Array | undefined;
  },
): void {
  const { listed, context, body = noBody } = found;
  recordBlock(exchange, { grant, context, body }, outcomeOf(listed, grant.policy));
}

function outcomeOf({ client, entry }: Listed, { sensitivity }: Policy) {
  const verdict: Verdict = {
    decision: 'block',
    score: 100,
    threshold: thresholds[sensitivity],
    findings: [
      {
        category: 'other',
        rule: 'list.denied-address',
        cwe: 'CWE-284',
        severity: 'medium',
        pointer: `/${forwardedForMember}`,
        where: 'context',
        decoded: [],
        span: [0, client.length],
        evidence: client,
        score: 100,
        message: `is on the deny list as ${entry.network} (entry ${entry.id})`,
      },
    ],
    coverage: { complete: true, bytes: 0, reasons: [] },
  };
  return { kind: 'verdict', verdict } as const;
}
