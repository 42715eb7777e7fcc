import { isSecretLive, type KeyRecord, keyStateAt } from '../../access/key-store.ts';
import { defaultPolicyId } from '../../contract/policy.ts';
import type { Command } from '../command.ts';
import { formatMoment } from '../moment.ts';
import { table } from '../table.ts';

export const keysList: Command = {
  name: 'keys list',
  summary: 'List the API keys.',
  alsoCalled: ['keys ls', 'keys show'],
  options: [{ name: 'json', help: 'print JSON' }],
  settings: ['dataDir', 'databaseUrl', 'pepperFile', 'config'],
  async run(input, terminal) {
    const now = Date.now();
    const { withKeyRing } = await import('../key-ring.ts');
    const { requireDatabase } = await import('../stored.ts');
    requireDatabase(input.config);
    const { keys, policies } = await withKeyRing(input.config, async (ring) => ({
      keys: await ring.store.list(),
      policies: new Map((await ring.policies.list()).map(({ id, name }) => [id, name])),
    }));
    if (input.isOn('json')) {
      terminal.out(
        `${JSON.stringify(
          keys.map((key) => described(key, now)),
          null,
          2,
        )}\n`,
      );
    } else if (keys.length === 0) {
      terminal.err('There are no keys yet; `sallyport keys create --name <name>` makes one.\n');
    } else {
      const head = [
        'ID',
        'NAME',
        'KIND',
        'STATE',
        'POLICY',
        'SCOPES',
        'NETWORKS',
        'CREATED',
        'EXPIRES',
        'LAST USED',
        'OLD SECRET UNTIL',
      ];
      terminal.out(`${table([head, ...keys.map((key) => rowOf(key, policies, now))])}\n`);
    }
    return 0;
  },
};

/** What `--json` prints of a key: no digest. */
function described(key: KeyRecord, now: number): Readonly<Record<string, unknown>> {
  return {
    id: key.id,
    name: key.name,
    kind: key.kind,
    state: keyStateAt(key, now),
    created: formatMoment(key.createdAt),
    expires: momentOrNull(key.expiresAt),
    lastUsed: momentOrNull(key.lastUsedAt),
    revoked: momentOrNull(key.revokedAt),
    policy: key.policyId ?? null,
    scopes: key.scopes,
    networks: key.networks,
    lastClient: key.lastClient ?? null,
    secrets: key.secrets
      .filter((secret) => isSecretLive(secret, now))
      .map(({ createdAt, sunsetAt }) => ({
        created: formatMoment(createdAt),
        sunset: momentOrNull(sunsetAt),
      })),
  };
}

function rowOf(
  key: KeyRecord,
  policies: ReadonlyMap<string, string>,
  now: number,
): readonly string[] {
  const { policyId = defaultPolicyId } = key;
  const sunsetAt = key.secrets.find(
    (secret) => secret.sunsetAt !== undefined && isSecretLive(secret, now),
  )?.sunsetAt;
  return [
    key.id,
    key.name,
    key.kind,
    keyStateAt(key, now),
    // A key for the management API screens nothing.
    key.kind === 'admin' ? '-' : (policies.get(policyId) ?? policyId),
    key.kind === 'admin' ? '-' : key.scopes.join(','),
    networksOf(key.networks),
    formatMoment(key.createdAt),
    momentOrNull(key.expiresAt) ?? 'never',
    momentOrNull(key.lastUsedAt) ?? 'never',
    momentOrNull(sunsetAt) ?? '',
  ];
}

function networksOf([first = 'any', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function momentOrNull(moment: number | undefined): string | null {
  return moment === undefined ? null : formatMoment(moment);
}
