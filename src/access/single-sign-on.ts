import { plainName, type SessionPlace } from '../contract/admin.ts';
import { isActorName } from '../contract/audit.ts';
import type { Role } from '../contract/roles.ts';
import type { SignInRefusal } from '../contract/sign-in.ts';
import {
  type FlowChecks,
  type IdentityProvider,
  logoutTokenMsMax,
  type ProvidedIdentity,
  type SingleSignOnBegun,
  type SingleSignOnGate,
  type SingleSignOnOutcome,
  type SingleSignOnReason,
  type SingleSignOnRefusal,
} from '../contract/single-sign-on.ts';
import { seal, unseal } from '../storage/seal.ts';
import { isOfProvider } from './admin-rows.ts';
import type { AdminStore } from './admin-store.ts';
import { FailureTable } from './failure-table.ts';
import { subkeyOf } from './key-digest.ts';
import type { RefusalNotes } from './refusal-notes.ts';
import { digestOf, newSecret } from './session-text.ts';
import { type Attempter, clientPrefix } from './sign-in-limits.ts';
import { UsedIds } from './used-ids.ts';

/** How long a person may take at the provider. */
const flowMsMax = 10 * 60_000;
/** Failures of a network within 15 minutes: each may cost a request to the provider. */
const failuresMax = 20;

/** What a single sign-on was begun for. Secrets are digests: the browser keeps them, sealed. */
type Purpose =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'join'; readonly invitation: string }
  | { readonly kind: 'link'; readonly session: string; readonly name: string };

interface Flow extends FlowChecks {
  readonly at: number;
  readonly purpose: Purpose;
}

/** What single sign-on is made of. */
export interface SingleSignOnParts {
  readonly store: AdminStore;
  readonly provider: IdentityProvider;
  readonly pepper: Buffer;
  readonly clock: () => number;
  readonly notes: RefusalNotes;
  /** Checks a password, and the code where there is a second factor. */
  readonly prove: (
    who: Attempter,
    proof: { readonly password: string; readonly code: string },
  ) => Promise<{ readonly kind: 'proved' } | SignInRefusal>;
  /** Makes a session; `providerSession`: a digest of that at the provider, or ''. */
  readonly letIn: (
    name: string,
    place: SessionPlace,
    providerSession: string,
  ) => Promise<{ readonly session: string; readonly device: string }>;
}

type Finish = Parameters<SingleSignOnGate['finish']>[0];
type Asker = Parameters<SingleSignOnGate['beginLink']>[0];

/**
 * Admits users that an identity provider vouches for. An account is found by issuer and subject alone,
 * never by a name or an e-mail address: those of a provider may be chosen by its users.
 */
export function createSingleSignOn(parts: SingleSignOnParts): SingleSignOnGate {
  return new SingleSignOn(parts);
}

class SingleSignOn implements SingleSignOnGate {
  readonly dashboard: string;
  readonly #parts: SingleSignOnParts;
  readonly #flowKey: Buffer;
  readonly #failures: FailureTable;
  readonly #usedTokens: UsedIds;

  constructor(parts: SingleSignOnParts) {
    this.dashboard = parts.provider.dashboard;
    this.#parts = parts;
    this.#flowKey = subkeyOf(parts.pepper, 'single sign-on');
    this.#failures = new FailureTable(parts.clock);
    this.#usedTokens = new UsedIds(parts.clock, logoutTokenMsMax);
  }

  async begin(invitation?: string): ReturnType<SingleSignOnGate['begin']> {
    if (invitation === undefined) return this.#start({ kind: 'sign-in' });
    const { store, clock } = this.#parts;
    const digest = digestOf(invitation);
    const found = await store.findInvitation(digest, clock());
    if (found === undefined) return { kind: 'not-valid' };
    return this.#start({ kind: 'join', invitation: digest });
  }

  async beginLink(asker: Asker): ReturnType<SingleSignOnGate['beginLink']> {
    const outcome = await this.#prove(asker);
    if (outcome.kind !== 'proved') return outcome;
    return this.#start({ kind: 'link', session: digestOf(asker.session), name: asker.name });
  }

  async finish(given: Finish): Promise<SingleSignOnOutcome> {
    const flow = this.#opened(given.flow);
    // Without a valid cookie the provider is not asked. Counted, it would lock out a whole network.
    if (flow === undefined) return this.#refused('flow', given);
    const from = clientPrefix(given.address);
    const failures = this.#failures;
    if (failures.of(from) >= failuresMax) {
      return { kind: 'limited', retryAfterSeconds: failures.secondsLeft(from) };
    }
    // Counted as failed until it has succeeded, so that many at once gain nothing.
    failures.add(from, 1);
    const outcome = await this.#finish(flow, given);
    if (outcome.kind !== 'refused') failures.add(from, -1);
    return outcome;
  }

  async account(name: string): Promise<string | undefined> {
    const { store, provider } = this.#parts;
    const found = await store.identityOf(name);
    return found !== undefined && isOfProvider(found, provider.issuer) ? found.label : undefined;
  }

  async unlink(asker: Asker): ReturnType<SingleSignOnGate['unlink']> {
    const outcome = await this.#prove(asker);
    if (outcome.kind !== 'proved') return outcome;
    const isUnlinked = await this.#parts.store.unlink(asker.name, digestOf(asker.session));
    return isUnlinked ? { kind: 'unlinked' } : { kind: 'not-linked' };
  }

  async logOut(token: string): ReturnType<SingleSignOnGate['logOut']> {
    const { store, provider } = this.#parts;
    const reading = await provider.readLogout(token);
    if (reading.kind !== 'read') return reading;
    const { issuer, subject, id } = reading.logout;
    if (this.#usedTokens.has(id)) return { kind: 'not-valid' };
    const providerSession = providerSessionOf(reading.logout);
    const names = await store.removeProvided({
      ...(subject === undefined ? {} : { account: { issuer, subject } }),
      ...(providerSession === '' ? {} : { providerSession }),
    });
    // Not before: while the database is unavailable the provider may send it again.
    this.#usedTokens.add(id);
    return { kind: 'ended', names };
  }

  #prove({ session, name, address, password, code }: Asker) {
    return this.#parts.prove({ name, address, device: digestOf(session) }, { password, code });
  }

  async #start(purpose: Purpose): Promise<SingleSignOnBegun> {
    const checks = { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
    const url = await this.#parts.provider.begin(checks);
    if (url === undefined) return { kind: 'not-available' };
    const flow: Flow = { ...checks, at: this.#parts.clock(), purpose };
    return { kind: 'begun', url, flow: seal(JSON.stringify(flow), this.#flowKey, 'flow') };
  }

  async #finish(flow: Flow, given: Finish): Promise<SingleSignOnOutcome> {
    const outcome = await this.#parts.provider.finish(given.answer, flow);
    switch (outcome.kind) {
      case 'not-available':
        return outcome;
      case 'not-valid':
        return this.#refused('answer', given);
      case 'refused':
        return this.#refused('provider', given, { label: outcome.error });
      case 'identified':
        return this.#reach(flow.purpose, outcome.identity, given);
    }
  }

  #opened(sealed: string): Flow | undefined {
    const text = unseal(sealed, this.#flowKey, 'flow');
    if (text === undefined) return undefined;
    // What is sealed under our key was written here.
    const flow = JSON.parse(text) as Flow;
    return this.#parts.clock() - flow.at < flowMsMax ? flow : undefined;
  }

  async #reach(
    purpose: Purpose,
    identity: ProvidedIdentity,
    given: Finish,
  ): Promise<SingleSignOnOutcome> {
    if (this.#parts.provider.givesRoles && identity.role === undefined) {
      return this.#refused('no-role', given, identity);
    }
    switch (purpose.kind) {
      case 'sign-in':
        return this.#signIn(identity, given);
      case 'join':
        return this.#join(purpose.invitation, identity, given);
      case 'link':
        return this.#link(purpose, identity, given);
    }
  }

  async #signIn(identity: ProvidedIdentity, given: Finish): Promise<SingleSignOnOutcome> {
    const found = await this.#parts.store.findIdentity(identity);
    if (found !== undefined) return this.#enterLinked(found, identity, given);
    if (identity.role === undefined) return this.#refused('not-linked', given, identity);
    const admin = { name: plainName(identity.label), role: identity.role, passwordHash: '' };
    const isNew =
      !isActorName(admin.name) &&
      (await this.#parts.store.insertLinked(admin, identity, this.#parts.clock()));
    if (isNew) return this.#enter(admin, { identity, given, by: 'created' });
    // Another sign-in of the same user may have made it meanwhile.
    const made = await this.#parts.store.findIdentity(identity);
    if (made === undefined) return this.#refused('name-taken', given, identity);
    return this.#enterLinked(made, identity, given);
  }

  async #enterLinked(
    found: { readonly name: string; readonly role: Role; readonly isDisabled: boolean },
    identity: ProvidedIdentity,
    given: Finish,
  ): Promise<SingleSignOnOutcome> {
    const { name } = found;
    if (found.isDisabled) return this.#refused('disabled', given, { ...identity, name });
    return this.#enter(found, { identity, given, by: 'link' });
  }

  async #join(
    invitation: string,
    identity: ProvidedIdentity,
    given: Finish,
  ): Promise<SingleSignOnOutcome> {
    const admin = await this.#parts.store.acceptAs(invitation, identity, this.#parts.clock());
    if (admin === undefined) return this.#refused('invitation', given, identity);
    if (admin === 'linked-elsewhere') return this.#refused(admin, given, identity);
    return this.#enter(admin, { identity, given, by: 'invitation' });
  }

  async #link(
    { session, name }: Extract<Purpose, { readonly kind: 'link' }>,
    identity: ProvidedIdentity,
    given: Finish,
  ): Promise<SingleSignOnOutcome> {
    const asking = given.session === undefined ? undefined : digestOf(given.session);
    const live = asking === session ? await this.#parts.store.findSession(session) : undefined;
    if (live === undefined || live.name !== name) return this.#refused('session', given, identity);
    const isLinked = await this.#parts.store.link(name, identity, {
      at: this.#parts.clock(),
      keepSession: session,
    });
    if (!isLinked) return this.#refused('linked-elsewhere', given, { ...identity, name });
    return { kind: 'linked', user: { name, role: live.role }, label: identity.label };
  }

  /** A session, with the role that the claim gives now. */
  async #enter(
    { name, role }: { readonly name: string; readonly role: Role },
    way: {
      readonly identity: ProvidedIdentity;
      readonly given: Finish;
      readonly by: Extract<SingleSignOnOutcome, { readonly kind: 'signed-in' }>['by'];
    },
  ): Promise<SingleSignOnOutcome> {
    const { identity, given, by } = way;
    const { label } = identity;
    const wanted = identity.role ?? role;
    const letIn = () => this.#parts.letIn(name, given, providerSessionOf(identity));
    const came = { kind: 'signed-in' as const, user: { name, role: wanted }, label, by };
    if (wanted === role) return { ...came, ...(await letIn()) };
    const changed = await this.#parts.store.changeUnlessLast(
      name,
      { role: wanted },
      this.#parts.clock(),
    );
    if (changed.kind === 'is-last') return this.#refused('is-last', given, { label, name });
    if (changed.kind === 'unknown') return this.#refused('not-linked', given, { label });
    return { ...came, changed, ...(await letIn()) };
  }

  #refused(
    reason: SingleSignOnReason,
    { address }: Finish,
    { label = '', name = '' }: { readonly label?: string; readonly name?: string } = {},
  ): SingleSignOnRefusal {
    const count = this.#parts.notes.due(`${reason} ${label}`, address);
    const note = count === undefined ? {} : { note: { name, failures: count } };
    return { kind: 'refused', reason, label, ...note };
  }
}

/** A session at the provider, as it is stored: with its issuer, and no longer than a column. */
function providerSessionOf({
  issuer,
  session,
}: Pick<ProvidedIdentity, 'issuer' | 'session'>): string {
  return session === undefined ? '' : digestOf(`${issuer}\n${session}`);
}
