import { createShop, listenOnLoopback } from './shop.ts';

// Runs the sample shop: `node dist/test/sample/start.js`, protected where SALLYPORT_KEY is set.

const key = process.env['SALLYPORT_KEY'];
const url = process.env['SALLYPORT_URL'] ?? 'http://127.0.0.1:8080';
const port = Number(process.env['PORT'] ?? 3000);

const guard = key === undefined ? {} : { guard: { url, key } };
const [, address] = await listenOnLoopback(createShop(guard), port);
const state = key === undefined ? 'UNPROTECTED' : `protected by ${url}`;
console.log(`A deliberately vulnerable shop, ${state}: ${address}. Stop with Ctrl+C.`);
