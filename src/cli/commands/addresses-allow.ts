import { limits } from '../../contract/limits.ts';
import type { Command } from '../command.ts';

export const addressesAllow: Command = {
  name: 'addresses allow',
  summary: 'Let all requests of addresses or networks pass unscreened.',
  alsoCalled: ['addresses trust', 'addresses skip'],
  operands: '<address or network> …',
  operandsMin: 1,
  operandsMax: limits.addressesAtOnceMax,
  options: [
    { name: 'reason', value: '<text>', help: 'why; kept with the entry and in the audit' },
    { name: 'expires', value: '<when>', help: 'a time span (24h) or a date (2030-12-31)' },
    { name: 'policy', value: '<id or name>', help: 'the one policy that it counts for [all]' },
  ],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes: `In force within a second on running servers. Prints the id of each entry. The client is the
last address of X-Forwarded-For that is no trusted proxy. An entry for the same network is replaced.`,
  async run(input, terminal) {
    const { listNetworks } = await import('../address-list.ts');
    return listNetworks(input, terminal, 'allow');
  },
};
