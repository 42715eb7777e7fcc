import { addressWords, readAddress } from '../contract/address.ts';
import type { AddressEntry } from '../contract/address-list.ts';
import { AddressTable } from '../contract/address-table.ts';

/** Tables for all policies and for each that has entries of its own. */
export class AddressTables {
  readonly #global: AddressTable<AddressEntry>;
  readonly #own: ReadonlyMap<string, AddressTable<AddressEntry>>;
  readonly #address = new Uint32Array(addressWords);
  readonly size: number;

  constructor(entries: readonly AddressEntry[]) {
    this.size = entries.length;
    const byPolicy = Map.groupBy(entries, ({ policyId }) => policyId);
    this.#global = new AddressTable(byPolicy.get(undefined) ?? []);
    byPolicy.delete(undefined);
    this.#own = new Map(
      [...byPolicy].map(([policyId, own]) => [policyId ?? '', new AddressTable(own)]),
    );
  }

  /** The entry of the longest prefix; of the same network that of the policy. */
  match(address: string, policyId: string): AddressEntry | undefined {
    if (!readAddress(address, this.#address)) return undefined;
    const own = this.#own.get(policyId)?.find(this.#address);
    const global = this.#global.find(this.#address);
    if (own === undefined || global === undefined) return (own ?? global)?.entry;
    return own.bits >= global.bits ? own.entry : global.entry;
  }
}
