import { createPrivateKey, X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Config } from '../../config/settings.ts';
import { probeServer, targetOf } from '../server-probe.ts';
import { type Check, codeOf, fail, ok, reasonOf, warn } from './check.ts';

const connectMsMax = 3_000;
const dayMs = 86_400_000;
const expiresSoonMs = 14 * dayMs;

/** Whether a server answers where the settings say, or could listen there. */
export async function checkListening(config: Config): Promise<Check> {
  const name = 'Server';
  const target = targetOf(config, undefined);
  const probe = await probeServer(target, config);
  if (probe.kind === 'answers') {
    const { isReady, notReady, degraded } = probe.state;
    if (!isReady) {
      const text = `${target.address} is not ready (${notReady.join(', ')})`;
      return fail(name, { text, advice: 'wait a moment; if it stays so, read the log' });
    }
    if (degraded.length > 0) {
      const text = `${target.address} works from memory: ${degraded.join(', ')}`;
      return warn(name, { text, advice: 'see that the database, or Redis, can be reached' });
    }
    return ok(name, `ready at ${target.address}`);
  }
  const { host, port, socket } = config;
  if (socket !== undefined) return checkSocketPath(name, socket);
  const taken = `find it with \`ss -ltnp 'sport = :${port}'\`, or take another --port`;
  if (probe.kind === 'stranger') {
    return fail(name, { text: `another program answers at ${target.address}`, advice: taken });
  }
  const code = await whyNotListening(host, port);
  if (code === undefined) return ok(name, `none runs, and ${host} port ${port} is free`);
  const text = `none answers (${probe.reason}), and ${host} port ${port} cannot be used (${code})`;
  const advice = code === 'EACCES' ? 'take a port from 1024 on: --port 8080' : taken;
  return fail(name, { text, advice });
}

function checkSocketPath(name: string, path: string): Check {
  if (!existsSync(path)) return ok(name, `none runs, and ${path} is free`);
  const text = `${path} is there, and nothing answers`;
  return warn(name, { text, advice: 'start the server: it takes an abandoned socket over' });
}

/** Listens for a moment, which leaves nothing behind. */
async function whyNotListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    const listening = once(server, 'listening');
    server.listen({ host, port, exclusive: true });
    await listening;
    return undefined;
  } catch (error) {
    return codeOf(error);
  } finally {
    server.close();
  }
}

/** The certificate and its key, where they are set. */
export function checkTls({ tlsCert, tlsKey }: Config, now: number): Check {
  const name = 'TLS';
  if (tlsCert === undefined || tlsKey === undefined)
    return ok(name, 'not set; a proxy may have it');
  try {
    const certificate = new X509Certificate(readFileSync(tlsCert));
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(tlsKey)))) {
      const text = `${tlsKey} is not the key of ${tlsCert}`;
      return fail(name, { text, advice: 'name the two files that belong together' });
    }
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
    const until = new Date(to).toISOString().slice(0, 10);
    if (now < from)
      return fail(name, { text: `${tlsCert} is not valid yet`, advice: 'set the clock' });
    if (now >= to) return fail(name, { text: `${tlsCert} expired ${until}`, advice: 'renew it' });
    if (to - now < expiresSoonMs) {
      return warn(name, { text: `${tlsCert} expires ${until}`, advice: 'renew it, and restart' });
    }
    return ok(name, `${tlsCert}, valid until ${until}`);
  } catch (error) {
    const advice = 'both must be PEM files that the user of the server may read';
    return fail(name, { text: `${tlsCert}, ${tlsKey}: ${reasonOf(error)}`, advice });
  }
}

/** Whether what the settings name can be reached; nothing is sent to it. */
export async function checkTargets(config: Config): Promise<readonly Check[]> {
  const { webhookUrl, syslogUrl, otlpEndpoint, redisUrl } = config;
  const wanted: readonly (readonly [string, string | undefined, number])[] = [
    ['Webhook', webhookUrl, 443],
    ['Syslog', syslogUrl, 514],
    ['OTLP', otlpEndpoint, 4318],
    ['Redis', redisUrl, 6379],
  ];
  return Promise.all(
    wanted.flatMap(([name, url, port]) => {
      return url === undefined ? [] : [checkTarget(name, new URL(url), port)];
    }),
  );
}

/** The address of a webhook is a secret: no check prints it. */
async function checkTarget(name: string, url: URL, portDefault: number): Promise<Check> {
  const advice = 'start what listens there, or correct its address; events go on without it';
  try {
    if (url.protocol === 'unix:') {
      if (statSync(url.pathname).isSocket()) return ok(name, 'its socket is there');
      return warn(name, { text: `${url.pathname} is no socket`, advice });
    }
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (url.protocol === 'udp:') {
      await lookup(host);
      return ok(name, 'its name resolves; whether UDP arrives cannot be seen');
    }
    const standard = url.protocol === 'http:' ? 80 : portDefault;
    await reach(host, url.port === '' ? standard : Number(url.port));
    return ok(name, 'takes connections');
  } catch (error) {
    return warn(name, { text: `cannot be reached (${codeOf(error)})`, advice });
  }
}

async function reach(host: string, port: number): Promise<void> {
  const signal = AbortSignal.timeout(connectMsMax);
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal });
  } finally {
    socket.destroy();
  }
}
