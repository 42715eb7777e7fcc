/** Works through a list, each worker with one item at a time; the results in the list's order. */
export async function inTurn<Item, Worker, Result>(
  items: readonly Item[],
  workers: readonly Worker[],
  work: (item: Item, worker: Worker) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const workThrough = async (worker: Worker) => {
    for (const [index, item] of waiting) results[index] = await work(item, worker);
  };
  await Promise.all(workers.map(workThrough));
  return results;
}

/** Workers that need nothing but their number. */
export function numbered(count: number): readonly number[] {
  return [...Array(count).keys()];
}
