import type { AdminStore } from '../access/admin-store.ts';

/** Says that there is no administrator of a name, and which there are. */
export async function noAdministrator(store: AdminStore, name: string): Promise<string> {
  const names = (await store.list()).map((one) => one.name);
  const known = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
  return `There is no administrator ${name}; ${known}.`;
}
