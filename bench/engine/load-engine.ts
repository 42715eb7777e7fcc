import { pathToFileURL } from 'node:url';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Engine } from '../../src/core/engine.ts';
import type { NamedBody } from '../lib/inputs.ts';
import type { Target } from '../lib/plan.ts';

/** The engine of a tree: the suite of one commit can measure the code of another. */
export async function loadEngine({ root, ending }: Target): Promise<Engine> {
  const file = pathToFileURL(`${root}/src/core/engine${ending}`);
  const module = (await import(file.href)) as { createEngine(): Engine };
  return module.createEngine();
}

/** Screens a request and insists on the decision that its body must have. */
export function screenChecked(engine: Engine, body: string, { name, expect }: NamedBody): void {
  const result = engine.screen({ body, context: noContext }, defaultPolicy);
  if (result.kind === 'rejected') throw new Error(`${name} is refused: ${result.fault}`);
  const { decision, findings } = result.verdict;
  if (decision !== expect) {
    const rules = findings.map(({ rule }) => rule).join(' ');
    throw new Error(`${name} must be ${expect}ed and is not: ${rules} ${body.slice(0, 200)}`);
  }
}
