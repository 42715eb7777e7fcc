import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPolicy, type Policy } from '../contract/policy.ts';
import { defaultConfig } from './defaults.ts';
import {
  type Config,
  flagOf,
  type Setting,
  type SettingName,
  settings,
  variableOf,
} from './settings.ts';
import {
  isEncryptedOrLocal,
  isPlainHttp,
  problemsOf,
  settingNamed,
  unknownName,
} from './validate.ts';

/** Where a value comes from. */
export type Source = 'flag' | 'environment' | 'file' | 'credential' | 'default';

/** Settings as the command line gives them, by setting name. */
export type FlagValues = Readonly<Partial<Record<SettingName, string | readonly string[]>>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration, or everything that is wrong with it. */
export type LoadOutcome =
  | {
      readonly kind: 'loaded';
      readonly config: Config;
      readonly sources: Readonly<Record<SettingName, Source>>;
    }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

type Values = Record<string, unknown>;

const variablePrefix = 'SALLYPORT_';
/** Variables that share the prefix and are no settings: those of applications, and of the tests. */
const otherVariables: ReadonlySet<string> = new Set([
  'SALLYPORT_KEY',
  'SALLYPORT_URL',
  'SALLYPORT_TIMEOUT_MS',
  'SALLYPORT_TEST_ALL',
]);

/** Merges flags, environment, file and defaults, in this order of weight, and checks them all. */
export function loadConfig(from: {
  readonly flags: FlagValues;
  readonly environment: Environment;
}): LoadOutcome {
  const problems: string[] = [];
  const flags = readFlags(from.flags, problems);
  const environment = readEnvironment(from.environment, problems);
  const configPath = flags['config'] ?? environment['config'];
  const file = typeof configPath === 'string' ? readFile(configPath, problems) : {};
  const credential = readCredentials(from.environment);

  const layers: readonly (readonly [Source, Values])[] = [
    ['default', { ...defaultConfig() }],
    ['credential', credential],
    ['file', file],
    ['environment', environment],
    ['flag', flags],
  ];
  const merged: Values = {};
  const sources: Record<string, Source> = {};
  for (const [source, values] of layers) {
    for (const [name, value] of Object.entries(values)) {
      merged[name] = value;
      sources[name] = source;
    }
  }
  if ((merged['tlsCert'] === undefined) !== (merged['tlsKey'] === undefined)) {
    problems.push('tlsCert and tlsKey belong together: set both or none');
  }
  problems.push(...singleSignOnProblems(merged));
  if (problems.length > 0) return { kind: 'invalid', problems };
  return {
    kind: 'loaded',
    config: freezeDeep(merged) as unknown as Config,
    sources: Object.freeze(sources) as Readonly<Record<SettingName, Source>>,
  };
}

function singleSignOnProblems(merged: Values): readonly string[] {
  const isSet = (name: SettingName) => merged[name] !== undefined;
  const { publicUrl } = merged;
  if (!isSet('oidcIssuer')) {
    const useless = (['oidcClientId', 'oidcRoleClaim'] as const).filter(isSet);
    return useless.map((name) => `${name} needs oidcIssuer as well: set it, or remove ${name}`);
  }
  const lacking = (['oidcClientId', 'publicUrl'] as const).filter((name) => !isSet(name));
  if (lacking.length > 0) return [`oidcIssuer needs ${lacking.join(' and ')} as well`];
  // A text that is no URL has a problem of its own by now.
  if (typeof publicUrl !== 'string' || !isPlainHttp(publicUrl) || isEncryptedOrLocal(publicUrl))
    return [];
  return [
    'oidcIssuer needs a publicUrl with https (http for this machine only): set up TLS, or remove oidcIssuer. Browsers keep the cookie of single sign-on over nothing else',
  ];
}

/** The process's environment. Nothing outside this folder reads it. */
export function processEnvironment(): Environment {
  return process.env;
}

/** What the settings ask for every key. */
export function policyOf(config: Config): Policy {
  const { mode, sensitivity, categoriesOff, trustedOrigins } = config;
  const { onIncomplete, onOutage, detail } = config;
  return Object.freeze({
    ...defaultPolicy,
    mode,
    sensitivity,
    categoriesOff,
    trustedOrigins,
    onIncomplete,
    onOutage,
    detail,
  });
}

function readFlags(given: FlagValues, problems: string[]): Values {
  const values: Values = {};
  for (const setting of settings) {
    const value = given[setting.name];
    if (value !== undefined) values[setting.name] = parsed(setting, value);
  }
  problems.push(...problemsOf(values, (name) => `--${flagOf(name)}`));
  return values;
}

function readEnvironment(environment: Environment, problems: string[]): Values {
  const known = new Map(settings.map((setting) => [variableOf(setting.name), setting]));
  const values: Values = { ...readStandard(environment) };
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(variablePrefix) || otherVariables.has(variable)) continue;
    const setting = known.get(variable);
    if (setting === undefined) {
      problems.push(unknownName('variable', variable, [...known.keys()]));
    } else if (value !== undefined && value !== '') {
      values[setting.name] = parsed(setting, value);
    }
  }
  problems.push(...problemsOf(values, variableOf));
  return values;
}

/** The variables of OpenTelemetry that say the same for every program; ours go before them. */
function readStandard(environment: Environment): Values {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint = '',
    OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders = '',
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol = '',
  } = environment;
  if (otlpEndpoint === '' || protocol === 'grpc') return {};
  return { otlpEndpoint, ...(otlpHeaders === '' ? {} : { otlpHeaders }) };
}

function readFile(path: string, problems: string[]): Values {
  const content = parseFile(path, problems);
  const known = settings.map((setting) => setting.name).filter((name) => name !== 'config');
  const values: Values = {};
  for (const [name, value] of Object.entries(content)) {
    if (name === 'config') {
      problems.push(`config in ${path} cannot name another file; remove it`);
    } else if (settingNamed(name) === undefined) {
      problems.push(`${path}: ${unknownName('setting', name, known)}`);
    } else {
      values[name] = value;
    }
  }
  problems.push(...problemsOf(values, (name) => `${name} in ${path}`));
  return values;
}

/** Of what the parser says: the rest quotes the file, which can hold a secret. */
const jsonFault = /^Unexpected (?:token '.'|end)|position \d+ \(line \d+ column \d+\)/u;

function parseFile(path: string, problems: string[]): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    problems.push(`the configuration file ${path} cannot be read (${code})`);
    return {};
  }
  try {
    // Some editors put a byte order mark in front.
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
      return content as Readonly<Record<string, unknown>>;
    }
    problems.push(`the configuration file ${path} must hold one JSON object`);
  } catch (error) {
    const [place] = (error instanceof Error && jsonFault.exec(error.message)) || [];
    problems.push(`the configuration file ${path} is not JSON${place ? ` (${place})` : ''}`);
  }
  return {};
}

/** The credentials that we look for, and the setting that each is the file of. */
const credentials: Readonly<Record<string, SettingName>> = {
  pepper: 'pepperFile',
  'metrics-token': 'metricsTokenFile',
  'webhook-secret': 'webhookSecretFile',
  'oidc-client-secret': 'oidcClientSecretFile',
};

/** systemd puts the credentials of a service into a directory, https://systemd.io/CREDENTIALS/ */
function readCredentials(environment: Environment): Values {
  const directory = environment['CREDENTIALS_DIRECTORY'];
  if (directory === undefined || directory === '') return {};
  const found = Object.entries(credentials)
    .map(([name, setting]) => [setting, join(directory, name)] as const)
    .filter(([, path]) => existsSync(path));
  return Object.fromEntries(found);
}

/** A text as the value that its setting expects. What does not fit stays: the check refuses it. */
function parsed(setting: Setting, given: string | readonly string[]): unknown {
  const texts = typeof given === 'string' ? [given] : given;
  if (setting.kind === 'list') {
    const items = texts.flatMap((text) => text.split(',').map((item) => item.trim()));
    return items.filter((item) => item !== '');
  }
  const text = texts.at(-1) ?? '';
  return setting.kind === 'integer' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function freezeDeep(values: Values): Values {
  for (const value of Object.values(values)) Object.freeze(value);
  return Object.freeze(values);
}

/** The flags of the settings, with the setting that each one sets. */
export const settingFlags: ReadonlyMap<string, Setting> = new Map(
  settings.map((setting) => [flagOf(setting.name), setting]),
);
