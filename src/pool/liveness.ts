import { defaultPolicy } from '../contract/policy.ts';
import { noContext } from '../contract/request.ts';
import type { PooledScanner } from './pooled-scanner.ts';

const probe = Buffer.from('{"probe":"alive"}');

/**
 * Gives a question: do threads give verdicts? It goes through the queue, as requests do, and is
 * answered late or never by a pool that is stuck. A pool that is too full to be asked is alive when
 * it has finished more batches since the last time than can have begun and failed.
 */
export function createLiveness(
  scanner: Pick<PooledScanner, 'scan' | 'stats'>,
): () => Promise<boolean> {
  let finishedBefore = 0;
  return async () => {
    const { batches, batchesFailed, threads } = scanner.stats();
    const finished = batches - batchesFailed;
    const isBusy = finished - finishedBefore > threads;
    finishedBefore = finished;
    const outcome = await scanner.scan({
      body: probe,
      context: noContext,
      policy: defaultPolicy,
      deadline: Number.POSITIVE_INFINITY,
    });
    if (outcome.kind !== 'refused') return outcome.kind === 'verdict';
    return outcome.reason === 'overloaded' && isBusy;
  };
}
