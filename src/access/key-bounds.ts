import { AddressTable } from '../contract/address-table.ts';
import { isKeyScope, type KeyBounds, type KeyScope } from '../contract/key-bounds.ts';
import type { KeyKind } from '../contract/key-directory.ts';

/** Bounds as they are stored. */
export interface StoredBounds {
  readonly kind: KeyKind;
  /** None of an administrator key, which is no key of an application. */
  readonly scopes: readonly KeyScope[];
  /** Empty: from everywhere. */
  readonly networks: readonly string[];
}

/** Compiles bounds, once for each key that changes. Networks that cannot be read admit no address. */
export function boundsOf({ kind, scopes, networks }: StoredBounds): KeyBounds {
  const isLive = kind === 'live';
  const table = new AddressTable(networks.map((network) => ({ network })));
  return {
    screen: isLive && scopes.includes('screen'),
    forward: isLive && scopes.includes('forward'),
    manage: isLive && scopes.includes('manage'),
    networks:
      networks.length === 0 ? undefined : { has: (address) => table.find(address) !== undefined },
  };
}

/** Scopes as one text of the database. */
export function writeScopes(scopes: readonly KeyScope[]): string {
  return scopes.join(',');
}

/** The scopes in a text; words that this version does not know allow nothing. */
export function readScopes(text: string): readonly KeyScope[] {
  return text.split(',').filter(isKeyScope);
}

/** Networks as one text of the database. */
export function writeNetworks(networks: readonly string[]): string {
  return networks.join(',');
}

export function readNetworks(text: string): readonly string[] {
  return text === '' ? [] : text.split(',');
}
