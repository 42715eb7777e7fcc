import { type Category, categories } from '../contract/category.ts';
import type { DetailLevel, Mode, Sensitivity } from '../contract/policy.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Every setting, filled and checked. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly socket: string | undefined;
  readonly sharePort: 'no' | 'yes';
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly workers: number;
  readonly deadlineMs: number;
  readonly metricsHost: string;
  readonly metricsPort: number | undefined;
  readonly metricsToken: string | undefined;
  readonly metricsTokenFile: string | undefined;
  readonly webhookUrl: string | undefined;
  readonly webhookSecret: string | undefined;
  readonly webhookSecretFile: string | undefined;
  readonly syslogUrl: string | undefined;
  readonly publicUrl: string | undefined;
  readonly notifyPlain: 'no' | 'yes';
  readonly oidcIssuer: string | undefined;
  readonly oidcClientId: string | undefined;
  readonly oidcClientSecret: string | undefined;
  readonly oidcClientSecretFile: string | undefined;
  readonly oidcRoleClaim: string | undefined;
  readonly oidcSessionMinutes: number;
  readonly secondFactor: 'optional' | 'required';
  readonly traceContext: 'yes' | 'no';
  readonly otlpEndpoint: string | undefined;
  readonly otlpHeaders: string | undefined;
  readonly logLevel: LogLevel;
  readonly config: string | undefined;
  readonly pepperFile: string | undefined;
  readonly eventsDays: number;
  readonly eventsMaxMb: number;
  readonly eventsSpoolMb: number;
  readonly countryDatabase: string | undefined;
  readonly asnDatabase: string | undefined;
  readonly mode: Mode;
  readonly sensitivity: Sensitivity;
  readonly onIncomplete: 'allow' | 'block';
  readonly onOutage: 'allow' | 'block';
  readonly detail: DetailLevel;
  readonly trustedOrigins: readonly string[];
  readonly categoriesOff: readonly Category[];
}

export type SettingName = keyof Config;

/** How a setting is written, checked and explained. */
export interface Setting {
  readonly name: SettingName;
  readonly kind: 'text' | 'integer' | 'list';
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What the value must be, in words that end "… must be ". */
  readonly expected: string;
  readonly help: string;
  /** Whether the value is, or may hold, a secret: a part of a URL, or all of it. Never shown. */
  readonly isSecret?: 'password' | 'whole';
}

const path = { type: 'string', minLength: 1 } as const;
const aPath = { kind: 'text', schema: path, expected: 'a path' } as const;
const secret = { type: 'string', minLength: 16, pattern: '^\\S+$' } as const;

function oneOf(values: readonly string[]) {
  return { schema: { enum: values }, expected: `one of ${values.join(', ')}` };
}

function wholeNumber(minimum: number, maximum: number) {
  return {
    kind: 'integer',
    schema: { type: 'integer', minimum, maximum },
    expected: `a whole number from ${minimum} to ${maximum}`,
  } as const;
}

/** All settings, in the order of the documentation. */
export const settings: readonly Setting[] = [
  {
    name: 'host',
    kind: 'text',
    schema: { type: 'string', minLength: 1 },
    expected: 'a host name or an address',
    help: 'address to listen on',
  },
  {
    name: 'port',
    ...wholeNumber(0, 65_535),
    help: 'port to listen on; 0 takes a free one',
  },
  {
    name: 'socket',
    ...aPath,
    help: 'Unix socket to listen on instead of host and port',
  },
  {
    name: 'sharePort',
    kind: 'text',
    ...oneOf(['no', 'yes']),
    help: 'whether further processes may share the port, or take over the socket',
  },
  {
    name: 'tlsCert',
    kind: 'text',
    schema: path,
    expected: 'the path of a PEM file',
    help: 'certificate chain; needs tlsKey too',
  },
  {
    name: 'tlsKey',
    kind: 'text',
    schema: path,
    expected: 'the path of a PEM file',
    help: 'private key of the certificate',
  },
  {
    name: 'trustedProxies',
    kind: 'list',
    schema: { type: 'array', items: { type: 'string', format: 'network' } },
    expected: 'a list of addresses and networks such as 10.0.0.5 or 10.0.0.0/8, or unix',
    help: 'proxies whose X-Forwarded-For says where a sign-in comes from, such as 10.0.0.0/8',
  },
  {
    name: 'dataDir',
    ...aPath,
    help: 'directory of the database and the pepper',
  },
  {
    name: 'databaseUrl',
    kind: 'text',
    schema: { type: 'string', format: 'postgres-url' },
    expected: 'a URL such as postgresql://user@host/database',
    help: 'PostgreSQL instead of SQLite in the data directory',
    isSecret: 'password',
  },
  {
    name: 'redisUrl',
    kind: 'text',
    schema: { type: 'string', format: 'redis-url' },
    expected: 'a URL such as redis://host:6379',
    help: 'Redis or Valkey in which all nodes count rate limits',
    isSecret: 'password',
  },
  {
    name: 'workers',
    ...wholeNumber(1, 256),
    help: 'screening threads; all processors but one, at most 8, when not set',
  },
  {
    name: 'deadlineMs',
    kind: 'integer',
    schema: { type: 'integer', minimum: 1, maximum: 3_600_000 },
    expected: 'a whole number of milliseconds from 1 to 3600000',
    help: 'longest wait of a request that does not say one in x-deadline-ms, milliseconds',
  },
  {
    name: 'metricsHost',
    kind: 'text',
    schema: { type: 'string', minLength: 1 },
    expected: 'a host name or an address',
    help: 'address of /metrics on its dedicated port',
  },
  {
    name: 'metricsPort',
    ...wholeNumber(0, 65_535),
    help: 'dedicated port for /metrics; 0 takes a free one',
  },
  {
    name: 'metricsToken',
    kind: 'text',
    schema: secret,
    expected: 'a text of 16 characters or more, without spaces',
    help: 'bearer token that /metrics requires; without it only this machine may read them',
    isSecret: 'whole',
  },
  {
    name: 'metricsTokenFile',
    ...aPath,
    help: 'file with the metricsToken',
  },
  {
    name: 'webhookUrl',
    kind: 'text',
    schema: { type: 'string', format: 'http-url' },
    expected: 'a URL such as https://host/path, without a user name',
    help: 'where blocks are posted, in batches',
    isSecret: 'whole',
  },
  {
    name: 'webhookSecret',
    kind: 'text',
    schema: { ...secret, pattern: '^(?:whsec_[A-Za-z0-9+/]{22,}={0,2}|(?!whsec_)\\S+)$' },
    expected: 'a text of 16 characters or more, without spaces; after whsec_ 16 bytes in base64',
    help: 'signs what is posted to webhookUrl (standardwebhooks.com)',
    isSecret: 'whole',
  },
  {
    name: 'webhookSecretFile',
    ...aPath,
    help: 'file with the webhookSecret',
  },
  {
    name: 'syslogUrl',
    kind: 'text',
    schema: { type: 'string', format: 'syslog-url' },
    expected: 'a URL such as udp://host:514, tcp://host:601, tls://host:6514 or unix:/path',
    help: 'syslog receiver (RFC 5424) for blocks; ?facility=local4 changes local0',
  },
  {
    name: 'publicUrl',
    kind: 'text',
    schema: { type: 'string', format: 'http-url' },
    expected: 'a URL such as https://sallyport.example.com, without a user name',
    help: 'address of the dashboard, for links of notifications and for single sign-on',
  },
  {
    name: 'notifyPlain',
    kind: 'text',
    ...oneOf(['no', 'yes']),
    help: 'whether notifications may go unencrypted, and to local services under any name',
  },
  {
    name: 'oidcIssuer',
    kind: 'text',
    schema: { type: 'string', format: 'issuer', maxLength: 500 },
    expected: 'an https URL such as https://login.example.com (http for this machine only)',
    help: 'OpenID provider that administrators can sign in with; needs oidcClientId and publicUrl',
  },
  {
    name: 'oidcClientId',
    kind: 'text',
    schema: { type: 'string', minLength: 1 },
    expected: 'a text',
    help: 'what the OpenID provider calls Sallyport',
  },
  {
    name: 'oidcClientSecret',
    kind: 'text',
    schema: { type: 'string', minLength: 1, pattern: '^\\S+$' },
    expected: 'a text without spaces',
    help: 'secret of the oidcClientId; none for a public client',
    isSecret: 'whole',
  },
  {
    name: 'oidcClientSecretFile',
    ...aPath,
    help: 'file with the oidcClientSecret',
  },
  {
    name: 'oidcRoleClaim',
    kind: 'text',
    schema: { type: 'string', minLength: 1 },
    expected: 'the name of a claim, or the path to one',
    help: 'claim with sallyport-viewer, -editor or -administrator: gives accounts and roles',
  },
  {
    name: 'oidcSessionMinutes',
    ...wholeNumber(5, 720),
    help: 'how long a session by single sign-on lasts, minutes',
  },
  {
    name: 'secondFactor',
    kind: 'text',
    ...oneOf(['optional', 'required']),
    help: 'whether those who sign in with a password must have a second factor',
  },
  {
    name: 'traceContext',
    kind: 'text',
    ...oneOf(['yes', 'no']),
    help: 'keep the ids of traces (traceparent) in log, events and answers',
  },
  {
    name: 'otlpEndpoint',
    kind: 'text',
    schema: { type: 'string', format: 'http-url' },
    expected: 'a URL such as http://127.0.0.1:4318, without a user name',
    help: 'collector for the spans of sampled traces (OTLP over HTTP)',
  },
  {
    name: 'otlpHeaders',
    kind: 'text',
    schema: { type: 'string', format: 'header-list' },
    expected: 'a list such as name=value,name=value, each value percent-encoded',
    help: 'headers for the collector',
    isSecret: 'whole',
  },
  {
    name: 'logLevel',
    kind: 'text',
    ...oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    help: 'lowest level that is logged',
  },
  {
    name: 'config',
    kind: 'text',
    schema: path,
    expected: 'the path of a JSON file',
    help: 'JSON file with settings',
  },
  {
    name: 'pepperFile',
    ...aPath,
    help: 'file with the secret that API keys are hashed with (HMAC)',
  },
  {
    name: 'eventsDays',
    ...wholeNumber(1, 3_650),
    help: 'how many days blocks are kept',
  },
  {
    name: 'eventsMaxMb',
    ...wholeNumber(1, 1_000_000),
    help: 'how many MiB stored blocks may take; the oldest are removed first',
  },
  {
    name: 'eventsSpoolMb',
    ...wholeNumber(0, 100_000),
    help: 'how many MiB of blocks may wait in the data directory for an unavailable database',
  },
  {
    name: 'countryDatabase',
    kind: 'text',
    schema: path,
    expected: 'the path of a file in the MaxMind DB format (.mmdb)',
    help: 'says in which country the clients of blocked requests are: a .mmdb file',
  },
  {
    name: 'asnDatabase',
    kind: 'text',
    schema: path,
    expected: 'the path of a file in the MaxMind DB format (.mmdb)',
    help: 'says in whose network (ASN) the clients of blocked requests are: a .mmdb file',
  },
  {
    name: 'mode',
    kind: 'text',
    ...oneOf(['block', 'monitor', 'off']),
    help: 'block threats, only report them, or do not screen',
  },
  {
    name: 'sensitivity',
    ...wholeNumber(1, 4),
    help: '1 blocks the least benign text, 4 is the strictest',
  },
  {
    name: 'onIncomplete',
    kind: 'text',
    ...oneOf(['allow', 'block']),
    help: 'what to do with a request that could not be screened completely',
  },
  {
    name: 'onOutage',
    kind: 'text',
    ...oneOf(['allow', 'block']),
    help: 'answer to a proxy whose request could not be screened at all',
  },
  {
    name: 'detail',
    kind: 'text',
    ...oneOf(['minimal', 'standard', 'full']),
    help: 'how much a block says to the caller',
  },
  {
    name: 'trustedOrigins',
    kind: 'list',
    schema: { type: 'array', items: { type: 'string', format: 'origin' } },
    expected: 'a list of origins such as https://app.example.com',
    help: 'origins such as https://app.example.com that may send state-changing requests',
  },
  {
    name: 'categoriesOff',
    kind: 'list',
    schema: { type: 'array', items: { enum: categories } },
    expected: `a list of ${categories.join(', ')}`,
    help: 'categories that are not detected, such as graphql,mailinj',
  },
];

/** `tlsCert` as a command-line flag: `tls-cert`. */
export function flagOf(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `tlsCert` as an environment variable: `SALLYPORT_TLS_CERT`. */
export function variableOf(name: SettingName): string {
  return `SALLYPORT_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;
}
