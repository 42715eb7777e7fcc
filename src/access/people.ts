import {
  type AdministratorEntry,
  type Invitation,
  type People,
  plainName,
  type TakeOutcome,
} from '../contract/admin.ts';
import { isOfProvider } from './admin-rows.ts';
import type { AdminStore, SessionRecord } from './admin-store.ts';
import { sessionBounds } from './session-life.ts';
import { digestOf, newSecret } from './session-text.ts';

/** How long the link of an invitation works. */
const invitationMsMax = 3 * 24 * 3_600_000;
/** Of the digest: enough to tell sessions apart. */
const idChars = 16;
const id = /^[0-9a-f]{16}$/;

/** What the settings say of the identity provider, where one is set. */
interface ProviderFacts {
  readonly issuer?: string | undefined;
  /** How long a session lasts that began there. */
  readonly providedSessionMs?: number | undefined;
}

/** Who may sign in, over what is stored. */
export function createPeople(
  store: AdminStore,
  clock: () => number,
  { issuer, providedSessionMs }: ProviderFacts = {},
): People {
  const seen = (entry: AdministratorEntry) => withCurrentAccount(entry, issuer);
  return {
    list: async () => (await store.list()).map(seen),
    change: async (name, wish) => {
      const outcome = await store.changeUnlessLast(plainName(name), wish, clock());
      return outcome.kind === 'changed' ? { ...outcome, after: seen(outcome.after) } : outcome;
    },
    remove: (name) => store.removeUnlessLast(plainName(name)),
    resetSecondFactor: fromAnother((name) => store.resetSecondFactor(name)),
    unlink: fromAnother((name) => store.unlink(name)),
    invitations: () => store.invitations(clock()),
    invite: async ({ name, role, invitedBy }) => {
      const token = newSecret();
      const createdAt = clock();
      const times = { createdAt, expiresAt: createdAt + invitationMsMax };
      const invitation: Invitation = { name: plainName(name), role, invitedBy, ...times };
      const isNew = await store.invite({ ...invitation, digest: digestOf(token) });
      return isNew ? { invitation, token } : undefined;
    },
    withdraw: (name) => store.withdraw(plainName(name)),
    sessions: async (name) => {
      const bounds = sessionBounds(clock(), providedSessionMs);
      return (await store.sessions(bounds, name)).map(entryOf);
    },
    idOf: (session) => idOf(digestOf(session)),
    endSessions: async (name, wanted = '') => {
      if (wanted !== '' && !id.test(wanted)) return 0;
      return store.removeSessionsOf(plainName(name), wanted);
    },
  };
}

/** Without an account of another provider, which was set before: it does not sign in. */
function withCurrentAccount(
  { account, ...rest }: AdministratorEntry,
  issuer: string | undefined,
): AdministratorEntry {
  const isCurrent = account !== undefined && isOfProvider(account, issuer);
  return isCurrent ? { ...rest, account } : rest;
}

/** Takes something from an administrator other than the caller. */
function fromAnother(take: (name: string) => Promise<boolean>) {
  return async (given: string, by: string): Promise<TakeOutcome> => {
    const name = plainName(given);
    if (name === by) return 'is-own';
    return (await take(name)) ? 'taken' : 'unknown';
  };
}

function entryOf({ digest, ...session }: SessionRecord) {
  return { ...session, id: idOf(digest) };
}

function idOf(digest: string): string {
  return digest.slice(0, idChars);
}
