import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const failuresPerName = 5;
const failuresPerAddress = 20;
const periodSeconds = 15 * 60;

/** What an attempt may do: go on, or wait. */
export type Attempt =
  | { readonly kind: 'allowed'; succeeded(): Promise<void> }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

/** Counts failed sign-ins by name and by address. */
export interface SignInLimits {
  /** Counts an attempt as failed until it has succeeded, so that many at once gain nothing. */
  attempt(name: string, address: string): Promise<Attempt>;
}

export function createSignInLimits(): SignInLimits {
  const byName = new RateLimiterMemory({ points: failuresPerName, duration: periodSeconds });
  const byAddress = new RateLimiterMemory({ points: failuresPerAddress, duration: periodSeconds });
  return {
    async attempt(name, address) {
      const from = networkOf(address);
      try {
        // The address goes first: one that is limited cannot use up the names of others.
        await byAddress.consume(from);
        await byName.consume(name);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { kind: 'limited', retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1_000) };
      }
      const succeeded = async () => {
        await byName.delete(name);
        await byAddress.reward(from);
      };
      return { kind: 'allowed', succeeded };
    },
  };
}

/** Whoever has one IPv6 address has the 2^64 beside it. */
function networkOf(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address;
}
