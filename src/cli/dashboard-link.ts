import type { Reachable } from '../main.ts';

/**
 * The dashboard as a browser on this machine opens it, with the token for the first administrator
 * while there is none. The token stands in the fragment, which browsers keep to themselves.
 * Undefined on a Unix socket, where no browser comes.
 */
export function dashboardLink({ address, setUpToken }: Reachable): string | undefined {
  if (address.startsWith('unix:')) return undefined;
  const fragment = setUpToken === undefined ? '' : `#setup=${setUpToken}`;
  return `${reachableOrigin(address)}/dashboard/${fragment}`;
}

/** An address that stands for all of the machine's is no address to call. */
export function reachableOrigin(address: string): string {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.origin;
}
