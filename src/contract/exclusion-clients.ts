import { type Network, narrowerThan, networkOf } from './address.ts';
import { type NetworkProblem, networksFrom } from './key-bounds.ts';
import type { Exclusion, Policy } from './policy.ts';

/** Whether a policy must know the address of the client. */
export function asksClient({ exclusions }: Policy): boolean {
  return exclusions.some(({ clients }) => clients !== undefined);
}

/** What is wrong with the clients of an exclusion: no network, or much of the Internet. */
export function clientProblems(clients: readonly string[]): readonly NetworkProblem[] {
  return clients.flatMap((text, index) => {
    const network = networkOf(text);
    const problem = 'problem' in network ? network.problem : tooWide(network);
    return problem === undefined ? [] : [{ index, problem }];
  });
}

function tooWide(network: Network): string | undefined {
  const prefix = narrowerThan(network);
  return prefix === undefined
    ? undefined
    : `is so wide that this would count for much of the Internet; write a prefix of ${prefix} or longer`;
}

/** The exclusion with its clients in their one written form, each once. They are valid. */
export function withWrittenClients<One extends Pick<Exclusion, 'clients'>>(exclusion: One): One {
  if (exclusion.clients === undefined) return exclusion;
  const written = networksFrom(exclusion.clients);
  return 'problems' in written ? exclusion : { ...exclusion, clients: written.networks };
}
