import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
} from 'openid-client';
import { plainName } from '../contract/admin.ts';
import type { Log } from '../contract/ports.ts';
import { printable } from '../contract/printable.ts';
import { baseOf, providerCallbackPath } from '../contract/public-url.ts';
import { type Role, roles } from '../contract/roles.ts';
import type {
  FlowChecks,
  IdentityProvider,
  ProvidedIdentity,
  ProviderOutcome,
} from '../contract/single-sign-on.ts';
import { claimAt, isFilled } from './claims.ts';
import { createGuardedFetch, requestSecondsMax, UnavailableError } from './guarded-fetch.ts';
import { createLogoutReader } from './logout-token.ts';

/** The metadata of the provider may change. */
const discoveryMsMax = 3_600_000;
/** How long a failure is kept: anyone may ask, as often as they like. */
const failureMs = 5_000;
const labelCharsMax = 100;
/** OpenID Connect Core, section 2: 255 ASCII characters. */
const subjectCharsMax = 255;
/** A value of the claim of the roles: `sallyport-editor`. */
const rolePrefix = 'sallyport-';
const errorWord = /^[a-z_]{1,50}$/;
const wellKnown = /\/\.well-known\/openid-configuration$/;

/** The settings of an identity provider. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** None for a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  readonly roleClaim: string | undefined;
  /** The address of Sallyport as browsers have it. */
  readonly publicUrl: string;
}

interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly [name: string]: unknown;
}

/**
 * An OpenID provider: authorization code flow with PKCE (RFC 7636), state and nonce. It is asked
 * what it offers at the start and when it is needed; while it is unavailable, everything else works.
 */
export function createIdentityProvider(
  settings: ProviderSettings,
  { log, clock }: { readonly log: Log; readonly clock: () => number },
): IdentityProvider {
  const { roleClaim } = settings;
  const base = baseOf(settings.publicUrl);
  const callback = base + providerCallbackPath;
  const issuer = new URL(settings.issuer.replace(wellKnown, ''));
  const fetch = createGuardedFetch(issuer);
  const offer = createOffer({ issuer, settings, log, clock, fetch });
  const readLogout = createLogoutReader({ clientId: settings.clientId, fetch, clock });
  const warnOfLogout = atMostOnceAMinute(clock, (reason: string) =>
    log.warn({ issuer: issuer.href, reason }, 'a logout token was refused'),
  );
  // So that the log has what is wrong before the first sign-in.
  void offer().catch(() => undefined);

  return {
    dashboard: `${base}/dashboard`,
    issuer: issuer.href,
    givesRoles: roleClaim !== undefined,
    begin: async (checks) => {
      const config = await offer().catch(() => undefined);
      return config && urlOf(config, { callback, roleClaim, checks });
    },
    finish: async (answer, checks) => {
      const url = new URL(callback);
      url.search = answer;
      try {
        const claims = await claimsOf(await offer(), url, checks);
        return { kind: 'identified', identity: identityOf(claims, roleClaim) };
      } catch (error) {
        const reason = reasonOf(error);
        log.warn({ issuer: issuer.href, reason }, 'the identity provider named no user');
        return failureOf(error);
      }
    },
    readLogout: async (token) => {
      const config = await offer().catch(() => undefined);
      if (config === undefined) return { kind: 'not-available' };
      try {
        return { kind: 'read', logout: await readLogout(token, config.serverMetadata()) };
      } catch (error) {
        warnOfLogout(reasonOf(error));
        return { kind: isUnavailable(error) ? 'not-available' : 'not-valid' };
      }
    },
  };
}

/** Strangers may send tokens, as often as they like: they do not fill the log. */
function atMostOnceAMinute(clock: () => number, warn: (reason: string) => void) {
  let quietUntil = 0;
  return (reason: string): void => {
    if (clock() < quietUntil) return;
    quietUntil = clock() + 60_000;
    warn(reason);
  };
}

interface OfferParts {
  readonly issuer: URL;
  readonly settings: ProviderSettings;
  readonly log: Log;
  readonly clock: () => number;
  readonly fetch: CustomFetch;
}

/** What the provider offers: asked once at a time, and kept for a while. */
function createOffer(parts: OfferParts): () => Promise<Configuration> {
  const { issuer, log, clock } = parts;
  let found: { readonly config: Promise<Configuration>; until: number } | undefined;
  return () => {
    if (found !== undefined && clock() < found.until) return found.config;
    const fresh = { config: discover(parts), until: clock() + discoveryMsMax };
    fresh.config.catch((error: unknown) => {
      fresh.until = clock() + failureMs;
      log.warn(
        { issuer: issuer.href, reason: reasonOf(error) },
        'single sign-on is unavailable: the identity provider does not say what it offers',
      );
    });
    found = fresh;
    return fresh.config;
  };
}

async function discover({ issuer, settings, fetch }: OfferParts): Promise<Configuration> {
  const authenticate = authenticationOf(settings.clientSecret);
  const config = await discovery(issuer, settings.clientId, {}, authenticate, {
    [customFetch]: fetch,
    timeout: requestSecondsMax,
    execute: [
      // The signature of the token is checked, although it comes from the provider itself.
      enableNonRepudiationChecks,
      // Of this machine: the settings refuse any other issuer without TLS.
      ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
    ],
  }).catch((error: unknown) => {
    const named = otherIssuerIn(error);
    throw named === undefined ? error : otherIssuer(named);
  });
  // Some providers answer for many issuers, and the users of each could get every role.
  const named = config.serverMetadata().issuer;
  if (new URL(named).href !== issuer.href) throw otherIssuer(named);
  return config;
}

function otherIssuer(named: string): Error {
  const shown = printable(named.slice(0, 300));
  return new Error(
    `the provider names another issuer, ${shown}; set oidcIssuer to that of your tenant`,
  );
}

/** The issuer of the provider's document, where it is why that was refused. */
function otherIssuerIn(error: unknown): string | undefined {
  if (!(error instanceof ClientError) || error.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return undefined;
  }
  const { body } = error.cause as { readonly body?: { readonly issuer?: unknown } };
  return typeof body?.issuer === 'string' ? body.issuer : undefined;
}

/** As the provider's metadata asks for (RFC 8414, section 2: basic by default). */
function authenticationOf(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...given) => {
    const { token_endpoint_auth_methods_supported: methods } = server;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return (isBasic ? basic : post)(server, ...given);
  };
}

async function urlOf(
  config: Configuration,
  given: {
    readonly callback: string;
    readonly roleClaim: string | undefined;
    readonly checks: FlowChecks;
  },
): Promise<string> {
  const { callback, roleClaim, checks } = given;
  const { scopes_supported: offered = [] } = config.serverMetadata();
  const scopes = ['openid', 'profile', 'email'];
  if (roleClaim !== undefined && offered.includes(roleClaim)) scopes.push(roleClaim);
  return buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: scopes.join(' '),
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: 'S256',
  }).href;
}

/** The claims of a user, from the ID token and from where the provider has more. */
async function claimsOf(config: Configuration, url: URL, checks: FlowChecks): Promise<Claims> {
  const tokens = await authorizationCodeGrant(config, url, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('there is no ID token');
  const { userinfo_endpoint: hasMore } = config.serverMetadata();
  const more =
    hasMore === undefined ? {} : await fetchUserInfo(config, tokens.access_token, claims.sub);
  // Signed claims win over others.
  return { ...more, ...claims };
}

function identityOf(claims: Claims, roleClaim: string | undefined): ProvidedIdentity {
  const { iss: issuer, sub: subject, sid: session } = claims;
  if (subject.length > subjectCharsMax) throw new Error('the subject is too long');
  const role = roleClaim === undefined ? undefined : roleOf(claimAt(claims, roleClaim));
  return {
    issuer,
    subject,
    label: labelOf(claims),
    ...(role === undefined ? {} : { role }),
    ...(isFilled(session) ? { session } : {}),
  };
}

function failureOf(error: unknown): ProviderOutcome {
  if (isUnavailable(error)) return { kind: 'not-available' };
  if (!(error instanceof AuthorizationResponseError)) return { kind: 'not-valid' };
  return { kind: 'refused', error: errorWord.test(error.error) ? error.error : 'refused' };
}

/** The highest role that the claim names, as one text or as a list. */
function roleOf(claim: unknown): Role | undefined {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return roles.findLast((role) => values.includes(rolePrefix + role));
}

function labelOf(claims: Claims): string {
  const { sub, email, email_verified: isVerified, preferred_username: user } = claims;
  const text = [isVerified === true ? email : undefined, user].find(isFilled) ?? sub;
  return printable(plainName(text)).slice(0, labelCharsMax);
}

/** Why something failed, without what was sent or received: that may hold a code or a token. */
function reasonOf(error: unknown): string {
  const named = causesOf(error).find((one) => one instanceof UnavailableError);
  if (named !== undefined) return named.message;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return printable(`${error.error}: ${error.error_description ?? ''}`.slice(0, 300));
  }
  // The message may quote a token that a stranger has sent.
  return error instanceof Error ? printable(error.message.slice(0, 300)) : 'unknown';
}

function isUnavailable(error: unknown): boolean {
  return causesOf(error).some((one) => one instanceof UnavailableError);
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < 5; one = one.cause)
    causes.push(one);
  return causes;
}
