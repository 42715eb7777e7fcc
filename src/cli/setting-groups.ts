import type { SettingName } from '../config/settings.ts';

const titles = ['Network', 'Storage', 'Policy', 'Sign-in', 'Observability', 'General'] as const;

/** Where a setting stands in the help. The compiler asks for a group for each new setting. */
const groupOf: Readonly<Record<SettingName, (typeof titles)[number]>> = {
  host: 'Network',
  port: 'Network',
  socket: 'Network',
  sharePort: 'Network',
  tlsCert: 'Network',
  tlsKey: 'Network',
  trustedProxies: 'Network',
  dataDir: 'Storage',
  databaseUrl: 'Storage',
  redisUrl: 'Storage',
  pepperFile: 'Storage',
  eventsDays: 'Storage',
  eventsMaxMb: 'Storage',
  eventsSpoolMb: 'Storage',
  countryDatabase: 'Storage',
  asnDatabase: 'Storage',
  mode: 'Policy',
  sensitivity: 'Policy',
  onIncomplete: 'Policy',
  onOutage: 'Policy',
  detail: 'Policy',
  trustedOrigins: 'Policy',
  categoriesOff: 'Policy',
  oidcIssuer: 'Sign-in',
  oidcClientId: 'Sign-in',
  oidcClientSecret: 'Sign-in',
  oidcClientSecretFile: 'Sign-in',
  oidcRoleClaim: 'Sign-in',
  oidcSessionMinutes: 'Sign-in',
  secondFactor: 'Sign-in',
  logLevel: 'Observability',
  metricsHost: 'Observability',
  metricsPort: 'Observability',
  metricsToken: 'Observability',
  metricsTokenFile: 'Observability',
  webhookUrl: 'Observability',
  webhookSecret: 'Observability',
  webhookSecretFile: 'Observability',
  syslogUrl: 'Observability',
  publicUrl: 'Observability',
  notifyPlain: 'Observability',
  traceContext: 'Observability',
  otlpEndpoint: 'Observability',
  otlpHeaders: 'Observability',
  workers: 'General',
  deadlineMs: 'General',
  config: 'General',
};

/** The settings in groups, in the order of the help. */
export const settingGroups: readonly {
  readonly title: string;
  readonly names: readonly string[];
}[] = titles.map((title) => ({
  title,
  names: Object.entries(groupOf)
    .filter(([, group]) => group === title)
    .map(([name]) => name),
}));
