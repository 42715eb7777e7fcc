import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineProcess } from '../../bench/redteam/oracle/line-process.ts';

/** Echoes; ends for `die`, and never answers `hang`. */
const echo = `
  process.stdout.write('ready\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'die') process.exit(1);
    if (line !== 'hang') process.stdout.write(line + '\\n');
  });
`;

function echoing(answerMs: number): LineProcess {
  const args = ['-e', echo];
  return new LineProcess({ command: process.execPath, args, cwd: '/', answerMs });
}

test('a program that dies or hangs is started again, and the questions behind are answered', async () => {
  const running = echoing(2000);
  const answers = await Promise.all(
    ['a', 'die', 'b', 'hang', 'c'].map((line) => running.ask(line)),
  );
  running.close();
  assert.deepEqual(answers, ['a', undefined, 'b', undefined, 'c']);
});

test('a program that does not exist answers no question, and keeps none waiting', async () => {
  const running = new LineProcess({ command: '/nowhere', args: [], cwd: '/', answerMs: 1000 });
  const answers = await Promise.all([running.ask('a'), running.ask('b')]);
  running.close();
  assert.deepEqual(answers, [undefined, undefined]);
});

test('a closed program leaves no question open', async () => {
  const running = echoing(60_000);
  const answers = Promise.all([running.ask('hang'), running.ask('a')]);
  running.close();
  assert.deepEqual(await answers, [undefined, undefined]);
});
