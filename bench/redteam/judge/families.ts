import type { Attack, Context } from '../contract.ts';

/** Attacks that work and pass for the same reason. */
export interface Family {
  /** The production of the grammar, or the rewriting behind the rule that had found the attack. */
  readonly name: string;
  readonly depth: number;
  count: number;
  /** The shortest. */
  example: {
    readonly context: string;
    readonly names: readonly string[];
    values: readonly string[];
  };
}

/** Passing attacks by family, each with its shortest example. */
export class Families {
  readonly #byName = new Map<string, Family>();

  add(name: string, depth: number, context: Context, attack: Attack): void {
    const { names = context.members, values } = attack;
    const example = { context: context.name, names, values };
    const known = this.#byName.get(name);
    if (known === undefined) {
      this.#byName.set(name, { name, depth, count: 1, example });
      return;
    }
    known.count += 1;
    if (lengthOf(values) < lengthOf(known.example.values)) known.example = example;
  }

  /** The heaviest first. */
  all(): readonly Family[] {
    return [...this.#byName.values()].sort((one, other) => other.count - one.count);
  }
}

const lengthOf = (values: readonly string[]): number => values.join('').length;
