import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mmdbFile } from './mmdb-file.ts';
import { tempDir } from './temp-dir.ts';

const system = (asn: number, name?: string) => ({
  autonomous_system_number: asn,
  ...(name === undefined ? {} : { autonomous_system_organization: name }),
});

/** Writes a small network database, of addresses for documentation; gives its path. */
export function asnDatabase(): string {
  const path = join(tempDir(), 'networks.mmdb');
  const file = mmdbFile([
    ['203.0.113.0/24', system(64_496, 'Example Hosting, Inc.')],
    ['198.51.100.0/25', system(4_200_000_001, `Ünï ${'long '.repeat(60)}`)],
    ['198.51.100.128/25', system(64_497)],
    ['192.0.2.1', { autonomous_system_number: 'no number' }],
    ['2001:db8::/32', system(64_498, 'Example\nSix')],
    [
      '2001:4860::/32',
      system(4_200_000_002, 'A-NETWORK-WITHOUT-A-BLANK-IN-ITS-VERY-LONG-NAME-OF-A-COMPANY'),
    ],
    ['2001:db9:0:8000::/49', system(0, 'none')],
  ]);
  writeFileSync(path, file);
  return path;
}
