import { availableParallelism } from 'node:os';
import { defaultPolicy } from '../contract/policy.ts';
import type { Config } from './settings.ts';

/** More threads than this wait for the one thread that reads requests. */
const workersDefaultMax = 8;

/**
 * A thread for each core but that of the thread that reads requests; two wherever there are two
 * cores, so that a large body does not hold up the small ones.
 */
function defaultWorkers(cores: number): number {
  return Math.min(workersDefaultMax, cores, Math.max(2, cores - 1));
}

/** The settings of a machine on which nothing is set. */
export function defaultConfig(): Config {
  return {
    host: '127.0.0.1',
    port: 8080,
    socket: undefined,
    sharePort: 'no',
    tlsCert: undefined,
    tlsKey: undefined,
    trustedProxies: [],
    dataDir: './data',
    databaseUrl: undefined,
    redisUrl: undefined,
    workers: defaultWorkers(availableParallelism()),
    metricsHost: '127.0.0.1',
    metricsPort: undefined,
    metricsToken: undefined,
    metricsTokenFile: undefined,
    webhookUrl: undefined,
    webhookSecret: undefined,
    webhookSecretFile: undefined,
    syslogUrl: undefined,
    publicUrl: undefined,
    notifyPlain: 'no',
    oidcIssuer: undefined,
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    oidcClientSecretFile: undefined,
    oidcRoleClaim: undefined,
    oidcSessionMinutes: 480,
    secondFactor: 'optional',
    traceContext: 'no',
    otlpEndpoint: undefined,
    otlpHeaders: undefined,
    logLevel: 'info',
    config: undefined,
    pepperFile: undefined,
    deadlineMs: 5_000,
    eventsDays: 30,
    eventsMaxMb: 512,
    eventsSpoolMb: 64,
    countryDatabase: undefined,
    asnDatabase: undefined,
    mode: defaultPolicy.mode,
    sensitivity: defaultPolicy.sensitivity,
    onIncomplete: defaultPolicy.onIncomplete,
    onOutage: defaultPolicy.onOutage,
    detail: defaultPolicy.detail,
    trustedOrigins: defaultPolicy.trustedOrigins,
    categoriesOff: defaultPolicy.categoriesOff,
  };
}
