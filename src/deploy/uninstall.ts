import { basename } from 'node:path';
import { enabledInstances } from './install.ts';
import type { Machine } from './machine.ts';
import { account, places } from './places.ts';

/** Stops the service and removes it; its data and settings only where that is asked for. */
export function uninstallService(machine: Machine, options: { readonly purge: boolean }): void {
  const target = basename(places.target);
  machine.tried('systemctl', 'disable', '--quiet', target, ...enabledInstances());
  machine.tried('systemctl', 'stop', target, 'sallyport@*.service');
  for (const path of [
    places.service,
    places.target,
    places.enabled,
    places.sysctl,
    places.command,
    places.releases,
    places.run,
  ]) {
    machine.remove(path);
  }
  machine.run('systemctl', 'daemon-reload');
  if (!options.purge) return;
  for (const path of [places.data, places.settings, places.sysusers]) machine.remove(path);
  machine.tried('userdel', account);
}
