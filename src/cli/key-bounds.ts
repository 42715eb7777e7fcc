import { isKeyScope, type KeyScope, keyScopes, networksFrom } from '../contract/key-bounds.ts';
import { limits } from '../contract/limits.ts';
import { type CommandInput, type CommandOption, UsageError } from './command.ts';

/** The options that say what a key may do and from where. */
export const boundOptions: readonly CommandOption[] = [
  {
    name: 'scope',
    value: '<scopes>',
    isList: true,
    help: `what the key may do, of ${keyScopes.join(', ')} [screen,forward]`,
    values: keyScopes,
  },
  {
    name: 'network',
    value: '<networks>',
    isList: true,
    help: 'from where it may be used, such as 10.0.0.0/8,2001:db8::/32; or any [any]',
  },
];

/** The bounds that were given; those that were not are left out. */
export function boundsFrom(input: Pick<CommandInput, 'text'>): {
  readonly scopes?: readonly KeyScope[];
  readonly networks?: readonly string[];
} {
  const scope = input.text('scope');
  const network = input.text('network');
  return {
    ...(scope === undefined ? {} : { scopes: scopesFrom(scope) }),
    ...(network === undefined ? {} : { networks: networksIn(network) }),
  };
}

function scopesFrom(text: string): readonly KeyScope[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !isKeyScope(word));
  if (unknown !== undefined) {
    throw new UsageError(`--scope takes ${keyScopes.join(', ')}, not ${unknown || 'nothing'}`);
  }
  return keyScopes.filter((scope) => words.includes(scope));
}

function networksIn(text: string): readonly string[] {
  if (text.trim() === 'any') return [];
  const given = text.split(',');
  const read = networksFrom(given);
  if ('problems' in read) {
    const all = read.problems.map(({ index, problem }) => `${given[index]}: ${problem}`);
    throw new UsageError(`--network: ${all.join('; ')}`);
  }
  if (read.networks.length > limits.keyNetworksMax) {
    throw new UsageError(`--network takes at most ${limits.keyNetworksMax} networks`);
  }
  return read.networks;
}
