import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { pepperPath } from '../../access/pepper.ts';
import type { Config } from '../../config/settings.ts';
import { places } from '../../deploy/places.ts';
import { databasePath } from '../../storage/database.ts';
import { nodeVersionAdvice } from '../node-version.ts';
import { type Check, codeOf, fail, ok, reasonOf, warn } from './check.ts';

const run = promisify(execFile);
const commandMsMax = 5_000;
const mebibyte = 1_048_576;
/** Less than this, and the write-ahead log has no room. */
const freeBytesMin = 64 * mebibyte;

/** Node.js, and the native part that is made for one version of it. */
export async function checkNode(): Promise<Check> {
  const name = 'Node.js';
  const advice = nodeVersionAdvice(process.version);
  if (advice !== undefined) return fail(name, { text: process.version, advice });
  try {
    const { loadUws } = await import('../../http/uws.ts');
    loadUws();
  } catch (error) {
    return fail(name, { text: `${process.version}. ${reasonOf(error)}` });
  }
  return ok(name, `${process.version}, ${process.platform} ${process.arch}`);
}

/** The folder of the data: who may read and write it. */
export function checkDataDir({ dataDir, databaseUrl }: Config): Check {
  const name = 'Data directory';
  try {
    const { mode } = statSync(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const files = [databasePath(dataDir), pepperPath(dataDir)].filter((path) => existsSync(path));
    const open = [dataDir, ...files].filter((path) => (statSync(path).mode & 0o077) !== 0);
    if (open.length === 0) return ok(name, `${dataDir}, mode ${(mode & 0o777).toString(8)}`);
    const text = `other accounts of this machine may open ${open.join(', ')}`;
    return warn(name, { text, advice: `run \`chmod go= ${open.join(' ')}\`` });
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT') {
      const advice = 'run this as the user of the server, or name another one with --data-dir';
      return fail(name, { text: `${dataDir} cannot be used (${code})`, advice });
    }
    if (databaseUrl !== undefined) return ok(name, `${dataDir} is not there and not needed yet`);
    const advice = 'name that of the server with --data-dir; the first start makes one';
    return warn(name, { text: `${dataDir} is not there`, advice });
  }
}

/** Room on the disk of the data, against what events may take. */
export function checkDisk({ dataDir, eventsMaxMb, databaseUrl }: Config): Check {
  const name = 'Disk';
  try {
    const { bavail, bsize } = statfsSync(existsSync(dataDir) ? dataDir : '.');
    const free = bavail * bsize;
    const text = `${Math.floor(free / mebibyte)} MiB are free`;
    if (free < freeBytesMin) {
      return fail(name, { text, advice: 'free some space: events are lost on a full disk' });
    }
    const wanted = databaseUrl === undefined ? eventsMaxMb * mebibyte : 0;
    if (free < wanted) {
      const advice = `free some space, or lower --events-max-mb (${eventsMaxMb})`;
      return warn(name, { text: `${text}, less than stored events may take`, advice });
    }
    return ok(name, text);
  } catch (error) {
    const advice = 'check the file system of the data directory';
    return warn(name, { text: `cannot be measured (${codeOf(error)})`, advice });
  }
}

/** Whether the clock is kept right. Expiry of keys and order of events hang on it. */
export async function checkClock(newestStored: number | undefined, now: number): Promise<Check> {
  const name = 'Clock';
  const text = new Date(now).toISOString();
  if (newestStored !== undefined && newestStored > now + 60_000) {
    const later = new Date(newestStored).toISOString();
    const advice = 'set the clock (NTP): keys expire and events are sorted by it';
    return fail(name, { text: `${text} is before the newest stored record, ${later}`, advice });
  }
  const { stdout } = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    timeout: commandMsMax,
  }).catch(() => ({ stdout: '' }));
  if (stdout.trim() === 'no') {
    const advice = 'switch it on: `timedatectl set-ntp true`, where the host does not do it';
    return warn(name, { text: `${text}, not synchronised by NTP`, advice });
  }
  return ok(name, stdout.trim() === 'yes' ? `${text}, synchronised` : text);
}

/** The units of an installed service. */
export async function checkService(): Promise<Check> {
  const name = 'systemd';
  if (!existsSync('/run/systemd/system')) return ok(name, 'does not run on this machine');
  if (!existsSync(places.service)) return ok(name, 'Sallyport is not installed as a service');
  const journal = "see `journalctl --unit 'sallyport@*'`, then `sudo sallyport service install`";
  try {
    const { stdout } = await run(
      'systemctl',
      ['list-units', '--all', '--plain', '--no-legend', 'sallyport@*.service'],
      { timeout: commandMsMax },
    );
    const units = stdout.split('\n').flatMap((line) => {
      const [unit = '', , active = ''] = line.trim().split(/\s+/);
      return unit === '' ? [] : [{ unit, active }];
    });
    const down = units.filter(({ active }) => active !== 'active');
    if (units.length === 0) return fail(name, { text: 'no unit is started', advice: journal });
    if (down.length === 0) return ok(name, `${units.map(({ unit }) => unit).join(', ')} active`);
    const text = down.map(({ unit, active }) => `${unit} is ${active}`).join(', ');
    return fail(name, { text, advice: journal });
  } catch (error) {
    return warn(name, { text: `systemctl: ${reasonOf(error)}`, advice: journal });
  }
}
