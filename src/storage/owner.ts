import { fchownSync, statSync } from 'node:fs';

/** What root makes in the service's directory must be usable by the service. */
export function giveToOwnerOf(folder: string, descriptor: number): void {
  const { uid, gid } = statSync(folder);
  if (process.geteuid?.() === 0) fchownSync(descriptor, uid, gid);
}
