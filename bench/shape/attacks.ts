import type { Random } from '../lib/random.ts';
import { grammarFor } from '../redteam/grammar/index.ts';
import { nodeFiles } from '../redteam/oracle/files/node.ts';
import { sqlite } from '../redteam/oracle/sql/sqlite.ts';
import { nodeUrl } from '../redteam/oracle/urls/urls.ts';
import type { ShapedRequest } from './requests.ts';

/** Interpreters that need nothing beside Node: a database, the file system, a client of HTTP. */
const asked = [sqlite, nodeFiles, nodeUrl];

/** Values that work as an attack in code that is vulnerable, as an interpreter says. */
export async function workingAttacks(random: Random, eachContext: number): Promise<string[]> {
  const attacks: string[] = [];
  for (const oracle of asked) {
    const running = await oracle.start();
    const grammar = grammarFor(oracle);
    try {
      for (const context of oracle.contexts) {
        if (context.members.length > 1) continue;
        let wanted = eachContext;
        for (let draws = eachContext * 12; draws > 0 && wanted > 0; draws -= 1) {
          const { values } = grammar.attack(random, oracle, context);
          const [value = ''] = values;
          if ((await running.judge(context, values)) !== 'effective') continue;
          attacks.push(value);
          wanted -= 1;
        }
      }
    } finally {
      await running.close();
    }
  }
  return attacks;
}

/** The same request with an attack in the place of one of its values, for each value in turn. */
export function* withAttack(request: ShapedRequest, attack: string): Generator<ShapedRequest> {
  const { parameters, body } = request;
  for (const [at, one] of parameters.entries()) {
    yield { ...request, parameters: parameters.with(at, { ...one, value: attack }) };
  }
  if (body === undefined) return;
  for (const value of replaced(body.value, attack)) yield { ...request, body: { ...body, value } };
}

/** A value with one of the values in it replaced, for each of them. */
function* replaced(value: unknown, attack: string): Generator<unknown> {
  if (typeof value !== 'object' || value === null) {
    yield attack;
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    for (const one of replaced(inner, attack)) {
      yield Array.isArray(value) ? value.with(Number(name), one) : { ...value, [name]: one };
    }
  }
}
