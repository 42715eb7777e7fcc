import { isIP } from 'node:net';
import { Ajv, type ErrorObject } from 'ajv';
import { ownSchemas } from '../contract/schemas/own-schemas.ts';
import { nearest } from './nearest.ts';
import { type Setting, type SettingName, settings } from './settings.ts';

const ajv = new Ajv({ ...ownSchemas, allErrors: true, strict: true, verbose: true });
ajv.addFormat('origin', isOrigin);
ajv.addFormat('network', isNetwork);
ajv.addFormat('http-url', isPlainHttp);
ajv.addFormat('issuer', isIssuer);
ajv.addFormat('syslog-url', (text: string) => hasScheme(text, ['udp:', 'tcp:', 'tls:', 'unix:']));
ajv.addFormat('header-list', isHeaderList);
ajv.addFormat('redis-url', (text: string) => hasScheme(text, ['redis:', 'rediss:']));
ajv.addFormat('postgres-url', (text: string) => hasScheme(text, ['postgres:', 'postgresql:']));

const validate = ajv.compile({
  type: 'object',
  properties: Object.fromEntries(settings.map(({ name, schema }) => [name, schema])),
});

const settingByName = new Map<string, Setting>(settings.map((setting) => [setting.name, setting]));

/** The setting of that name, if there is one. */
export function settingNamed(name: string): Setting | undefined {
  return settingByName.get(name);
}

/** Checks the values from one source. `label` says how the source writes a setting's name. */
export function problemsOf(
  values: Readonly<Record<string, unknown>>,
  label: (name: SettingName) => string,
): readonly string[] {
  if (validate(values)) return [];
  const problems = new Set<string>();
  for (const error of validate.errors ?? []) {
    const setting = settingByName.get(error.instancePath.split('/')[1] ?? '');
    if (setting !== undefined) {
      problems.add(
        `${label(setting.name)} must be ${setting.expected}${setting.isSecret ? '' : `, not ${shown(error)}`}`,
      );
    }
  }
  return [...problems];
}

/** "…; did you mean x?" for an unknown name. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `unknown ${what} ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

function shown(error: ErrorObject): string {
  const text = JSON.stringify(error.data) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function hasScheme(text: string, schemes: readonly string[]): boolean {
  return URL.canParse(text) && schemes.includes(new URL(text).protocol);
}

/** Whether a text is a URL for browsers, without a user name. */
export function isPlainHttp(text: string): boolean {
  return hasScheme(text, ['http:', 'https:']) && new URL(text).username === '';
}

/** Whether a URL has TLS, or is of this machine. */
export function isEncryptedOrLocal(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** OpenID Connect Discovery, section 3; without TLS only on this machine. */
function isIssuer(text: string): boolean {
  if (!isPlainHttp(text) || !isEncryptedOrLocal(text)) return false;
  const { search, hash } = new URL(text);
  return search === '' && hash === '';
}

function isHeaderList(text: string): boolean {
  try {
    for (const pair of text.split(',')) {
      const at = pair.indexOf('=');
      if (at < 1) return false;
      new Headers().set(pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim()));
    }
    return true;
  } catch {
    return false;
  }
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text;
}

/** An address, a network in the notation of RFC 4632, or `unix` for the peers of a Unix socket. */
function isNetwork(text: string): boolean {
  if (text === 'unix') return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
