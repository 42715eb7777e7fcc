import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineProcess } from '../../bench/redteam/oracle/line-process.ts';

/** Echoes; ends for `die`, never answers `hang`, and counts for `!`, which asks for a new start. */
const echo = `
  let asked = 0;
  process.stdout.write('ready\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    asked += 1;
    const question = JSON.parse(line);
    if (question === 'die') process.exit(1);
    if (question === '!') process.stdout.write('!' + asked + '\\n');
    else if (question !== 'hang') process.stdout.write(question + '\\n');
  });
`;

function echoing(answerMs: number): Promise<LineProcess> {
  return LineProcess.started({ command: process.execPath, args: ['-e', echo], answerMs });
}

test('a program that dies or hangs is started again, and the questions behind are answered', async () => {
  const running = await echoing(2000);
  const questions = ['a', 'die', 'b', 'hang', 'c'];
  const answers = await Promise.all(questions.map((one) => running.ask(one)));
  await running.close();
  assert.deepEqual(answers, ['a', undefined, 'b', undefined, 'c']);
});

test('a program that asks for it is started again, behind its answer', async () => {
  const running = await echoing(2000);
  const answers = await Promise.all(['a', '!', '!', 'b'].map((one) => running.ask(one)));
  await running.close();
  assert.deepEqual(answers, ['a', '2', '1', 'b']);
});

test('a program that does not exist, or ends at once, is no running one', async () => {
  const start = (command: string) => LineProcess.started({ command, args: [] });
  await assert.rejects(start('/nowhere'), /does not start/);
  await assert.rejects(start('true'), /does not start/);
});

test('a closed program leaves no question open', async () => {
  const running = await echoing(60_000);
  const answers = Promise.all([running.ask('hang'), running.ask('a')]);
  await running.close();
  assert.deepEqual(await answers, [undefined, undefined]);
});
