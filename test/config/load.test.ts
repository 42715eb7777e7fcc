import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultConfig } from '../../src/config/defaults.ts';
import { type Environment, type FlagValues, loadConfig, policyOf } from '../../src/config/load.ts';
import { nearest } from '../../src/config/nearest.ts';
import { secretOf } from '../../src/config/secrets.ts';
import { flagOf, settings, variableOf } from '../../src/config/settings.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { tempDir } from '../support/temp-dir.ts';

function loaded(flags: FlagValues, environment: Environment = {}) {
  const outcome = loadConfig({ flags, environment });
  if (outcome.kind === 'invalid') assert.fail(outcome.problems.join('\n'));
  return outcome;
}

function problems(flags: FlagValues, environment: Environment = {}): readonly string[] {
  const outcome = loadConfig({ flags, environment });
  return outcome.kind === 'invalid' ? outcome.problems : [];
}

test('nothing set gives the defaults, and the default policy', () => {
  const { config, sources } = loaded({});
  assert.deepEqual(config, defaultConfig());
  assert.deepEqual(policyOf(config), defaultPolicy);
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port, 8080);
  assert.equal(config.dataDir, './data');
  assert.ok(config.workers >= 1);
  assert.deepEqual(new Set(Object.values(sources)), new Set(['default']));
  assert.deepEqual(
    new Set(Object.keys(sources)),
    new Set(settings.map((setting) => setting.name)),
    'every setting has a source',
  );
});

test('flags beat the environment, that beats the file, that beats the defaults', () => {
  const path = join(tempDir(), 'c.json');
  const values = { port: 1, host: 'file', mode: 'monitor', trustedOrigins: ['https://a.example'] };
  writeFileSync(path, JSON.stringify(values));
  const { config, sources } = loaded(
    { port: '3', config: path },
    { SALLYPORT_PORT: '2', SALLYPORT_HOST: 'environment' },
  );
  const { port, host, mode, sensitivity, trustedOrigins } = config;
  assert.deepEqual(
    { port, host, mode, sensitivity, trustedOrigins },
    { ...values, port: 3, host: 'environment', sensitivity: 2 },
  );
  const sourceOf = [sources.port, sources.host, sources.mode, sources.sensitivity, sources.config];
  assert.deepEqual(sourceOf, ['flag', 'environment', 'file', 'default', 'flag']);
  assert.equal(policyOf(config).mode, 'monitor');
});

test('every setting can be given in the environment', () => {
  const texts: Readonly<Record<string, string>> = {
    host: '::1',
    port: '65535',
    socket: '/run/s',
    sharePort: 'yes',
    tlsCert: 'c.pem',
    tlsKey: 'k.pem',
    trustedProxies: '10.0.0.0/8, 2001:db8::1,unix',
    dataDir: 'd',
    redisUrl: 'redis://localhost:6379',
    databaseUrl: 'postgresql://sallyport@localhost/sallyport',
    workers: '7',
    deadlineMs: '900',
    eventsDays: '14',
    eventsMaxMb: '64',
    eventsSpoolMb: '0',
    countryDatabase: 'c.mmdb',
    asnDatabase: 'n.mmdb',
    metricsHost: '0.0.0.0',
    metricsPort: '9464',
    metricsToken: 'a-token-for-tests',
    metricsTokenFile: 'm',
    webhookUrl: 'https://hooks.example/path?key=1',
    webhookSecret: 'a-secret-for-tests',
    webhookSecretFile: 'w',
    syslogUrl: 'tcp://localhost:601?facility=local4',
    publicUrl: 'https://gate.example',
    notifyPlain: 'yes',
    oidcIssuer: 'https://login.example.com/realms/staff',
    oidcClientId: 'sallyport',
    oidcClientSecret: 'short',
    oidcClientSecretFile: 'o',
    oidcRoleClaim: 'roles',
    oidcSessionMinutes: '60',
    secondFactor: 'required',
    traceContext: 'yes',
    otlpEndpoint: 'http://localhost:4318',
    otlpHeaders: 'authorization=Basic%20abc',
    logLevel: 'warn',
    pepperFile: 'p',
    mode: 'off',
    sensitivity: '4',
    onIncomplete: 'block',
    onOutage: 'allow',
    detail: 'minimal',
    trustedOrigins: 'https://a.example, http://b.example:81',
    categoriesOff: 'sqli,xss',
  };
  const names = settings.map((setting) => setting.name).filter((name) => name !== 'config');
  assert.deepEqual(names.toSorted(), Object.keys(texts).toSorted());
  const environment = Object.fromEntries(names.map((name) => [variableOf(name), texts[name]]));
  const { config } = loaded({}, environment);
  assert.deepEqual(config, {
    ...defaultConfig(),
    ...texts,
    port: 65_535,
    metricsPort: 9_464,
    deadlineMs: 900,
    oidcSessionMinutes: 60,
    eventsDays: 14,
    eventsMaxMb: 64,
    eventsSpoolMb: 0,
    workers: 7,
    sensitivity: 4,
    trustedProxies: ['10.0.0.0/8', '2001:db8::1', 'unix'],
    trustedOrigins: ['https://a.example', 'http://b.example:81'],
    categoriesOff: ['sqli', 'xss'],
  });
});

test('a trusted proxy is an address or a network, and nothing else', () => {
  const good = ['10.0.0.5', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', 'unix'];
  assert.deepEqual(loaded({ trustedProxies: good }).config.trustedProxies, good);
  for (const bad of [
    '10.0.0',
    '10.0.0.0/33',
    '::/129',
    'fe80::1%eth0',
    'proxy.example',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '::1/-1',
  ]) {
    const [problem] = problems({ trustedProxies: bad });
    assert.match(problem ?? '', /^--trusted-proxies must be a list of addresses/, bad);
  }
});

test('an issuer has TLS or is on this machine, and needs a client and an address', () => {
  const problemsWith = (oidcIssuer: string) =>
    problems({ oidcIssuer, oidcClientId: 'c', publicUrl: 'https://gate.example' });
  for (const good of [
    'https://id.example',
    'https://id.example:8443/realms/a',
    'http://127.0.0.1:9000',
    'http://localhost:9000',
    'http://[::1]:9000',
  ]) {
    assert.deepEqual(problemsWith(good), [], good);
  }
  for (const bad of [
    'http://id.example',
    'id.example',
    'https://a@id.example',
    'https://id.example?a',
    'https://id.example#a',
    'http://127.evil.example',
    'http://localhost.evil.example',
  ]) {
    assert.match(problemsWith(bad)[0] ?? '', /^--oidc-issuer must be an https URL/, bad);
  }
  assert.deepEqual(problems({ oidcIssuer: 'https://id.example' }), [
    'oidcIssuer needs oidcClientId and publicUrl as well',
  ]);
});

test('single sign-on that cannot work is a problem', () => {
  const problemsAt = (publicUrl: string) =>
    problems({ oidcIssuer: 'https://id.example', oidcClientId: 'c', publicUrl });
  for (const good of ['https://gate.example', 'http://localhost:8080', 'http://127.0.0.1:8080']) {
    assert.deepEqual(problemsAt(good), [], good);
  }
  for (const bad of ['http://gate.example', 'http://10.0.0.5:8080', 'http://localhost.example']) {
    assert.match(problemsAt(bad)[0] ?? '', /^oidcIssuer needs a publicUrl with https/, bad);
  }
  assert.equal(problemsAt('no URL').length, 1, 'said once');
  assert.deepEqual(problems({ publicUrl: 'http://gate.example' }), []);
  assert.deepEqual(problems({ oidcClientId: 'c', oidcRoleClaim: 'roles' }), [
    'oidcClientId needs oidcIssuer as well: set it, or remove oidcClientId',
    'oidcRoleClaim needs oidcIssuer as well: set it, or remove oidcRoleClaim',
  ]);
});

test('names are spelled as the documentation says', () => {
  assert.equal(flagOf('tlsCert'), 'tls-cert');
  assert.equal(variableOf('tlsCert'), 'SALLYPORT_TLS_CERT');
  assert.equal(variableOf('dataDir'), 'SALLYPORT_DATA_DIR');
});

test('the result is frozen, its lists too', () => {
  const { config } = loaded({ categoriesOff: 'sqli' });
  assert.ok(Object.isFrozen(config));
  assert.ok(Object.isFrozen(config.categoriesOff));
  assert.ok(Object.isFrozen(config.trustedOrigins));
  assert.ok(Object.isFrozen(policyOf(config)));
});

test('everything that is wrong is said at once, with the name that the source uses', () => {
  const path = join(tempDir(), 'c.json');
  writeFileSync(path, JSON.stringify({ prot: 1, sensitivity: 9, config: 'x', workers: '2' }));
  const found = problems(
    { port: '70000', mode: 'blok', config: path },
    { SALLYPORT_LOG_LEVL: 'info', SALLYPORT_CATEGORIES_OFF: 'sqli,sqly', SALLYPORT_TLS_CERT: 'c' },
  );
  assert.deepEqual(
    [...found].toSorted(),
    [
      'SALLYPORT_CATEGORIES_OFF must be a list of sqli, xss, csrf, traversal, rfi, ssrf, cmdi, ' +
        'code, ' +
        'nosqli, ldapi, xpathi, xxe, ssti, crlf, jndi, protopollution, deserialization, ssi, ' +
        'mailinj, graphql, shape, other, not "sqly"',
      '--mode must be one of block, monitor, off, not "blok"',
      '--port must be a whole number from 0 to 65535, not 70000',
      `${path}: unknown setting prot; did you mean port?`,
      `config in ${path} cannot name another file; remove it`,
      `sensitivity in ${path} must be a whole number from 1 to 4, not 9`,
      'tlsCert and tlsKey belong together: set both or none',
      'unknown variable SALLYPORT_LOG_LEVL; did you mean SALLYPORT_LOG_LEVEL?',
      `workers in ${path} must be a whole number from 1 to 256, not "2"`,
    ].toSorted(),
  );
});

test('numbers must be written as whole numbers', () => {
  for (const text of ['', '-1', '1.5', '0x10', '1e3', ' 1', 'ten', '99999999999999999999']) {
    assert.equal(problems({ port: text }).length, 1, JSON.stringify(text));
  }
  assert.equal(loaded({ port: '0' }).config.port, 0);
});

test('origins must be written as browsers send them', () => {
  const wrong = [
    'app.example',
    'https://a.example/',
    'https://A.example',
    'ftp://a.example',
    'null',
  ];
  for (const text of wrong) assert.equal(problems({ trustedOrigins: text }).length, 1, text);
  const right = ['https://a.example', 'http://127.0.0.1:8080'];
  assert.deepEqual(loaded({ trustedOrigins: right }).config.trustedOrigins, right);
});

test('an empty variable counts as not set, and the variable of the tests is no setting', () => {
  const { config } = loaded({}, { SALLYPORT_SOCKET: '', SALLYPORT_TEST_ALL: '1', OTHER: 'x' });
  assert.equal(config.socket, undefined);
});

test('a file that is missing, no JSON or no object is named', () => {
  const folder = tempDir();
  const path = join(folder, 'c.json');
  assert.match(problems({ config: path }).join(), /c\.json cannot be read \(ENOENT\)/);
  writeFileSync(path, '{"port":');
  assert.match(problems({ config: path }).join(), /c\.json is not JSON/);
  writeFileSync(path, '{"metricsToken": hush-hush-hush-hush }');
  assert.match(problems({ config: path }).join(), /not JSON \(Unexpected token 'h'\)$/);
  writeFileSync(path, '{"metricsToken": "hush-hush-hush-hush" "port": 1}');
  assert.match(problems({ config: path }).join(), /not JSON \(position 39 \(line 1 column 40\)\)$/);
  writeFileSync(path, '[]');
  assert.match(problems({ config: path }).join(), /c\.json must hold one JSON object/);
  writeFileSync(path, '\ufeff{"port":7}');
  assert.equal(loaded({ config: path }).config.port, 7, 'a byte order mark is no fault');
  writeFileSync(path, '{"__proto__":{"port":1},"toString":1}');
  assert.equal(problems({ config: path }).length, 2);
});

test('a credential of systemd is the pepper file unless a setting names another', () => {
  const folder = join(tempDir(), 'credentials');
  mkdirSync(folder);
  const environment = { CREDENTIALS_DIRECTORY: folder };
  assert.equal(loaded({}, environment).config.pepperFile, undefined);
  writeFileSync(join(folder, 'pepper'), 'p'.repeat(32));
  const { config, sources } = loaded({}, environment);
  assert.equal(config.pepperFile, join(folder, 'pepper'));
  assert.equal(sources.pepperFile, 'credential');
  assert.equal(loaded({ pepperFile: 'mine' }, environment).config.pepperFile, 'mine');
  writeFileSync(join(folder, 'metrics-token'), 'a-token-for-tests');
  const token = loaded({}, environment).config;
  assert.equal(secretOf(token, 'metricsToken'), 'a-token-for-tests');
});

test('a secret comes from its setting or its file, and never from a file that says nothing', () => {
  const path = join(tempDir(), 'token');
  const fromFile = loaded({ metricsTokenFile: path }).config;
  assert.throws(() => secretOf(fromFile, 'metricsToken'), /cannot be read/);
  writeFileSync(path, '\n');
  assert.throws(() => secretOf(fromFile, 'metricsToken'), /is empty/);
  writeFileSync(path, 'too-short\n');
  assert.throws(
    () => secretOf(fromFile, 'metricsToken'),
    /token, the metricsToken, must be a text/,
  );
  writeFileSync(path, 'a-token-in-a-file\n');
  assert.equal(secretOf(fromFile, 'metricsToken'), 'a-token-in-a-file');
  const both = loaded({ metricsToken: 'a-token-for-tests', metricsTokenFile: path }).config;
  assert.equal(secretOf(both, 'metricsToken'), 'a-token-for-tests');
  assert.equal(secretOf(loaded({}).config, 'metricsToken'), undefined);
  const shown = problems({ metricsToken: 'short' }).join();
  assert.match(shown, /^--metrics-token must be a text of 16 characters or more/);
  assert.ok(!shown.includes('"short"'));
});

test('the variables of OpenTelemetry are heard, but not before our own', () => {
  const standard = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'x=1',
  };
  const { config, sources } = loaded({}, standard);
  assert.deepEqual([config.otlpEndpoint, config.otlpHeaders], ['http://a.example:4318', 'x=1']);
  assert.equal(sources.otlpEndpoint, 'environment');
  const own = { ...standard, SALLYPORT_OTLP_ENDPOINT: 'http://b.example' };
  assert.equal(loaded({}, own).config.otlpEndpoint, 'http://b.example');
  const grpc = { ...standard, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  assert.equal(loaded({}, grpc).config.otlpEndpoint, undefined);
});

test('headers for the collector are what can be sent', () => {
  for (const text of ['a=b', 'authorization=Basic%20abc,x-team = red', 'empty=']) {
    assert.equal(loaded({ otlpHeaders: text }).config.otlpHeaders, text);
  }
  for (const text of ['a', '=b', 'a=b,', 'a=%zz', 'a=b%0Ac', 'two words=b']) {
    assert.match(problems({ otlpHeaders: text }).join(), /^--otlp-headers must be a list/, text);
  }
});

test('a webhook secret in base64 is one that signs', () => {
  const right = [`whsec_${Buffer.alloc(16).toString('base64')}`, 'a-secret-of-our-own'];
  for (const text of right)
    assert.equal(loaded({ webhookSecret: text }).config.webhookSecret, text);
  for (const text of ['whsec_!!!!!!!!!!!!!!!!!!!!!!!!', 'whsec_c2hvcnQgb25l']) {
    assert.match(problems({ webhookSecret: text }).join(), /after whsec_ 16 bytes in base64$/);
  }
});

test('nearest finds small slips and nothing far away', () => {
  const names = ['port', 'host', 'socket', 'sensitivity'];
  assert.equal(nearest('prot', names), 'port');
  assert.equal(nearest('SENSITIVTY', names), 'sensitivity');
  assert.equal(nearest('unrelated', names), undefined);
});
