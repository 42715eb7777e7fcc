import { parentPort } from 'node:worker_threads';
import { defaultPolicy } from '../src/contract/policy.ts';
import { noContext } from '../src/contract/request.ts';
import { createEngine } from '../src/core/engine.ts';

// Screens in the process of an application while its Sallyport does not answer: one text at a time,
// by the default policy. It knows nothing of HTTP, keys or the pool.

const engine = createEngine();

/** As the requests that will come: what they need of the engine is compiled once they do. */
const warmUp = `{"method":"POST","path":"/","body.q":"O'Brien <b>&amp; select%20a seat</b> (1=1)"}`;

/** The verdict; null where there is none. */
function verdictOn(text: unknown) {
  const outcome = engine.screen({ body: String(text), context: noContext }, defaultPolicy);
  return outcome.kind === 'verdict' ? outcome.verdict : null;
}

verdictOn(warmUp);
parentPort?.on('message', (text: unknown) => parentPort?.postMessage(verdictOn(text)));
parentPort?.postMessage('ready');
