import { processEnvironment } from '../../config/load.ts';
import { settings } from '../../config/settings.ts';
import type { Command, CommandInput } from '../command.ts';
import type { Check } from '../doctor/check.ts';
import type { Paint } from '../paint.ts';
import { wrapped } from '../table.ts';

const textChars = 72;
const nameChars = 16;

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check this installation and say what to do about each fault. Changes nothing.',
  alsoCalled: ['check', 'diagnose', 'verify', 'test'],
  toleratesBadConfig: true,
  options: [{ name: 'json', help: 'print JSON' }],
  settings: settings.map((setting) => setting.name),
  notes: `Give it the settings of the server, and run it as the user of the server. A key in the
variable SALLYPORT_KEY is verified as well. Exit code 0: nothing fails. 1: something does.`,
  async run(input, terminal) {
    const checks = await allChecks(input);
    if (input.isOn('json')) terminal.out(`${JSON.stringify(checks, null, 2)}\n`);
    else terminal.out(checks.map((check) => linesOf(check, terminal.paint)).join(''));
    return checks.some(({ state }) => state === 'fail') ? 1 : 0;
  },
};

async function allChecks({ config, configProblems }: CommandInput): Promise<readonly Check[]> {
  const { checkClock, checkDataDir, checkDisk, checkNode, checkService } = await import(
    '../doctor/machine-checks.ts'
  );
  const { checkStored } = await import('../doctor/stored-checks.ts');
  const { checkListening, checkTargets, checkTls } = await import('../doctor/network-checks.ts');
  const now = Date.now();
  const key = processEnvironment()['SALLYPORT_KEY'];
  const first = [await checkNode(), checkConfig(configProblems)];
  // Without the settings all other checks would look in wrong places.
  if (configProblems.length > 0) return [...first, await checkService()];
  const stored = await checkStored(config, key === '' ? undefined : key, now);
  return [
    ...first,
    checkDataDir(config),
    ...stored.checks,
    checkDisk(config),
    await checkClock(stored.newest, now),
    checkTls(config, now),
    await checkListening(config),
    await checkService(),
    ...(await checkTargets(config)),
  ];
}

function checkConfig(problems: readonly string[]): Check {
  const name = 'Configuration';
  if (problems.length === 0) return { name, state: 'ok', text: 'is valid' };
  const advice = 'correct it; `sallyport serve --help` has all settings';
  return { name, state: 'fail', text: problems.join('; '), advice };
}

const styles = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

function linesOf({ name, state, text, advice }: Check, paint: Paint): string {
  const [first = '', ...rest] = wrapped(text, textChars);
  const indent = ' '.repeat(nameChars + 6);
  const further = [
    ...rest.map((line) => `${indent}${line}\n`),
    ...(advice === undefined ? [] : wrapped(`→ ${advice}`, textChars)).map(
      (line) => `${indent}${line}\n`,
    ),
  ];
  return `${paint(styles[state], state.padEnd(4))}  ${name.padEnd(nameChars)}${first}\n${further.join('')}`;
}
