import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../lib/free-port.ts';
import type { PeerPlace } from '../lib/plan.ts';
import { type Started, startProcess } from '../lib/server.ts';

/** nginx with ModSecurity and the Core Rule Set, as the packages of Debian lay them out. */
export interface PeerFiles {
  readonly nginx: string;
  readonly module: string;
  /** The recommended configuration of ModSecurity. */
  readonly modsecurity: string;
  readonly crsSetup: string;
  readonly crsRules: string;
  /** `3.3.4`, as the rule set says of itself. */
  readonly crsVersion: string;
}

/** The files of the peer, or the first one that is missing. */
export function findPeer({ root, crs }: PeerPlace): PeerFiles | { readonly missing: string } {
  const rules = crs ?? join(root, 'usr/share/modsecurity-crs');
  const setup = crs ?? join(root, 'etc/modsecurity/crs');
  const example = join(setup, 'crs-setup.conf.example');
  const crsSetup = existsSync(example) ? example : join(setup, 'crs-setup.conf');
  const files = {
    nginx: join(root, 'usr/sbin/nginx'),
    module: join(root, 'usr/lib/nginx/modules/ngx_http_modsecurity_module.so'),
    modsecurity: join(root, 'etc/nginx/modsecurity.conf'),
    crsSetup,
    crsRules: join(rules, 'rules'),
  };
  const missing = Object.values(files).find((file) => !existsSync(file));
  if (missing !== undefined) return { missing };
  const version = /ver\.?\s*([\d.]+\d)/.exec(readFileSync(crsSetup, 'utf8'))?.[1] ?? 'unknown';
  return { ...files, crsVersion: version };
}

/** Starts nginx in front of a route that answers a constant. Audit logs are off. */
export async function startPeer(files: PeerFiles, workers: number): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-nginx-'));
  try {
    const port = await freePort();
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'rules.conf'), rulesOf(files));
    writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration({ files, folder, port, workers }));
    const address = new URL(`http://127.0.0.1:${port}`);
    const started = await startProcess(
      files.nginx,
      ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'logs/error.log')],
      {
        folder,
        addressIn: async () => ((await statusOf(address, {})) === 200 ? address : undefined),
      },
    );
    const attack = await statusOf(address, { username: "' OR 1=1 -- ", password: "1' or '1'='1" });
    if (attack !== 403) {
      await started.stop();
      throw new Error(
        `nginx lets an attack pass (${attack}), so it does not screen: see ${folder}`,
      );
    }
    return {
      ...started,
      pids: childrenOf(started.pids[0] ?? 0),
      key: 'none',
      // The peer blocks some benign bodies; what is compared is the rate.
      statuses: { allow: 0, block: 0 },
      stop: async () => {
        await started.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function rulesOf({ modsecurity, crsSetup, crsRules }: PeerFiles): string {
  return [
    `Include ${modsecurity}`,
    'SecRuleEngine On',
    'SecAuditEngine Off',
    'SecRequestBodyNoFilesLimit 2097152',
    `Include ${crsSetup}`,
    `Include ${crsRules}/*.conf`,
    '',
  ].join('\n');
}

/** The answer stands behind a proxy_pass: `return` alone would answer before the body is read. */
function nginxConfiguration(parts: {
  readonly files: PeerFiles;
  readonly folder: string;
  readonly port: number;
  readonly workers: number;
}): string {
  const { files, folder, port, workers } = parts;
  return `load_module ${files.module};
daemon off;
user root;
worker_processes ${workers};
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  error_log ${folder}/logs/error.log crit;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  client_max_body_size 2m;
  client_body_buffer_size 2m;
  keepalive_requests 1000000000;
  upstream constant { server unix:${folder}/constant.sock; keepalive 64; }
  server {
    listen unix:${folder}/constant.sock;
    location / { default_type application/json; return 200 '{"decision":"allow"}'; }
  }
  server {
    listen 127.0.0.1:${port};
    modsecurity on;
    modsecurity_rules_file ${folder}/rules.conf;
    location / {
      proxy_pass http://constant;
      proxy_http_version 1.1;
      proxy_set_header connection "";
    }
  }
}
`;
}

async function statusOf(address: URL, body: object): Promise<number> {
  try {
    const answer = await fetch(new URL('/control', address), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: '*/*', 'user-agent': 'bench' },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text.split(' ').map(Number);
  } catch {
    return [pid];
  }
}
