import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { collect } from '../support/cli.ts';
import { freePort, isListening } from '../support/ports.ts';
import { requireInstalled, requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

/** What a proxy stands between. */
export interface Place {
  /** `http://127.0.0.1:…` */
  readonly sallyport: string;
  readonly key: string;
  /** `127.0.0.1:…` */
  readonly app: string;
  /** With the lines of the file that let requests pass while Sallyport is away. */
  readonly failOpen?: boolean;
}

export interface Proxy {
  readonly address: string;
  /** What it has said so far. */
  readonly log: () => string;
}

/** Starts a proxy with its file of `src/deploy/proxies`; undefined where it is not installed. */
export type StartProxy = (t: TestContext, place: Place) => Promise<Proxy | undefined>;

const njsModule = '/usr/lib/nginx/modules/ngx_http_js_module.so';

export const startNginx: StartProxy = async (t, place) => {
  if (!requireInstalled(t, 'nginx with njs', existsSync(njsModule))) return undefined;
  const text = read('nginx.conf')
    .replaceAll('/etc/sallyport/sallyport.js', join(files, 'sallyport.js'))
    .replace('sallyport_on_outage block', `sallyport_on_outage ${outageOf(place)}`);
  return runNginx(t, place, text);
};

export const startNginxAuthRequest: StartProxy = async (t, place) => {
  const text = read('nginx-auth-request.conf');
  return runNginx(t, place, place.failOpen === true ? uncommented(text) : text);
};

export const startCaddy: StartProxy = async (t, place) => {
  if (!requireTool(t, 'caddy')) return undefined;
  const folder = tempDir();
  const port = await freePort();
  const text = substituted(read('Caddyfile'), place)
    .replace('http://app.example.com:80', `http://:${port}`)
    .replaceAll(/^#.*\n/gm, '');
  const isolated = `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n`;
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, isolated + (place.failOpen === true ? uncommented(text) : text));
  const environment = { SALLYPORT_KEY: place.key, HOME: folder };
  return run(t, ['caddy', 'run', '--adapter', 'caddyfile', '--config', file], port, environment);
};

export const startHaproxy: StartProxy = async (t, place) => {
  if (!requireTool(t, 'haproxy')) return undefined;
  const folder = tempDir();
  const port = await freePort();
  const text = substituted(read('haproxy.cfg'), place)
    .replaceAll('/etc/sallyport/sallyport.lua', join(files, 'sallyport.lua'))
    .replace('/forward block', `/forward ${outageOf(place)}`)
    .replace('bind :80', `bind 127.0.0.1:${port}`);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  return run(t, ['haproxy', '-db', '-f', file], port, { SALLYPORT_KEY: place.key });
};

const files = fileURLToPath(new URL('../../src/deploy/proxies', import.meta.url));

function read(name: string): string {
  return readFileSync(join(files, name), 'utf8');
}

function outageOf({ failOpen }: Place): string {
  return failOpen === true ? 'allow' : 'block';
}

/** The addresses of the examples are those of this place. */
function substituted(text: string, { sallyport, app }: Place): string {
  return text
    .replaceAll('127.0.0.1:8080', new URL(sallyport).host)
    .replaceAll('127.0.0.1:3000', app);
}

/** The lines that stand commented out behind a comment that ends "instead:". */
function uncommented(text: string): string {
  return text.replace(/(instead:\n)((?:[ \t]*# .*\n)+)/g, (_, head: string, lines: string) => {
    return head + lines.replaceAll(/^([ \t]*)# /gm, '$1');
  });
}

async function runNginx(t: TestContext, place: Place, text: string): Promise<Proxy | undefined> {
  if (!requireTool(t, 'nginx')) return undefined;
  const folder = tempDir();
  const port = await freePort();
  const keyFile = join(folder, 'key.conf');
  writeFileSync(keyFile, `set $sallyport_key ${place.key};\n`);
  writeFileSync(
    join(folder, 'site.conf'),
    substituted(text, place)
      .replaceAll('/etc/sallyport/nginx-key.conf', keyFile)
      .replace('listen 80;', `listen 127.0.0.1:${port};`),
  );
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name));
  const temporary = ['fastcgi', 'uwsgi', 'scgi', 'proxy'].map((one) => `${one}_temp_path ${one};`);
  const main = join(folder, 'nginx.conf');
  writeFileSync(
    main,
    `${text.includes('js_import') ? `load_module ${njsModule};` : ''}
daemon off; user root; worker_processes 1; pid nginx.pid; error_log stderr error;
events { worker_connections 512; }
http { access_log off; client_body_temp_path body; ${temporary.join(' ')} include site.conf; }
`,
  );
  return run(t, ['nginx', '-p', folder, '-c', main, '-e', 'stderr'], port);
}

async function run(
  t: TestContext,
  [program = '', ...args]: readonly string[],
  port: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<Proxy> {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: 'pipe' });
  child.stdin.end();
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const log = () => out() + err();
  await until(`${program} listens`, () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${log()}`);
    return isListening(port);
  });
  return { address: `http://127.0.0.1:${port}`, log };
}
