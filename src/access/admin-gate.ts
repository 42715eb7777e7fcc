import { timingSafeEqual } from 'node:crypto';
import {
  type AdminGate,
  type Administrator,
  type JoinOutcome,
  type PasswordOutcome,
  plainName,
  type SessionPlace,
  type SessionUser,
  type SetUpOutcome,
  type SignInOutcome,
} from '../contract/admin.ts';
import type { Role } from '../contract/roles.ts';
import type { SecondFactorGate } from '../contract/second-factor.ts';
import type { RefusalNote, SignInRefusal } from '../contract/sign-in.ts';
import type { IdentityProvider, SingleSignOnGate } from '../contract/single-sign-on.ts';
import { isOutage } from '../storage/fault.ts';
import type { AdminStore, SessionRecord } from './admin-store.ts';
import { FailureTable } from './failure-table.ts';
import { createPasswords, type Passwords } from './password.ts';
import { createRefusalNotes, type RefusalNotes } from './refusal-notes.ts';
import { createSecondFactors, type SecondFactors, wrongCodesMax } from './second-factors.ts';
import { isLive, sessionBounds } from './session-life.ts';
import { digestOf, newSecret } from './session-text.ts';
import { type Attempter, createSignInLimits, type SignInLimits } from './sign-in-limits.ts';
import { deviceUse, isToken, makeToken, setUpUse } from './signed-token.ts';
import { createSingleSignOn } from './single-sign-on.ts';

const byPassword = { method: 'password', providerSession: '' } as const;
/** Written at most this often while a session is used. */
const touchMs = 60_000;
/** The first one must be able to make others. */
const setUpRole: Role = 'administrator';
/** How long processes take the set-up token of another one. */
const setUpMsMax = 24 * 3_600_000;
/** How long a device is remembered; each sign-in restarts the time. */
const deviceMsMax = 90 * 24 * 3_600_000;

/** A gate, and the token that the first administrator needs. */
export interface OpenGate extends AdminGate {
  /** Good once: here until the process ends. Undefined when there is an administrator already. */
  readonly setUpToken: string | undefined;
  /** Where there is an identity provider. */
  readonly singleSignOn: SingleSignOnGate | undefined;
}

/** What a user proves a sign-in with. */
interface Proof {
  readonly password: string;
  /** '' where none was sent yet; undefined where only the password counts. */
  readonly code?: string;
}

interface Proved {
  readonly kind: 'proved';
  readonly role: Role;
  readonly byRecoveryCode: boolean;
}

/** What a gate is made of. */
interface GateParts {
  readonly store: AdminStore;
  /** Signs set-up tokens and devices, seals second factors; the same in all processes of one database. */
  readonly secret: Buffer;
  readonly clock: () => number;
  /** Where administrators can sign in without a password. */
  readonly provider?: IdentityProvider | undefined;
  /** How long a session lasts that began at the provider; as long as others when not given. */
  readonly providedSessionMs?: number | undefined;
  /** Whether a session that began with a password is good for nothing else before there is one. */
  readonly isSecondFactorRequired?: boolean;
}

/** Opens the gate. While the database is unavailable, it is opened without a token. */
export async function openAdminGate(parts: GateParts): Promise<OpenGate> {
  const { secret, clock, store } = parts;
  const isSetUp = await store.any().catch((error: unknown) => {
    if (isOutage(error)) return undefined;
    throw error;
  });
  const setUpToken = isSetUp === false ? makeToken(setUpUse(secret), clock()) : undefined;
  return new StoredGate(parts, { setUpToken, isSetUp: isSetUp === true });
}

class StoredGate implements OpenGate {
  readonly setUpToken: string | undefined;
  readonly singleSignOn: SingleSignOnGate | undefined;
  readonly #store: AdminStore;
  readonly #secret: Buffer;
  readonly #clock: () => number;
  readonly #passwords: Passwords = createPasswords();
  readonly #limits: SignInLimits;
  readonly #notes: RefusalNotes;
  readonly #factors: SecondFactors;
  /** Wrong codes of second factors that are being set up, by name. */
  readonly #wrongSetUps: FailureTable;
  readonly #isSecondFactorRequired: boolean;
  readonly #providedSessionMs: number | undefined;
  #isSetUp: boolean;

  constructor(
    {
      store,
      secret,
      clock,
      provider,
      providedSessionMs,
      isSecondFactorRequired = false,
    }: GateParts,
    { setUpToken, isSetUp }: { readonly setUpToken: string | undefined; readonly isSetUp: boolean },
  ) {
    this.#store = store;
    this.#secret = secret;
    this.#clock = clock;
    this.#limits = createSignInLimits(clock);
    this.#notes = createRefusalNotes(clock);
    this.#factors = createSecondFactors({ store, pepper: secret, clock });
    this.#wrongSetUps = new FailureTable(clock);
    this.setUpToken = setUpToken;
    this.#isSetUp = isSetUp;
    this.#isSecondFactorRequired = isSecondFactorRequired;
    this.#providedSessionMs = providedSessionMs;
    this.singleSignOn =
      provider &&
      createSingleSignOn({
        store,
        provider,
        pepper: secret,
        clock,
        notes: this.#notes,
        prove: (who, proof) => this.#prove(who, proof),
        letIn: (name, place, providerSession) =>
          this.#letIn(name, place, { method: 'single-sign-on', providerSession }),
      });
  }

  async isSetUp(): Promise<boolean> {
    // One answer of yes holds: the last one can only be removed with a new start in mind.
    this.#isSetUp ||= await this.#store.any();
    return this.#isSetUp;
  }

  async setUp(wanted: Parameters<AdminGate['setUp']>[0]): Promise<SetUpOutcome> {
    if (await this.isSetUp()) return { kind: 'set-up-already' };
    const { token } = wanted;
    const isOwn = this.setUpToken !== undefined && isSameText(token, this.setUpToken);
    const age = { now: this.#clock(), maxMs: setUpMsMax };
    if (!isOwn && !isToken(token, setUpUse(this.#secret), age)) return { kind: 'wrong-token' };
    const name = plainName(wanted.name);
    const passwordHash = await this.#passwords.hash(wanted.password);
    const isFirst = await this.#store.insertFirst(
      { name, passwordHash, role: setUpRole },
      this.#clock(),
    );
    if (!isFirst) return { kind: 'set-up-already' };
    this.#isSetUp = true;
    const user = { name, role: setUpRole };
    return { kind: 'set-up', user, ...(await this.#letIn(name, wanted)) };
  }

  async join(given: Parameters<AdminGate['join']>[0]): Promise<JoinOutcome> {
    const digest = digestOf(given.token);
    // Looked up first: hashing is slow, and strangers may send anything.
    const invited = await this.#store.findInvitation(digest, this.#clock());
    if (invited === undefined) return { kind: 'not-valid' };
    const passwordHash = await this.#passwords.hash(given.password);
    const admin = await this.#store.accept(digest, passwordHash, this.#clock());
    if (admin === undefined) return { kind: 'not-valid' };
    const { name, role } = admin;
    return { kind: 'joined', user: { name, role }, ...(await this.#letIn(name, given)) };
  }

  async add(given: Parameters<AdminGate['add']>[0]): Promise<Administrator | undefined> {
    const name = plainName(given.name);
    const { role } = given;
    const passwordHash = await this.#passwords.hash(given.password);
    const isNew = await this.#store.insert({ name, passwordHash, role }, this.#clock());
    return isNew ? { name, role } : undefined;
  }

  async signIn(given: Parameters<AdminGate['signIn']>[0]): Promise<SignInOutcome> {
    const name = plainName(given.name);
    const { password, code = '', address, device = '' } = given;
    const age = { now: this.#clock(), maxMs: deviceMsMax };
    const isKnown = device !== '' && isToken(device, deviceUse(this.#secret, name), age);
    const who = { name, address, device: isKnown ? device : undefined };
    const outcome = await this.#prove(who, { password, code });
    if (outcome.kind !== 'proved') return outcome;
    const { role, byRecoveryCode } = outcome;
    return {
      kind: 'signed-in',
      user: { name, role },
      byRecoveryCode,
      ...(await this.#letIn(name, given)),
    };
  }

  async sessionOf(session: string, place: SessionPlace): Promise<SessionUser | undefined> {
    const digest = digestOf(session);
    const found = await this.#store.findSession(digest);
    const now = this.#clock();
    if (found === undefined || !isLive(found, this.#bounds(now))) return undefined;
    if (now - found.seenAt >= touchMs) await this.#store.touchSession(digest, now, place);
    const { name, role, method, hasPassword, hasSecondFactor } = found;
    // After a single sign-on, the second factor is that of the provider.
    const needsSecondFactor =
      this.#isSecondFactorRequired && method === 'password' && !hasSecondFactor;
    return { name, role, hasPassword, needsSecondFactor };
  }

  #bounds(now: number) {
    return sessionBounds(now, this.#providedSessionMs);
  }

  async signOut(session: string): Promise<void> {
    await this.#store.removeSession(digestOf(session));
  }

  async changePassword(
    given: Parameters<AdminGate['changePassword']>[0],
  ): Promise<PasswordOutcome> {
    const { name, address } = given;
    const session = digestOf(given.session);
    const proof = { password: given.current };
    const outcome = await this.#prove({ name, address, device: session }, proof);
    if (outcome.kind !== 'proved') return outcome;
    const passwordHash = await this.#passwords.hash(given.password);
    await this.#store.setPassword(name, passwordHash, session);
    return { kind: 'changed' };
  }

  readonly secondFactor: SecondFactorGate = {
    state: (name) => this.#factors.state(name),
    begin: async ({ session, name, address, password }) => {
      const who = { name, address, device: digestOf(session) };
      const outcome = await this.#prove(who, { password });
      if (outcome.kind !== 'proved') return outcome;
      const begun = await this.#factors.begin(name);
      return begun === undefined ? { kind: 'is-on' } : { kind: 'begun', ...begun };
    },
    confirm: async ({ session, name, code }) => {
      // A session that was stolen must not find the code by trying.
      if (this.#wrongSetUps.of(name) >= wrongCodesMax) {
        return { kind: 'limited', retryAfterSeconds: this.#wrongSetUps.secondsLeft(name) };
      }
      this.#wrongSetUps.add(name, 1);
      const recoveryCodes = await this.#factors.confirm(name, code, digestOf(session));
      if (recoveryCodes === 'wrong') return { kind: 'wrong-code' };
      this.#wrongSetUps.add(name, -1);
      if (recoveryCodes === 'not-begun') return { kind: 'not-begun' };
      return { kind: 'confirmed', recoveryCodes };
    },
    renew: async ({ session, name, address, ...proof }) => {
      const outcome = await this.#prove({ name, address, device: digestOf(session) }, proof);
      if (outcome.kind !== 'proved') return outcome;
      const recoveryCodes = await this.#factors.renew(name);
      return recoveryCodes === undefined ? { kind: 'is-off' } : { kind: 'renewed', recoveryCodes };
    },
    turnOff: async ({ session, name, address, ...proof }) => {
      const outcome = await this.#prove({ name, address, device: digestOf(session) }, proof);
      if (outcome.kind !== 'proved') return outcome;
      return { kind: (await this.#factors.turnOff(name)) ? 'turned-off' : 'is-off' };
    },
  };

  /**
   * Checks a password within the limits, and with `code` the second factor as well, where there is
   * one. An unknown name takes the same time.
   */
  async #prove(who: Attempter, proof: Proof): Promise<Proved | SignInRefusal> {
    const attempt = await this.#limits.attempt(who);
    if (attempt.kind === 'limited') return attempt;
    const admin = await this.#store.find(who.name);
    const isRight = await this.#passwords.matches(
      proof.password,
      admin?.passwordHash,
      attempt.isKnown,
    );
    if (isRight === undefined) {
      attempt.withdrawn();
      return { kind: 'busy' };
    }
    if (!isRight || admin === undefined || admin.isDisabled) {
      return { kind: 'refused', ...this.#noteOf(admin?.name ?? '', who.address) };
    }
    const outcome = await this.#proveCode(who, proof.code, attempt.isKnown);
    // The password alone says nothing of the code: failures at the code are not forgiven for it.
    if (outcome.kind === 'code-needed') attempt.withdrawn();
    if (outcome.kind !== 'proved') return outcome;
    attempt.succeeded();
    return { ...outcome, role: admin.role };
  }

  /** Checks the code after the password was right; without `code` none is asked for. */
  async #proveCode(
    { name, address }: Attempter,
    code: string | undefined,
    isKnown: boolean,
  ): Promise<Omit<Proved, 'role'> | SignInRefusal> {
    if (code === undefined) return { kind: 'proved', byRecoveryCode: false };
    const proof = await this.#factors.prove(name, code, isKnown);
    if (typeof proof === 'object') return { kind: 'limited', ...proof };
    if (proof === 'needed') return { kind: 'code-needed' };
    if (proof === 'wrong') return { kind: 'wrong-code', ...this.#noteOf(name, address) };
    return { kind: 'proved', byRecoveryCode: proof === 'recovery-code' };
  }

  /** What the audit says of a refusal, where an entry is due. */
  #noteOf(name: string, address: string): { readonly note?: RefusalNote } {
    const failures = this.#notes.due(name, address);
    return failures === undefined ? {} : { note: { name, failures } };
  }

  /** A session, and a device that is remembered from here on. */
  async #letIn(
    name: string,
    { address, agent }: SessionPlace,
    began: Pick<SessionRecord, 'method' | 'providerSession'> = byPassword,
  ): Promise<{ readonly session: string; readonly device: string }> {
    const session = newSecret();
    const now = this.#clock();
    await this.#store.removeSessions(this.#bounds(now));
    const from = { address, agent, ...began, createdAt: now, seenAt: now };
    await this.#store.insertSession({ digest: digestOf(session), name, ...from });
    return { session, device: makeToken(deviceUse(this.#secret, name), now) };
  }
}

function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(a)), Buffer.from(digestOf(b)));
}
