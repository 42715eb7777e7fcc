import { limits } from '../contract/limits.ts';
import type { ScanInput, Scanner, ScanOutcome } from '../contract/ports.ts';
import { createEngine, type Engine } from '../core/engine.ts';
import { screenSafely, textOf } from './codec.ts';
import { shapeFault } from './shape.ts';

/** What an inline scanner is made of. */
export interface InlineScannerOptions {
  /** The core; a test may bring its own. */
  readonly engine?: Pick<Engine, 'screen'>;
}

/** Screens on the calling thread: for the library, for tests, and as the baseline of benchmarks. */
export function createInlineScanner(options: InlineScannerOptions = {}): Scanner {
  const engine = options.engine ?? createEngine();
  let isOpen = true;

  async function scan(input: ScanInput): Promise<ScanOutcome> {
    if (!isOpen) return { kind: 'refused', reason: 'draining' };
    if (performance.now() > input.deadline) {
      return { kind: 'refused', reason: 'deadline-too-short' };
    }
    const { buffer, byteOffset, length } = input.body;
    const body = textOf(Buffer.from(buffer, byteOffset, length), 0, length);
    const request = body === undefined ? undefined : { body, context: input.context };
    const screen = (...args: Parameters<Engine['screen']>) => engine.screen(...args);
    const checkShape = length > limits.bodyInlineBytesMax ? shapeFault : undefined;
    return screenSafely(screen, request, input.policy, checkShape);
  }

  return {
    scan,
    refusalOf: () => (isOpen ? undefined : 'draining'),
    isReady: () => isOpen,
    close: async () => {
      isOpen = false;
    },
  };
}
