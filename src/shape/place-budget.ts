/** How much all tables of a shape hold together, each name with what is known of it: some MB. */
const placesMax = 20_000;

/** The tables of one shape whose keys are made of names, and what they hold together. */
export class PlaceBudget {
  /** Goes up when the tables begin anew. */
  generation = 0;
  #count = 0;
  readonly #tables: Map<string, unknown>[] = [];

  table<Value>(): Map<string, Value> {
    const made = new Map<string, Value>();
    this.#tables.push(made);
    return made;
  }

  /** Counts one more entry of a table. */
  spend(): void {
    this.#count += 1;
  }

  /** Names are the client's: with too many of them all tables begin anew. */
  renew(): void {
    if (this.#count < placesMax) return;
    for (const table of this.#tables) table.clear();
    this.#count = 0;
    this.generation += 1;
  }
}
