/** `deny` refuses a client before anything is read; `allow` lets it pass unscreened. */
export type ListAction = 'deny' | 'allow';

/** A network of which all requests are refused, or pass unscreened. Times: ms since 1970, UTC. */
export interface AddressEntry {
  readonly id: string;
  /** In the form of `networkOf`. */
  readonly network: string;
  readonly action: ListAction;
  /** The policy that it counts for; all of them without one. */
  readonly policyId: string | undefined;
  readonly reason: string;
  readonly author: string;
  readonly createdAt: number;
  /** From then on it is without effect. */
  readonly expiresAt: number | undefined;
}

/** What is to be listed. Where the same network is listed for the same policy, it is replaced. */
export interface NewAddresses {
  readonly networks: readonly string[];
  readonly action: ListAction;
  readonly policyId?: string | undefined;
  readonly reason: string;
  readonly expiresAt?: number | undefined;
}

/** What came of a wish to list networks. */
export type AddressOutcome =
  | { readonly kind: 'done'; readonly entries: readonly AddressEntry[] }
  | {
      readonly kind: 'not-valid';
      readonly problems: readonly { readonly pointer: string; readonly message: string }[];
    }
  | { readonly kind: 'full'; readonly most: number }
  | { readonly kind: 'no-policy' };

/** The lists as the management API uses them. */
export interface AddressDirectory {
  /** Newest first, those that have expired within the last week included. */
  list(): Promise<readonly AddressEntry[]>;
  add(wish: NewAddresses, by: string): Promise<AddressOutcome>;
  /** The entry that was removed; undefined if there is none. */
  remove(id: string): Promise<AddressEntry | undefined>;
}

/** What counts for a client: the longest prefix; of the same network that of the policy. */
export interface AddressLists {
  /** Whether nothing is listed: then no address has to be found out. */
  isEmpty(): boolean;
  /** `address` is IPv4 or IPv6; what is neither is not listed. Allocates nothing. */
  match(address: string, policyId: string): AddressEntry | undefined;
}
