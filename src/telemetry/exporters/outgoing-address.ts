import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { embeddedIpv4 } from './embedded-ipv4.ts';

/**
 * Networks that nothing is sent to: link-local, unspecified, multicast and reserved ones, and the
 * addresses where clouds hand out credentials (169.254.169.254, fd00:ec2::254, 100.100.100.200).
 */
const never = new BlockList();
never.addSubnet('0.0.0.0', 8);
never.addSubnet('169.254.0.0', 16);
never.addSubnet('224.0.0.0', 3);
never.addAddress('100.100.100.200');
never.addAddress('168.63.129.16');
never.addAddress('192.0.0.192');
never.addAddress('::', 'ipv6');
never.addAddress('fd00:ec2::254', 'ipv6');
never.addSubnet('fe80::', 10, 'ipv6');
never.addSubnet('ff00::', 8, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const localName = /^localhost\.?$/i;

/** An address where nothing may be sent. The message says why. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** Finds all addresses of a name, as `lookup` of node:dns does. */
export type ResolveAll = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Whether a host, as it is written, is this machine. */
export function isLocalHost(host: string): boolean {
  return localName.test(host) || isOf(loopback, bare(host));
}

/**
 * Resolves names, and refuses those whose addresses nothing may be sent to: also a name that points
 * to this machine, unless it says so or `isLocalAllowed`. The connection goes to what was checked.
 */
export function guardedLookup(
  isLocalAllowed: boolean,
  resolve: ResolveAll = lookup,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const fault = error ?? faultOf(host, addresses, isLocalAllowed);
      const [first] = addresses ?? [];
      if (fault !== undefined) callback(fault, '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

/** Resolves when a host may be sent to, with an address that was checked. */
export function checkedAddress(host: string, isLocalAllowed: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    guardedLookup(isLocalAllowed)(bare(host), {}, (error, address) => {
      if (error) reject(error);
      else resolve(String(address));
    });
  });
}

/** Why nothing may be sent to a host that is written as an address; undefined for what may. */
export function refusedLiteral(host: string, isLocalAllowed: boolean): string | undefined {
  const address = bare(host);
  const family = isIP(address);
  return family === 0 ? undefined : faultOf(host, [{ address, family }], isLocalAllowed)?.message;
}

function faultOf(
  host: string,
  addresses: readonly LookupAddress[],
  isLocalAllowed: boolean,
): AddressError | undefined {
  const mayBeLocal = isLocalAllowed || isLocalHost(host);
  const isRefused = (one: string) => isOf(never, one) || (!mayBeLocal && isOf(loopback, one));
  const refused = addresses.find(({ address }) =>
    [address, ...embeddedIpv4(address)].some(isRefused),
  );
  if (refused === undefined && addresses.length > 0) return undefined;
  return new AddressError(
    refused === undefined
      ? 'The host has no address.'
      : `Nothing is sent to ${refused.address}: it is reserved, or of this machine only.`,
  );
}

function isOf(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Without the brackets of a URL. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
