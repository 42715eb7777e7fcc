import { setTimeout as delay } from 'node:timers/promises';
import { addressText, addressWords, readAddress } from '../contract/address.ts';
import { FailureTable } from './failure-table.ts';

const failuresPerPair = 5;
const failuresPerDevice = 5;
/** Failures of a name, wherever they come from, and of an address, before they are slowed down. */
const freePerName = 5;
const freePerAddress = 20;

const firstDelayMs = 250;
const delayMsMax = 5_000;
/** Attempts that wait at once. One takes a timer and a few hundred bytes. */
const waitingMax = 256;

/** Who tries to sign in. */
export interface Attempter {
  readonly name: string;
  readonly address: string;
  /** A device that has signed in under this name before, or the session that asks. */
  readonly device?: string | undefined;
}

/** What an attempt may do: go on, or come again later. */
export type Attempt =
  | {
      readonly kind: 'allowed';
      /** Whether the device is known: it goes before unknown ones where attempts queue. */
      readonly isKnown: boolean;
      /** The password was right: what this name failed at from this address is forgiven. */
      succeeded(): void;
      /** The password was not looked at: the attempt does not count. */
      withdrawn(): void;
    }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

/**
 * Counts failed sign-ins. Only a name from one address is locked, so that no client can lock out
 * another from elsewhere; names and addresses alone are slowed down. A device that has signed in
 * before is counted by itself: the failures of others do not concern it (after OWASP's "Slow Down
 * Online Guessing Attacks with Device Cookies").
 */
export interface SignInLimits {
  /** Counts an attempt as failed until it has succeeded, so that many at once gain nothing. */
  attempt(who: Attempter): Promise<Attempt>;
}

export function createSignInLimits(clock: () => number): SignInLimits {
  const pairs = new FailureTable(clock);
  const names = new FailureTable(clock);
  const addresses = new FailureTable(clock);
  const devices = new FailureTable(clock);
  const waitingRoom = new WaitingRoom();

  return {
    async attempt({ name, address, device }) {
      const from = clientPrefix(address);
      const pair = `${from} ${name}`;
      const isKnown = device !== undefined && devices.of(device) < failuresPerDevice;
      // What is refused here slows down neither the name nor the address.
      if (!isKnown && pairs.of(pair) >= failuresPerPair) {
        return { kind: 'limited', retryAfterSeconds: pairs.secondsLeft(pair) };
      }
      const add = (count: number, deviceCount: number) => {
        pairs.add(pair, count);
        names.add(name, count);
        addresses.add(from, count);
        if (isKnown) devices.add(device, deviceCount);
      };
      add(1, 1);
      const delayMs = Math.max(
        delayAfter(names.of(name), freePerName),
        delayAfter(addresses.of(from), freePerAddress),
      );
      if (!isKnown && !(await waitingRoom.wait(from, delayMs))) {
        add(-1, -1);
        return { kind: 'limited', retryAfterSeconds: Math.ceil(delayMsMax / 1_000) };
      }
      return {
        kind: 'allowed',
        isKnown,
        succeeded: () => add(-pairs.of(pair), -failuresPerDevice),
        withdrawn: () => add(-1, -1),
      };
    },
  };
}

/** How long an attempt waits: twice as long with each failure beyond those that are free. */
export function delayAfter(failures: number, free: number): number {
  if (failures <= free) return 0;
  return Math.min(delayMsMax, firstDelayMs * 2 ** (failures - free - 1));
}

/** What a client has: one IPv4 address, or the 2^64 of IPv6 beside the one that it uses. */
export function clientPrefix(address: string): string {
  const words = new Uint32Array(addressWords);
  if (!address.includes(':') || !readAddress(address, words)) return address;
  return addressText([...words.subarray(0, 2), 0, 0]);
}

/**
 * Attempts that wait. When it is full, a random one of the network with the most attempts leaves, so
 * that a flood from one network cannot keep others out.
 */
class WaitingRoom {
  readonly #waiting = new Set<{ readonly from: string; readonly leave: AbortController }>();

  /** False when the place was needed for another one. */
  async wait(from: string, ms: number): Promise<boolean> {
    if (ms === 0) return true;
    if (this.#waiting.size >= waitingMax) this.#makeRoom();
    const one = { from, leave: new AbortController() };
    this.#waiting.add(one);
    try {
      await delay(ms, undefined, { signal: one.leave.signal });
      return true;
    } catch {
      return false;
    } finally {
      this.#waiting.delete(one);
    }
  }

  #makeRoom(): void {
    const byNetwork = Map.groupBy(this.#waiting, ({ from }) => from);
    const most = [...byNetwork.values()].reduce((a, b) => (b.length > a.length ? b : a));
    const one = most[Math.floor(Math.random() * most.length)];
    if (one === undefined) return;
    this.#waiting.delete(one);
    one.leave.abort();
  }
}
