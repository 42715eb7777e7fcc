import { addressWords, networkOf, readAddress } from './address.ts';

/** What a key may do: `POST /control`, `/forward`, or the management API as an editor. */
export const keyScopes = ['screen', 'forward', 'manage'] as const;

export type KeyScope = (typeof keyScopes)[number];

/** What a key may do that names nothing else; also each key of before there were scopes. */
export const defaultScopes: readonly KeyScope[] = ['screen', 'forward'];

/** Whether a word is a scope. */
export function isKeyScope(word: string): word is KeyScope {
  return (keyScopes as readonly string[]).includes(word);
}

/** Networks that can be asked about an address without looking at a text. */
export interface NetworkSet {
  /** The four words of `readAddress`. */
  has(address: Uint32Array): boolean;
}

/** What a key may do and from where, ready to be asked at each request. */
export interface KeyBounds {
  readonly screen: boolean;
  readonly forward: boolean;
  readonly manage: boolean;
  /** Undefined: from everywhere. */
  readonly networks: NetworkSet | undefined;
}

const words = new Uint32Array(addressWords);

/** What the log says once a minute of a key that is sent from elsewhere. */
export const strayWarning = 'a key was refused: it came from outside of its networks';

/** Whether bounds let a text be the address of a sender; no text is one on a Unix socket. */
export function admitsAddress({ networks }: Pick<KeyBounds, 'networks'>, address: string): boolean {
  return networks === undefined || (readAddress(address, words) && networks.has(words));
}

/** A network that was given and is none, by its place in the list. */
export interface NetworkProblem {
  readonly index: number;
  readonly problem: string;
}

/** Networks in their one written form, each once; or what is wrong with them. */
export function networksFrom(
  given: readonly string[],
): { readonly networks: readonly string[] } | { readonly problems: readonly NetworkProblem[] } {
  const networks = new Set<string>();
  const problems: NetworkProblem[] = [];
  given.forEach((text, index) => {
    const network = networkOf(text);
    if ('problem' in network) problems.push({ index, problem: network.problem });
    else networks.add(network.text);
  });
  return problems.length > 0 ? { problems } : { networks: [...networks] };
}
