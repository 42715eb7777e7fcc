import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { missingTools } from '../../bench/lib/installed.ts';
import { Random } from '../../bench/lib/random.ts';
import type {
  Attack,
  Context,
  Grammar,
  Oracle,
  Rewriter,
  RunningOracle,
} from '../../bench/redteam/contract.ts';
import { rewriters as allRewriters } from '../../bench/redteam/rewrite/index.ts';
import { requireInstalled } from '../support/require-tool.ts';

/** Exploits that everyone knows, by the name of a context: each works, and each context has one. */
export type Exploits = Readonly<Record<string, readonly Exploit[]>>;

/** The values, with names where these are part of the attack. */
type Exploit = readonly string[] | { readonly values: readonly string[]; readonly names: string[] };

/** An oracle calls known exploits effective in each context, and nothing that is benign. */
export function testOracle(oracle: Oracle, exploits: Exploits): void {
  test(`${oracle.name}: known exploits work, benign texts do nothing`, async (t) => {
    if (!requireInstalled(t, oracle.tools.join(', '), missingTools(oracle).length === 0)) return;
    const benign = textsOf(oracle);
    await withOracle(oracle, async (running) => {
      for (const context of oracle.contexts) {
        const where = `${oracle.name}, ${context.name}`;
        assert.equal(await running.judge(context, context.benign), 'inert', `${where}: benign`);
        const known = exploits[context.name] ?? [];
        assert.ok(known.length > 0, `${where}: no exploit to show that it can be attacked`);
        for (const exploit of known) {
          const { values, names } =
            'names' in exploit ? exploit : { values: exploit, names: undefined };
          const effect = await running.judge(context, values, names);
          assert.equal(effect, 'effective', `${where}: ${names ?? ''} ${values}`);
        }
        const judged = (benign.get(context) ?? []).map(async (text) => {
          const values = context.members.map(() => text);
          assert.notEqual(await running.judge(context, values), 'effective', `${where}: ${text}`);
        });
        await Promise.all(judged);
        // What was tried before changes nothing.
        assert.equal(await running.judge(context, context.benign), 'inert', `${where}: after`);
      }
    });
  });
}

/** Each rewriter gives at least one other value that still works, and the grammar works everywhere. */
export function testRewriters(
  oracle: Oracle,
  grammar: Grammar,
  rewriters: readonly Rewriter[],
): void {
  test(`${oracle.name}: the grammar attacks each context, each rewriter keeps a meaning`, async (t) => {
    if (!requireInstalled(t, oracle.tools.join(', '), missingTools(oracle).length === 0)) return;
    await withOracle(oracle, async (running) => {
      const random = new Random(1);
      const attacks: { context: Context; attack: Attack }[] = [];
      for (const context of oracle.contexts) {
        const working = await workingAttacks(running, oracle, grammar, context, random);
        assert.ok(working.length > 0, `${oracle.name}, ${context.name}: no attack works`);
        attacks.push(...working.map((attack) => ({ context, attack })));
      }
      for (const rewriter of rewriters) {
        assert.ok(allRewriters.includes(rewriter), `${rewriter.name}: add it to rewrite/index.ts`);
        const kept = await findKept(running, rewriter, random.shuffled(attacks), random);
        assert.ok(kept, neverKept(oracle, rewriter, attacks.length));
      }
    });
  });
}

function neverKept({ name }: Oracle, rewriter: Rewriter, attacks: number): string {
  return (
    `${name}: ${rewriter.name} never gives another value that works, of ${attacks} attacks: ` +
    'let its pattern match what the grammar writes, keep the meaning, or name its dialects'
  );
}

const textsEachAtLeast = 20;

/** All benign texts, spread over the contexts: all in each of many contexts take minutes. */
function textsOf({ contexts }: Oracle): ReadonlyMap<Context, readonly string[]> {
  const texts = benignTexts();
  const each = Math.max(textsEachAtLeast, Math.ceil(texts.length / contexts.length));
  const round = [...texts, ...texts];
  return new Map(
    contexts.map((context, at) => {
      const from = (at * each) % texts.length;
      return [context, round.slice(from, from + each)];
    }),
  );
}

/** 200 benign texts: sentences full of the words and marks that attacks need, and pieces of them. */
export function benignTexts(): readonly string[] {
  const files = ['prose.txt', 'plain.txt'].map((name) =>
    readFileSync(new URL(`../../bench/data/${name}`, import.meta.url), 'utf8'),
  );
  const sentences = files.flatMap((text) => text.trim().split(/(?<=[.!?])\s+/));
  const pieces = sentences.flatMap((one) => one.match(/(?:\S+\s+){2}\S+/g) ?? []);
  const texts = [...new Set([...sentences, ...pieces])].slice(0, 200);
  assert.equal(texts.length, 200);
  return texts;
}

const triesEach = 40;
const atOnce = 8;

async function workingAttacks(
  running: RunningOracle,
  oracle: Oracle,
  grammar: Grammar,
  context: Context,
  random: Random,
): Promise<Attack[]> {
  const working: Attack[] = [];
  // Each kind of attack is to be among them, in whichever context.
  const enough = Math.max(atOnce, Math.ceil(100 / oracle.contexts.length));
  for (let tries = 0; tries < triesEach && working.length < enough; tries += atOnce) {
    const attacks = random.times(atOnce, () => grammar.attack(random, oracle, context));
    const effects = await Promise.all(
      attacks.map(({ values, names }) => running.judge(context, values, names)),
    );
    working.push(...attacks.filter((_, at) => effects[at] === 'effective'));
  }
  return working;
}

async function findKept(
  running: RunningOracle,
  rewriter: Rewriter,
  attacks: readonly { readonly context: Context; readonly attack: Attack }[],
  random: Random,
): Promise<boolean> {
  for (const { context, attack } of attacks) {
    const values: string[] = [];
    for (const value of attack.values)
      values.push((await rewriter.rewrite(value, random)) ?? value);
    if (values.join('\0') === attack.values.join('\0')) continue;
    if ((await running.judge(context, values, attack.names)) === 'effective') return true;
  }
  return false;
}

async function withOracle(
  oracle: Oracle,
  use: (running: RunningOracle) => Promise<void>,
): Promise<void> {
  const running = await oracle.start();
  try {
    await use(running);
  } finally {
    await running.close();
  }
}
