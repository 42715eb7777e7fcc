import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

// An application in a process of its own: `app <module of the middleware> [<url> <key>]`. It is
// bare without the latter. It prints its address, and at each line of input its CPU time, in µs.

const [module = '', url, key] = process.argv.slice(2);

const listener: RequestListener = (req, res) => {
  let bytes = 0;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  req.on('end', () => res.end(String(bytes)));
};

const { sallyport } = (await import(module)) as typeof import('../../src/clients/node-http.ts');
const guarded = url === undefined ? listener : sallyport({ url, key, timeoutMs: 5_000 }, listener);
const server = createServer(guarded).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.stdin.on('data', () => {
  const { user, system } = process.cpuUsage();
  console.log(user + system);
});
process.stdin.on('end', () => process.exit());
