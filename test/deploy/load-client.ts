/**
 * Sends requests to a Sallyport until standard input ends, then prints what went wrong. It tries
 * nothing twice: an answer that does not come is a failure. Arguments: port or socket path, key.
 */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const [, , where = '', key = ''] = process.argv;
const target = where.startsWith('/') ? { socketPath: where } : { host: '127.0.0.1', port: where };
const honest = { text: '{"q":"hello"}', status: 200 };
const attack = { text: '{"q":"\' OR 1=1 --"}', status: 403 };
/** One request in so many is an attack. */
const attackEvery = 20;
const failures: string[] = [];
let answers = 0;
let connections = 0;
let isOver = false;

function send(kind: string, agent: Agent | false): Promise<void> {
  const { text, status } = answers % attackEvery === 0 ? attack : honest;
  return new Promise((resolve) => {
    const failed = (reason: string): void => {
      failures.push(`${kind}: ${reason}`);
      resolve();
    };
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': text.length,
    };
    const sent = request({ ...target, path: '/control', method: 'POST', agent, headers }, (got) => {
      if (!sent.reusedSocket) connections += 1;
      if (got.statusCode !== status) failed(`${got.statusCode} instead of ${status}`);
      got.on('error', (error: NodeJS.ErrnoException) => failed(`answer: ${error.code}`));
      got.on('end', () => {
        answers += 1;
        resolve();
      });
      got.resume();
    });
    sent.on('error', (error: NodeJS.ErrnoException) => failed(`${error.code} ${error.message}`));
    sent.end(text);
  });
}

async function client(kind: string, agent: Agent | false, pauseMs: number): Promise<void> {
  while (!isOver) {
    await send(kind, agent);
    await delay(pauseMs);
  }
}

const keepAlive = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });
const clients = [
  ...Array.from({ length: 4 }, () => client('kept alive', keepAlive(), 5)),
  ...Array.from({ length: 4 }, () => client('new connection', false, 5)),
  // Idle most of the time, as a connection in a pool is.
  client('seldom', keepAlive(), 700),
];
process.stdin.resume().on('end', () => {
  isOver = true;
});
await Promise.all(clients);
const told = JSON.stringify({ answers, connections, failures: failures.slice(0, 20) });
process.stdout.write(told, () => process.exit(0));
