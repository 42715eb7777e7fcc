import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type {
  AdminGate,
  Administrator,
  PasswordOutcome,
  RemoveAdministratorOutcome,
  SetUpOutcome,
  SignInOutcome,
} from '../contract/admin.ts';
import type { AdminStore } from './admin-store.ts';
import { createPasswords, type Passwords } from './password.ts';
import { isSetUpToken, makeSetUpToken } from './set-up-token.ts';
import { createSignInLimits, type SignInLimits } from './sign-in-limits.ts';

const sessionMsMax = 12 * 3_600_000;
const idleMsMax = 2 * 3_600_000;
/** Written at most this often while a session is used. */
const touchMs = 60_000;
const secretBytes = 32;

/** A gate, and the token that the first administrator needs. */
export interface OpenGate extends AdminGate {
  /** Good once: here until the process ends. Undefined when there is an administrator already. */
  readonly setUpToken: string | undefined;
}

/** What a gate is made of. */
interface GateParts {
  readonly store: AdminStore;
  /** Signs the tokens of first administrators; the same in all processes of one database. */
  readonly secret: Buffer;
  readonly clock: () => number;
}

/** Opens the gate. */
export async function openAdminGate(parts: GateParts): Promise<OpenGate> {
  const isSetUp = await parts.store.any();
  return new StoredGate(parts, isSetUp ? undefined : makeSetUpToken(parts.secret, parts.clock()));
}

class StoredGate implements OpenGate {
  readonly setUpToken: string | undefined;
  readonly #store: AdminStore;
  readonly #secret: Buffer;
  readonly #clock: () => number;
  readonly #passwords: Passwords = createPasswords();
  readonly #limits: SignInLimits = createSignInLimits();
  #isSetUp: boolean;

  constructor(parts: GateParts, setUpToken: string | undefined) {
    this.#store = parts.store;
    this.#secret = parts.secret;
    this.#clock = parts.clock;
    this.setUpToken = setUpToken;
    this.#isSetUp = setUpToken === undefined;
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
    if (!isOwn && !isSetUpToken(token, this.#secret, this.#clock())) return { kind: 'wrong-token' };
    const name = plainName(wanted.name);
    const passwordHash = await this.#passwords.hash(wanted.password);
    const isFirst = await this.#store.insertFirst({ name, passwordHash }, this.#clock());
    if (!isFirst) return { kind: 'set-up-already' };
    this.#isSetUp = true;
    return { kind: 'set-up', user: { name }, session: await this.#newSession(name) };
  }

  list(): ReturnType<AdminGate['list']> {
    return this.#store.list();
  }

  async add(given: {
    readonly name: string;
    readonly password: string;
  }): Promise<Administrator | undefined> {
    const name = plainName(given.name);
    const passwordHash = await this.#passwords.hash(given.password);
    return (await this.#store.insert({ name, passwordHash }, this.#clock())) ? { name } : undefined;
  }

  remove(name: string): Promise<RemoveAdministratorOutcome> {
    return this.#store.removeUnlessLast(plainName(name));
  }

  async signIn(given: {
    readonly name: string;
    readonly password: string;
    readonly address: string;
  }): Promise<SignInOutcome> {
    const name = plainName(given.name);
    const outcome = await this.#prove({ ...given, name });
    if (outcome !== 'proved') return outcome;
    return { kind: 'signed-in', user: { name }, session: await this.#newSession(name) };
  }

  async sessionOf(session: string): Promise<Administrator | undefined> {
    const digest = digestOf(session);
    const found = await this.#store.findSession(digest);
    const now = this.#clock();
    if (found === undefined || !isLive(found, now)) return undefined;
    if (now - found.seenAt >= touchMs) await this.#store.touchSession(digest, now);
    return { name: found.name };
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
    const outcome = await this.#prove({ name, password: given.current, address });
    if (outcome !== 'proved') return outcome;
    const passwordHash = await this.#passwords.hash(given.password);
    await this.#store.setPassword(name, passwordHash, digestOf(given.session));
    return { kind: 'changed' };
  }

  /** Checks a password within the limits. A name that nobody has takes the same time. */
  async #prove(given: {
    readonly name: string;
    readonly password: string;
    readonly address: string;
  }): Promise<'proved' | Exclude<SignInOutcome, { kind: 'signed-in' }>> {
    const attempt = await this.#limits.attempt(given.name, given.address);
    if (attempt.kind === 'limited') return attempt;
    const admin = await this.#store.find(given.name);
    const isRight = await this.#passwords.matches(given.password, admin?.passwordHash);
    if (isRight === undefined) return { kind: 'busy' };
    if (!isRight) return { kind: 'refused' };
    await attempt.succeeded();
    return 'proved';
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
