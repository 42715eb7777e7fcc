import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSyslog } from '../../../src/telemetry/exporters/syslog.ts';
import { freePort } from '../../support/ports.ts';
import { findTool, requireTool } from '../../support/require-tool.ts';
import { memoryLog } from '../../support/scan-input.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { until } from '../../support/until.ts';
import { storedEvent } from './event.ts';

const line = [
  '%syslogfacility-text% %syslogseverity-text% %timestamp:::date-rfc3339%',
  '%app-name% %msgid% %$!rfc5424-sd%%msg%',
].join(' ');

/** Debian puts it where the PATH of a user does not lead. */
const systemTools = '/usr/sbin:/sbin';

test('a real rsyslog reads the structured data, over TCP and UDP', async (t) => {
  process.env['PATH'] += `:${systemTools}`;
  if (!requireTool(t, 'rsyslogd')) return;
  const folder = tempDir();
  const port = await freePort();
  const output = join(folder, 'out');
  const config = join(folder, 'rsyslog.conf');
  writeFileSync(
    config,
    `global(workDirectory="${folder}")
module(load="imtcp") module(load="imudp") module(load="mmpstrucdata")
input(type="imtcp" address="127.0.0.1" port="${port}")
input(type="imudp" address="127.0.0.1" port="${port}")
template(name="line" type="string" string="${line}\\n")
action(type="mmpstrucdata")
action(type="omfile" file="${output}" template="line")
`,
  );
  const daemon = spawn(
    findTool('rsyslogd') ?? '',
    ['-n', '-f', config, '-i', join(folder, 'pid')],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const ended = once(daemon, 'exit');
  t.after(async () => {
    daemon.kill('SIGKILL');
    await ended;
  });
  const log = memoryLog();
  const event = storedEvent({ pointer: '/a"b]c\\d', keyName: 'Läden' });
  for (const kind of ['tcp', 'udp']) {
    const url = `${kind}://127.0.0.1:${port}?facility=local3`;
    const syslog = createSyslog({ url, log, retryMs: { first: 50, last: 200 } });
    syslog.add({ ...event, id: kind });
    const isThere = () => existsSync(output) && readFileSync(output, 'utf8').includes(`"${kind}"`);
    await until(`${kind} arrives`, isThere);
    await syslog.close();
  }
  for (const line of readFileSync(output, 'utf8').trimEnd().split('\n')) {
    const [, head, data, text] = /^(.*?) (\{.*\}) ?(.*)$/.exec(line) ?? [];
    assert.equal(head, 'local3 warning 2030-01-02T03:04:05.678Z sallyport block');
    const params = JSON.parse(data ?? '')['sallyport@32473'];
    assert.equal(params.pointer, '/a"b]c\\d');
    assert.equal(params.rule, 'sqli.tautology');
    assert.equal(params.keyname ?? params.keyName, 'Läden');
    assert.match(text ?? '', /^blocked: SQL injection in \/a"b\]c\\d$/);
  }
});
