import { connect, type RawAnswer } from '../http/raw-client.ts';
import type { Row } from './requests.ts';

/** Sends one request on a connection of its own. Whatever comes after the answer is a fault. */
export async function exchange(address: string, row: Row): Promise<RawAnswer> {
  const client = await connect(address);
  client.send(row.bytes);
  try {
    const answer = await client.answer({ headOnly: row.method === 'HEAD' });
    if (client.rest !== '') throw new Error(`after the answer came ${client.rest}`);
    return answer;
  } catch (error) {
    throw new Error(`${row.name}: no answer`, { cause: error });
  } finally {
    client.end();
  }
}

const atOnce = 8;

/** Answers in the order of the rows, a few at once. */
export async function exchangeAll(address: string, rows: readonly Row[]): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  let next = 0;
  const work = async () => {
    for (;;) {
      const index = next;
      next += 1;
      const row = rows[index];
      if (row === undefined) return;
      answers[index] = await exchange(address, row);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}
