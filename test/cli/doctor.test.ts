import assert from 'node:assert/strict';
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { runCli } from '../support/cli.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { freePort } from '../support/ports.ts';
import { startServing } from '../support/serve.ts';
import { tempDir } from '../support/temp-dir.ts';

interface Told {
  readonly name: string;
  readonly state: string;
  readonly text: string;
  readonly advice?: string;
}

async function examine(
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const { code, out, err } = await runCli(['doctor', '--json', ...args], { cwd, environment });
  assert.equal(err, '');
  const checks = JSON.parse(out) as Told[];
  for (const { state, text, advice = '' } of checks) {
    assert.ok(state === 'ok' || advice !== '' || /: /.test(text), `no advice: ${text}`);
  }
  return { code, checks, of: (name: string) => checks.find((check) => check.name === name) };
}

describeOnEachDatabase('status and doctor', (make) => {
  test('see a server and its data', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const cwd = tempDir();
    const { databaseUrl } = fresh.options;
    const environment: Record<string, string> =
      databaseUrl === undefined ? {} : { SALLYPORT_DATABASE_URL: databaseUrl };
    const served = await startServing(t, cwd, ['serve'], environment);
    const { port } = new URL(served.address);
    const place = ['--port', port, '--data-dir', 'd'];
    const options = { cwd, environment };
    const create = ['keys', 'create', '--name', 'shop', '--data-dir', 'd'];
    const key = (await runCli(create, options)).out.trimEnd();

    const json = await runCli(['status', '--json', ...place], options);
    assert.equal(json.code, 0, json.err);
    const { server, database } = JSON.parse(json.out);
    assert.deepEqual(
      [server.isReady, server.degraded, server.threads, server.address],
      [true, [], 1, served.address],
    );
    assert.deepEqual(database.keys, { active: 1, expired: 0, revoked: 0 });
    assert.deepEqual(
      database.policies.map(({ id, mode, keys }: Record<string, unknown>) => [id, mode, keys]),
      [['default', 'block', 1]],
    );
    const table = await runCli(['status', ...place], options);
    assert.match(table.out, /Server +ready at .*\n +Version +\d.*\n +Degraded +nothing\n/);

    const fine = await examine(cwd, place, { ...environment, SALLYPORT_KEY: key });
    assert.equal(fine.code, 0, JSON.stringify(fine.checks));
    assert.match(fine.of('Server')?.text ?? '', /^ready at /);
    assert.match(fine.of('SALLYPORT_KEY')?.text ?? '', /\(shop\) is accepted$/);
    assert.equal(fine.of('Pepper')?.state, 'ok');
    const last = key.at(-1) === 'x' ? 'y' : 'x';
    const wrongKey = { ...environment, SALLYPORT_KEY: key.slice(0, -1) + last };
    const wrong = await examine(cwd, place, wrongKey);
    assert.deepEqual([wrong.code, wrong.of('SALLYPORT_KEY')?.state], [1, 'fail']);
    assert.ok(!JSON.stringify(wrong.checks).includes(key.slice(20, 40)), 'the key is not printed');

    served.child.kill('SIGTERM');
    assert.equal(await served.ended, 0);
    const gone = await runCli(['status', ...place], options);
    assert.equal(gone.code, 1);
    assert.match(gone.out, /Server +not running at .*\(ECONNREFUSED\)/);
    writeFileSync(join(cwd, 'd/pepper'), 'x'.repeat(64));
    const pepper = await examine(cwd, place, environment);
    assert.deepEqual([pepper.code, pepper.of('Pepper')?.state], [1, 'fail']);
    assert.match(pepper.of('Pepper')?.text ?? '', /none is accepted/);
  });
});

describe('doctor', () => {
  test('makes and changes nothing', async () => {
    const cwd = tempDir();
    assert.equal((await examine(cwd, ['--data-dir', 'd'])).of('Database')?.state, 'warn');
    assert.deepEqual(readdirSync(cwd), []);
    assert.equal((await runCli(['migrate', '--data-dir', 'd'], { cwd })).code, 0);
    cpSync(join(cwd, 'd'), join(cwd, 'before'), { recursive: true });
    const { of } = await examine(cwd, ['--data-dir', 'd']);
    assert.equal(of('Database')?.state, 'ok');
    assert.equal(of('Pepper')?.state, 'warn');
    assert.deepEqual(readdirSync(join(cwd, 'd')), readdirSync(join(cwd, 'before')));
    const [now, before] = ['d', 'before'].map((dir) =>
      readFileSync(join(cwd, dir, 'sallyport.db')),
    );
    assert.ok(now?.equals(before ?? Buffer.alloc(0)));
  });

  test('names faults of files, ports and settings', async (t) => {
    const cwd = tempDir();
    assert.equal((await runCli(['migrate', '--data-dir', 'd'], { cwd })).code, 0);
    chmodSync(join(cwd, 'd'), 0o755);
    writeFileSync(join(cwd, 'd/pepper'), 'short');
    const port = await strangerOn(t);
    const dead = await freePort();
    const args = ['--data-dir', 'd', '--port', `${port}`, '--tls-cert', 'no.pem', '--tls-key', 'k'];
    const webhook = ['--webhook-url', `http://127.0.0.1:${dead}/secret-path`];
    const { code, of, checks } = await examine(cwd, [...args, ...webhook]);
    assert.equal(code, 1);
    assert.match(of('Data directory')?.text ?? '', /other accounts .* d/);
    assert.match(of('Pepper')?.text ?? '', /5 bytes/);
    assert.match(of('TLS')?.text ?? '', /ENOENT/);
    assert.deepEqual([of('Server')?.state, of('Webhook')?.state], ['fail', 'warn']);
    assert.ok(!JSON.stringify(checks).includes('secret-path'));
    const plain = await examine(cwd, ['--data-dir', 'd', '--port', `${port}`]);
    assert.match(plain.of('Server')?.text ?? '', /another program answers/);

    writeFileSync(join(cwd, 'd/sallyport.db'), 'no database at all, but a text\n'.repeat(200));
    const broken = await examine(cwd, ['--data-dir', 'd']);
    assert.match(broken.of('Database')?.text ?? '', /not an SQLite database/);
    const settings = await examine(cwd, [], { SALLYPORT_PORT: 'x' });
    assert.equal(settings.code, 1);
    assert.match(settings.of('Configuration')?.text ?? '', /SALLYPORT_PORT must be/);
    const unknown = await runCli(['doctor', '--prot', '1'], { cwd });
    assert.deepEqual([unknown.code, unknown.out], [2, '']);
  });

  test('reads the certificate that a server over TLS uses, and status trusts it', async (t) => {
    const cwd = tempDir();
    const made = makeCertificate(cwd);
    const tls = ['--tls-cert', made.certFile, '--tls-key', made.keyFile];
    const { address } = await startServing(t, cwd, ['serve', ...tls]);
    const place = ['--port', new URL(address).port, '--data-dir', 'd'];
    const status = await runCli(['status', ...tls, ...place], { cwd });
    assert.match(status.out, /Server +ready at https:/, status.err);
    assert.equal(status.code, 0);
    const { of } = await examine(cwd, [...tls, ...place]);
    assert.deepEqual([of('TLS')?.state, of('TLS')?.advice], ['warn', 'renew it, and restart']);
    assert.equal(of('Server')?.state, 'ok');
  });
});

/** Another program on a port of its own. */
async function strangerOn(t: TestContext): Promise<number> {
  const port = await freePort();
  const server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return port;
}
