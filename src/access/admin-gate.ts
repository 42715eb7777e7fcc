import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type {
  AdminGate,
  Administrator,
  PasswordOutcome,
  RemoveAdministratorOutcome,
  SetUpOutcome,
  SignInOutcome,
} from '../contract/admin.ts';
import type { Role } from '../contract/roles.ts';
import { isOutage } from '../storage/fault.ts';
import type { AdminStore } from './admin-store.ts';
import { createPasswords, type Passwords } from './password.ts';
import { type Attempter, createSignInLimits, type SignInLimits } from './sign-in-limits.ts';
import { deviceUse, isToken, makeToken, setUpUse } from './signed-token.ts';

const sessionMsMax = 12 * 3_600_000;
const idleMsMax = 2 * 3_600_000;
/** Written at most this often while a session is used. */
const touchMs = 60_000;
/** The first one must be able to make others. */
const setUpRole: Role = 'administrator';
const secretBytes = 32;
/** How long processes take the set-up token of another one. */
const setUpMsMax = 24 * 3_600_000;
/** How long a device is remembered; each sign-in restarts the time. */
const deviceMsMax = 90 * 24 * 3_600_000;

/** A gate, and the token that the first administrator needs. */
export interface OpenGate extends AdminGate {
  /** Good once: here until the process ends. Undefined when there is an administrator already. */
  readonly setUpToken: string | undefined;
}

/** What a gate is made of. */
interface GateParts {
  readonly store: AdminStore;
  /** Signs set-up tokens and devices; the same in all processes of one database. */
  readonly secret: Buffer;
  readonly clock: () => number;
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
  readonly #store: AdminStore;
  readonly #secret: Buffer;
  readonly #clock: () => number;
  readonly #passwords: Passwords = createPasswords();
  readonly #limits: SignInLimits;
  #isSetUp: boolean;

  constructor(
    parts: GateParts,
    { setUpToken, isSetUp }: { readonly setUpToken: string | undefined; readonly isSetUp: boolean },
  ) {
    this.#store = parts.store;
    this.#secret = parts.secret;
    this.#clock = parts.clock;
    this.#limits = createSignInLimits(parts.clock);
    this.setUpToken = setUpToken;
    this.#isSetUp = isSetUp;
  }

  async isSetUp(): Promise<boolean> {
    // One answer of yes holds: the last one can only be removed with a new start in mind.
    this.#isSetUp ||= await this.#store.any();
    return this.#isSetUp;
  }

  async setUp(wanted: {
    readonly token: string;
    readonly name: string;
    readonly password: string;
  }): Promise<SetUpOutcome> {
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
    return { kind: 'set-up', user: { name, role: setUpRole }, ...(await this.#letIn(name)) };
  }

  list(): ReturnType<AdminGate['list']> {
    return this.#store.list();
  }

  async add(given: {
    readonly name: string;
    readonly password: string;
    readonly role: Role;
  }): Promise<Administrator | undefined> {
    const name = plainName(given.name);
    const { role } = given;
    const passwordHash = await this.#passwords.hash(given.password);
    const isNew = await this.#store.insert({ name, passwordHash, role }, this.#clock());
    return isNew ? { name, role } : undefined;
  }

  remove(name: string): Promise<RemoveAdministratorOutcome> {
    return this.#store.removeUnlessLast(plainName(name));
  }

  async signIn(given: {
    readonly name: string;
    readonly password: string;
    readonly address: string;
    readonly device?: string;
  }): Promise<SignInOutcome> {
    const name = plainName(given.name);
    const { password, address, device = '' } = given;
    const age = { now: this.#clock(), maxMs: deviceMsMax };
    const isKnown = device !== '' && isToken(device, deviceUse(this.#secret, name), age);
    const who = { name, address, device: isKnown ? device : undefined };
    const outcome = await this.#prove(who, password);
    if (outcome.kind !== 'proved') return outcome;
    return { kind: 'signed-in', user: { name, role: outcome.role }, ...(await this.#letIn(name)) };
  }

  async sessionOf(session: string): Promise<Administrator | undefined> {
    const digest = digestOf(session);
    const found = await this.#store.findSession(digest);
    const now = this.#clock();
    if (found === undefined || !isLive(found, now)) return undefined;
    if (now - found.seenAt >= touchMs) await this.#store.touchSession(digest, now);
    return { name: found.name, role: found.role };
  }

  async signOut(session: string): Promise<void> {
    await this.#store.removeSession(digestOf(session));
  }

  async changePassword(given: {
    readonly session: string;
    readonly name: string;
    readonly current: string;
    readonly password: string;
    readonly address: string;
  }): Promise<PasswordOutcome> {
    const { name, address } = given;
    const session = digestOf(given.session);
    const outcome = await this.#prove({ name, address, device: session }, given.current);
    if (outcome.kind !== 'proved') return outcome;
    const passwordHash = await this.#passwords.hash(given.password);
    await this.#store.setPassword(name, passwordHash, session);
    return { kind: 'changed' };
  }

  /** Checks a password within the limits. An unknown name takes the same time. */
  async #prove(
    who: Attempter,
    password: string,
  ): Promise<
    { readonly kind: 'proved'; readonly role: Role } | Exclude<SignInOutcome, { kind: 'signed-in' }>
  > {
    const attempt = await this.#limits.attempt(who);
    if (attempt.kind === 'limited') return attempt;
    const admin = await this.#store.find(who.name);
    const isRight = await this.#passwords.matches(password, admin?.passwordHash, attempt.isKnown);
    if (isRight === undefined) {
      attempt.withdrawn();
      return { kind: 'busy' };
    }
    if (!isRight || admin === undefined) return { kind: 'refused' };
    attempt.succeeded();
    return { kind: 'proved', role: admin.role };
  }

  /** A session, and a device that is remembered from here on. */
  async #letIn(name: string): Promise<{ readonly session: string; readonly device: string }> {
    const device = makeToken(deviceUse(this.#secret, name), this.#clock());
    return { session: await this.#newSession(name), device };
  }

  async #newSession(name: string): Promise<string> {
    const session = newSecret();
    const now = this.#clock();
    const bounds = { createdBefore: now - sessionMsMax, seenBefore: now - idleMsMax };
    await this.#store.removeSessions(bounds);
    const digest = digestOf(session);
    await this.#store.insertSession({ digest, name, createdAt: now, seenAt: now });
    return session;
  }
}

function isLive(
  session: { readonly createdAt: number; readonly seenAt: number },
  now: number,
): boolean {
  return now - session.createdAt < sessionMsMax && now - session.seenAt < idleMsMax;
}

/** The name as it is stored: typed with other spaces or compositions it is still the same. */
function plainName(name: string): string {
  return name.normalize('NFKC').trim();
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** A session has 256 random bits: a plain digest protects it, and a slow one would only cost. */
function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(a)), Buffer.from(digestOf(b)));
}
