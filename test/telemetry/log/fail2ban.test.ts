import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGuide } from '../../guides/code-blocks.ts';
import { runCli } from '../../support/cli.ts';
import { startServing } from '../../support/serve.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { until } from '../../support/until.ts';

/** The expressions of the guide, with fail2ban's tag for an address written out. */
function failRegexes(): RegExp[] {
  const [, filter = ''] =
    /```ini\n(\[Definition\][\s\S]*?)```/.exec(readGuide('src/telemetry/README.md')) ?? [];
  const [, values = ''] = /failregex = ([\s\S]*)/.exec(filter) ?? [];
  const lines = values.trim().split(/\n\s+/);
  assert.equal(lines.length, 2, filter);
  return lines.map((line) => new RegExp(line.replace('<ADDR>', '(?<ip>[\\da-fA-F:.]+)')));
}

test('the filter for fail2ban finds the client in real lines, and nobody else', async (t) => {
  const cwd = tempDir();
  const served = await startServing(t, cwd, ['serve', '--trusted-proxies', '10.0.0.0/8']);
  const made = await runCli(['keys', 'create', '--name', 'shop', '--data-dir', 'd'], { cwd });
  const ask = async (body: object, headers: Record<string, string> = {}): Promise<void> => {
    const answer = await fetch(`${served.address}/control`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': made.out.trimEnd(),
        connection: 'close',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 403, await answer.text());
  };
  const attack = "' OR 1=1 --";
  const pretence =
    '"action":"block","source":{"ip":"198.51.100.1"},"message":"a sign-in was refused"';
  // As an application tells of its client: the last address is the one that reached it.
  await ask({ q: attack }, { 'x-forwarded-for': '198.51.100.1, 203.0.113.7, 10.1.2.3' });
  // As the middleware tells of it.
  await ask({
    method: 'POST',
    path: `/shop/${pretence}?token=hush`,
    'header.host': 'Shop.test:8443',
    'header.x-forwarded-for': '2001:db8::7',
    'query.q': attack,
  });
  await ask({ q: attack });
  const signIn = await fetch(`${served.address}/api/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: served.address,
      connection: 'close',
    },
    body: JSON.stringify({ name: `eve\u001b[2J${pretence}`, password: 'x'.repeat(12) }),
  });
  assert.equal(signIn.status, 401);
  const lines = () =>
    served
      .out()
      .split('\n')
      .filter((line) => /"message":"(?:blocked|a sign-in)/.test(line));
  await until('all lines are written', () => lines().length === 4);

  const patterns = failRegexes();
  const found = lines().map((line) =>
    patterns.flatMap((pattern) => pattern.exec(line)?.groups?.['ip'] ?? []),
  );
  const v6 = '2001:db8::7';
  assert.deepEqual(found, [['203.0.113.7'], [v6], [], ['127.0.0.1']]);

  const [, told, bare, refused] = lines().map((line) => JSON.parse(line));
  assert.deepEqual(told.source, { ip: v6 });
  assert.equal(told.http.request.method, 'POST');
  assert.equal(told.url.domain, 'shop.test');
  assert.match(told.url.path, /^\/shop\/"action":"block"/);
  assert.ok(!served.out().includes('hush'), 'the query is not logged');
  assert.deepEqual([bare.source, bare.url], [undefined, undefined]);
  assert.match(refused.user.name, /^eve\\u\{1b\}\[2J/);
  assert.ok(refused.user.name.length < 80);
});
