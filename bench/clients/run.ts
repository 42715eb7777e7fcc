import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import autocannon from 'autocannon';
import { ownTarget, type Target } from '../lib/plan.ts';
import { startService } from '../lib/server.ts';

// What the middleware costs an application: node:http bare and with it, on an ordinary request.
// `node dist/bench/clients/run.js [<other build>/dist …]` compares builds with one another.

const rounds = 5;
const seconds = 2;
const body = JSON.stringify({ username: 'ada', comment: "It's the best of the union.", page: 2 });

interface App {
  readonly name: string;
  readonly address: string;
  cpuMicroseconds(): Promise<number>;
  stop(): void;
}

async function startApp(name: string, target: Target, args: readonly string[]): Promise<App> {
  const file = fileURLToPath(new URL(`app${ownTarget().ending}`, import.meta.url));
  const { root, ending, nodeFlags } = target;
  const module = pathToFileURL(resolve(root, `src/clients/node-http${ending}`)).href;
  const command = [...nodeFlags, file, module, ...args];
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, command, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const address = await nextLine(lines);
  const cpuMicroseconds = async () => {
    child.stdin.write('\n');
    return Number(await nextLine(lines));
  };
  return { name, address, cpuMicroseconds, stop: () => child.stdin.end() };
}

async function nextLine(lines: Interface): Promise<string> {
  const [line] = await once(lines, 'line');
  return String(line);
}

async function measure(app: App): Promise<{ perSecond: number; microseconds: number }> {
  const before = await app.cpuMicroseconds();
  const headers = { 'content-type': 'application/json' };
  const url = `${app.address}/api/items?page=2`;
  const load = { url, method: 'POST', headers, body, connections: 16, duration: seconds } as const;
  const { '2xx': answers, non2xx, duration } = await autocannon(load);
  if (non2xx > 0) throw new Error(`${app.name}: ${non2xx} answers are not 200.`);
  const spent = (await app.cpuMicroseconds()) - before;
  return { perSecond: answers / duration, microseconds: spent / answers };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const own = ownTarget();
const others = process.argv.slice(2).map((root) => ({ ...own, root: resolve(root) }));
const service = await startService(own, ['--workers', '1']);
const url = `http://${service.host}:${service.port}`;
const apps = [await startApp('bare', own, [])];
for (const target of [own, ...others]) {
  apps.push(await startApp(target.root, target, [url, service.key]));
}
const seen = apps.map(() => ({ perSecond: [] as number[], microseconds: [] as number[] }));
try {
  for (let round = 0; round <= rounds; round += 1) {
    const order = [...apps.entries()];
    for (const [index, app] of round % 2 === 0 ? order : order.toReversed()) {
      const { perSecond, microseconds } = await measure(app);
      // The first round only warms up.
      if (round === 0) continue;
      seen[index]?.perSecond.push(perSecond);
      seen[index]?.microseconds.push(microseconds);
    }
  }
  for (const [index, { name }] of apps.entries()) {
    const { perSecond = [], microseconds = [] } = seen[index] ?? {};
    const rate = Math.round(median(perSecond));
    console.log(`${name}: ${rate} requests/s, ${median(microseconds).toFixed(0)} µs CPU a request`);
  }
} finally {
  for (const app of apps) app.stop();
  await service.stop();
}
