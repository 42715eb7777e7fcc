import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { collect } from '../support/cli.ts';
import { bootContainer, type Container } from '../support/container.ts';
import { until } from '../support/until.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const loadClient = fileURLToPath(new URL('./load-client.ts', import.meta.url));
const port = '8123';
const socket = '/run/sallyport/http.sock';

/** The program of a package, under the Node of this test. */
function sallyport(root: string, ...args: readonly string[]): string[] {
  return [process.execPath, join(root, 'dist/src/cli/bin.js'), ...args];
}

function succeed(on: Container, ...command: readonly string[]): string {
  const { status, out, err } = on.run(...command);
  assert.equal(status, 0, `${command.join(' ')}\n${out}${err}`);
  return out;
}

function property(on: Container, instance: string, name: string): string {
  const words = ['show', '--value', '--property', name, `sallyport@${instance}`];
  return succeed(on, 'systemctl', ...words).trim();
}

function mode(on: Container, path: string): string {
  return succeed(on, 'stat', '--format', '%a %U:%G', path).trim();
}

/** A package in the container that differs from this one by what a script does to it. */
function makePackage(on: Container, path: string, change: string): void {
  const copy = `mkdir "$1" && cd "$2" && cp -r package.json LICENSE README.md dist src "$1" &&
    ln -s "$2/node_modules" "$1/node_modules" && cd "$1" && ${change}`;
  succeed(on, 'sh', '-c', copy, 'sh', path, repository);
}

/** Runs an installation under load; every request must have its answer. */
async function underLoad(
  on: Container,
  where: string,
  key: string,
  install: () => void | Promise<void>,
): Promise<void> {
  const client = on.spawn(process.execPath, loadClient, where, key);
  assert.ok(client.stdin && client.stdout && client.stderr);
  const [out, err] = [collect(client.stdout), collect(client.stderr)];
  const closed = once(client, 'close');
  await install();
  client.stdin.end();
  await closed;
  assert.equal(err(), '');
  const { answers, connections, failures } = JSON.parse(out());
  assert.deepEqual(failures, []);
  assert.ok(answers > 100 && connections > 20, out());
}

/** Runs a program in the container without holding this process up. */
async function runInBackground(on: Container, ...command: readonly string[]): Promise<void> {
  const child = on.spawn(...command);
  assert.ok(child.stdout && child.stderr);
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const [status] = await once(child, 'close');
  assert.equal(status, 0, out() + err());
}

let key = '';

/** Each step goes on with what the one before has left. */
const steps: readonly (readonly [what: string, step: (on: Container) => void | Promise<void>])[] = [
  [
    'a dry run shows the units and changes nothing',
    (on) => {
      const out = succeed(on, ...sallyport(repository, 'service', 'install', '--dry-run'));
      assert.match(out, /^ {4}Type=notify$/m);
      assert.match(out, /^systemctl restart sallyport@1\.service$/m);
      assert.equal(existsSync(join(on.root, 'opt/sallyport')), false);
      assert.equal(existsSync(join(on.root, 'etc/sallyport')), false);
    },
  ],
  [
    'an installation answers, and keeps its secrets',
    (on) => {
      const words = ['--port', port, '--sensitivity', '3', '--workers', '1'];
      const out = succeed(on, ...sallyport(repository, 'service', 'install', ...words));
      assert.match(out, /answers at http:\/\/127\.0\.0\.1:8123 \(1 front end\)/);
      assert.equal(property(on, '1', 'ActiveState'), 'active');
      assert.equal(property(on, '1', 'StatusText'), `listening on http://127.0.0.1:${port}`);
      assert.equal(mode(on, '/etc/sallyport/pepper'), '600 root:root');
      assert.equal(mode(on, '/etc/sallyport/config.json'), '640 root:sallyport');
      assert.equal(mode(on, '/var/lib/sallyport'), '700 sallyport:sallyport');
      assert.equal(mode(on, '/var/lib/sallyport/sallyport.db'), '600 sallyport:sallyport');
      assert.equal(existsSync(join(on.root, 'var/lib/sallyport/pepper')), false);
      key = succeed(on, 'sallyport', 'keys', 'create', '--name', 'load').trim();
    },
  ],
  [
    'an upgrade to two front ends loses no request',
    async (on) => {
      makePackage(on, '/srv/next', 'echo next >> README.md');
      const before = readlinkSync(join(on.root, 'opt/sallyport/current'));
      await underLoad(on, port, key, () =>
        runInBackground(on, ...sallyport('/srv/next', 'service', 'install', '--instances', '2')),
      );
      const after = readlinkSync(join(on.root, 'opt/sallyport/current'));
      assert.notEqual(after, before);
      assert.match(property(on, '2', 'ActiveState'), /^active/);
      assert.equal(property(on, 'next', 'ActiveState'), 'inactive');
      for (const instance of ['1', '2']) {
        const program: string = `/proc/${property(on, instance, 'MainPID')}/exe`;
        assert.equal(succeed(on, 'readlink', program).trim(), `/opt/sallyport/${after}/bin/node`);
      }
      const config = JSON.parse(readFileSync(join(on.root, 'etc/sallyport/config.json'), 'utf8'));
      assert.deepEqual(config, { port: 8123, workers: 1, sensitivity: 3 });
    },
  ],
  [
    'a release that does not start changes nothing',
    async (on) => {
      makePackage(
        on,
        '/srv/broken',
        'printf \'\\nthrow new Error("broken")\\n\' >> dist/src/main.js',
      );
      const before = readlinkSync(join(on.root, 'opt/sallyport/current'));
      const pids = ['1', '2'].map((instance) => property(on, instance, 'MainPID'));
      const { status, err } = on.run(
        ...sallyport('/srv/broken', 'service', 'install', '--sensitivity', '1'),
      );
      assert.equal(status, 1);
      assert.match(err, /^sallyport: broken$/m);
      assert.match(err, /sallyport@next\.service did not start/);
      assert.equal(readlinkSync(join(on.root, 'opt/sallyport/current')), before);
      assert.deepEqual(
        ['1', '2'].map((instance) => property(on, instance, 'MainPID')),
        pids,
      );
      assert.match(readFileSync(join(on.root, 'etc/sallyport/config.json'), 'utf8'), /: 3\b/);
    },
  ],
  [
    'a front end that cannot be replaced goes on with the old release',
    (on) => {
      makePackage(on, '/srv/half', 'echo spoilt-release >> README.md');
      const unit = join(on.root, 'etc/systemd/system/sallyport@1.service.d');
      mkdirSync(unit);
      const isWhole =
        'ExecStartPre=/bin/sh -c "! grep -q spoilt-release /opt/sallyport/current/package/README.md"';
      writeFileSync(join(unit, 'test.conf'), `[Service]\n${isWhole}\n`);
      const before = readdirSync(join(on.root, 'opt/sallyport'));
      const install = sallyport('/srv/half', 'service', 'install', '--instances', '3');
      const { status, err } = on.run(...install);
      assert.equal(status, 1);
      assert.match(err, /sallyport@1\.service did not start/);
      assert.deepEqual(readdirSync(join(on.root, 'opt/sallyport')), before);
      const states = ['1', '2', '3', 'next'].map((name) => property(on, name, 'ActiveState'));
      assert.deepEqual(states, ['active', 'active', 'inactive', 'inactive']);
    },
  ],
  [
    'all front ends start at once, also on a database that is not there yet',
    (on) => {
      // A stop of the target alone does not wait for its instances.
      succeed(on, 'systemctl', 'stop', 'sallyport.target', 'sallyport@*');
      succeed(on, 'sh', '-c', 'rm -r /var/lib/sallyport/*');
      succeed(on, 'systemctl', 'start', 'sallyport.target');
      succeed(on, 'systemctl', 'start', 'sallyport@1', 'sallyport@2');
      assert.equal(property(on, '1', 'NRestarts'), '0');
      assert.equal(property(on, '2', 'NRestarts'), '0');
      key = succeed(on, 'sallyport', 'keys', 'create', '--name', 'load').trim();
    },
  ],
  [
    'the watchdog starts a process anew that hangs',
    async (on) => {
      const folder = join(on.root, 'etc/systemd/system/sallyport@2.service.d');
      mkdirSync(folder);
      // A stopped process stands for one that hangs; it takes no SIGABRT.
      writeFileSync(join(folder, 'test.conf'), '[Service]\nWatchdogSec=6\nTimeoutAbortSec=1\n');
      succeed(on, 'systemctl', 'daemon-reload');
      succeed(on, 'systemctl', 'restart', 'sallyport@2');
      const pid = property(on, '2', 'MainPID');
      succeed(on, 'systemctl', 'kill', '--signal', 'STOP', 'sallyport@2');
      await until(
        'systemd has started it anew',
        () => Number(property(on, '2', 'NRestarts')) >= 1,
        3_000,
      );
      await until('it is ready', () => property(on, '2', 'ActiveState') === 'active');
      assert.notEqual(property(on, '2', 'MainPID'), pid);
      assert.match(succeed(on, 'journalctl', '-u', 'sallyport@2', '-o', 'cat'), /Watchdog timeout/);
      rmSync(folder, { recursive: true });
      succeed(on, 'systemctl', 'daemon-reload');
    },
  ],
  [
    'a Unix socket is for the group, and changes hands under load',
    async (on) => {
      const install = sallyport('/srv/next', 'service', 'install');
      const several = on.run(...install, '--socket', socket);
      assert.match(several.err, /Several front ends share a port/);
      succeed(on, ...install, '--socket', socket, '--instances', '1');
      assert.equal(mode(on, socket), '660 sallyport:sallyport');
      assert.equal(mode(on, '/run/sallyport'), '750 sallyport:sallyport');
      assert.equal(property(on, '2', 'ActiveState'), 'inactive');
      await underLoad(on, socket, key, () => runInBackground(on, ...install));
    },
  ],
  [
    'it is removed, first without the data and then with them',
    (on) => {
      succeed(on, 'sallyport', 'service', 'uninstall');
      assert.equal(succeed(on, 'systemctl', 'list-units', '--plain', '-q', 'sallyport*'), '');
      assert.equal(existsSync(join(on.root, 'opt/sallyport')), false);
      assert.equal(existsSync(join(on.root, 'var/lib/sallyport/sallyport.db')), true);
      succeed(on, ...sallyport(repository, 'service', 'uninstall', '--purge'));
      for (const path of ['etc/sallyport', 'var/lib/sallyport', 'etc/sysusers.d/sallyport.conf']) {
        assert.equal(existsSync(join(on.root, path)), false, path);
      }
      assert.notEqual(on.run('id', 'sallyport').status, 0);
    },
  ],
];

test('the service on a machine with systemd', async (t) => {
  const on = await bootContainer(t);
  if (on === undefined) return;
  for (const [what, step] of steps) await t.test(what, () => step(on));
});
