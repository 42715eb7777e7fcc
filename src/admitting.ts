import type { Kysely } from 'kysely';
import { type OpenGate, openAdminGate } from './access/admin-gate.ts';
import { createPeople } from './access/people.ts';
import { createSqlAdminStore } from './access/sql-admin-store.ts';
import { secretOf } from './config/secrets.ts';
import type { Config } from './config/settings.ts';
import type { People } from './contract/admin.ts';
import type { Log } from './contract/ports.ts';
import type { IdentityProvider } from './contract/single-sign-on.ts';
import type { Tables } from './storage/tables.ts';

/** What admits administrators. */
export interface Admitting {
  readonly gate: OpenGate;
  readonly people: People;
}

interface AdmittingParts {
  readonly config: Config;
  readonly database: Kysely<Tables>;
  readonly pepper: Buffer;
  readonly log: Log;
  readonly clock: () => number;
}

/** Joins administrators, sessions and the identity provider. */
export async function startAdmitting(parts: AdmittingParts): Promise<Admitting> {
  const { config, database, pepper, clock } = parts;
  const store = createSqlAdminStore(database);
  const provider = await providerOf(parts);
  const isSecondFactorRequired = config.secondFactor === 'required';
  const providedSessionMs = config.oidcSessionMinutes * 60_000;
  const gate = await openAdminGate({
    store,
    secret: pepper,
    clock,
    provider,
    providedSessionMs,
    isSecondFactorRequired,
  });
  const issuer = provider?.issuer;
  return { gate, people: createPeople(store, clock, { issuer, providedSessionMs }) };
}

/** The identity provider that the settings name; its client is loaded only then. */
async function providerOf(parts: AdmittingParts): Promise<IdentityProvider | undefined> {
  const { config, log, clock } = parts;
  const {
    oidcIssuer: issuer,
    oidcClientId: clientId,
    oidcRoleClaim: roleClaim,
    publicUrl,
  } = config;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return undefined;
  const { createIdentityProvider } = await import('./oidc/identity-provider.ts');
  const clientSecret = secretOf(config, 'oidcClientSecret');
  const settings = { issuer, clientId, clientSecret, roleClaim, publicUrl };
  return createIdentityProvider(settings, { log, clock });
}
