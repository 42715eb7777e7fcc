import type { CustomFetch } from 'openid-client';
import { Agent, fetch } from 'undici';
import {
  AddressError,
  guardedLookup,
  isLocalHost,
  refusedLiteral,
} from '../telemetry/exporters/outgoing-address.ts';

/** Documents of a provider are a few kilobytes. */
const answerBytesMax = 1_048_576;

/** No answer that can be used came. The message names a host at most, never a path or a token. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/**
 * Requests to an identity provider. The issuer comes from the settings and may be in a private
 * network, or this machine. What the provider names may not: its document must not lead us to
 * local services, nor to where clouds hand out credentials. Redirects are not followed.
 */
export function createGuardedFetch(issuer: URL): CustomFetch {
  const isLocal = isLocalHost(issuer.hostname);
  const dispatcher = new Agent({
    connect: { lookup: guardedLookup(isLocal) },
    maxResponseSize: answerBytesMax,
    // A connection of before may lead elsewhere than the name does now.
    pipelining: 0,
  });
  return async (address, { body, ...options }) => {
    const url = new URL(address);
    const answer = await (async () => {
      refuse(url, isLocal);
      return fetch(url, {
        ...options,
        ...(body === undefined || body === null ? {} : { body: body as string | URLSearchParams }),
        redirect: 'manual',
        dispatcher,
      });
    })().catch((cause: unknown) => {
      throw new UnavailableError(`${url.host} gave no answer: ${reasonOf(cause)}`, { cause });
    });
    if (answer.status < 500) return answer as unknown as Response;
    await answer.body?.cancel();
    throw new UnavailableError(`${url.host} answered ${answer.status}`);
  };
}

function refuse({ hostname }: URL, isLocal: boolean): void {
  const why = refusedLiteral(hostname, isLocal);
  if (why !== undefined) throw new AddressError(why);
  if (!isLocal && isLocalHost(hostname)) {
    throw new AddressError('The provider names this machine, where it is not.');
  }
}

/** The reason that the system gives: `fetch` only says that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  const { cause } = error;
  if (cause instanceof Error) return cause.message === '' ? cause.name : cause.message;
  return error.message;
}
