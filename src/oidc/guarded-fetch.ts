import type { CustomFetch } from 'openid-client';
import { Agent, type Response as Answer, fetch } from 'undici';
import {
  AddressError,
  guardedLookup,
  isLocalHost,
  type ResolveAll,
  refusedLiteral,
} from '../telemetry/exporters/outgoing-address.ts';

/** Documents of a provider are a few kilobytes. */
const answerBytesMax = 1_048_576;
/** How long one request to a provider may take. */
export const requestSecondsMax = 10;

/** There was no usable answer. The message names a host at most, never a path or a token. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/**
 * Requests to an identity provider. The issuer comes from the settings and may be in a private
 * network, or this machine. What the provider names may not: its document must not lead us to
 * local services, nor to where clouds hand out credentials. Redirects are not followed. The whole answer
 * is read here: later, a stall would look like an answer that is not valid.
 */
export function createGuardedFetch(issuer: URL, resolve?: ResolveAll): CustomFetch {
  const isLocal = isLocalHost(issuer.hostname);
  const dispatcher = new Agent({
    connect: { lookup: guardedLookup(isLocal, resolve) },
    maxResponseSize: answerBytesMax,
    // A connection that was kept may lead elsewhere than the name does now.
    pipelining: 0,
  });
  return async (address, { body, ...options }) => {
    const url = new URL(address);
    const ask = async () => {
      refuse(url, isLocal);
      const answer = await fetch(url, {
        ...options,
        // The bound is on the bytes that arrive: compressed, a few could become many.
        headers: { ...options.headers, 'accept-encoding': 'identity' },
        ...(body === undefined || body === null ? {} : { body: body as string | URLSearchParams }),
        redirect: 'manual',
        dispatcher,
      });
      return read(answer);
    };
    const answer = await ask().catch((cause: unknown) => {
      throw new UnavailableError(`${url.host} gave no answer: ${reasonOf(cause)}`, { cause });
    });
    if (answer.status < 500) return answer;
    throw new UnavailableError(`${url.host} answered ${answer.status}`);
  };
}

async function read(answer: Answer): Promise<Response> {
  const coding = answer.headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    await answer.body?.cancel();
    throw new Error('it is compressed, which was not asked for');
  }
  const bytes = await answer.arrayBuffer();
  const { status, headers } = answer;
  // Some statuses allow no body, not even an empty one.
  const body = bytes.byteLength === 0 ? null : bytes;
  return new Response(body, { status, headers: [...headers] });
}

function refuse({ hostname }: URL, isLocal: boolean): void {
  const why = refusedLiteral(hostname, isLocal);
  if (why !== undefined) throw new AddressError(why);
  if (!isLocal && isLocalHost(hostname)) {
    throw new AddressError('The provider names this machine, where it is not.');
  }
}

/** The reason that the system gives: the error of `fetch` has none. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  const { cause } = error;
  if (cause instanceof Error) return cause.message === '' ? cause.name : cause.message;
  return error.message;
}
