import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { it } from 'node:test';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { until } from '../../support/until.ts';
import { type Received, startReceiver } from '../../telemetry/exporters/receiver.ts';
import { type ApiServer, type Body, startApiOn } from './api-server.ts';

const path = '/api/notifications';
const attack = { 'header.x-forwarded-for': '203.0.113.9', q: "1' UNION SELECT name FROM users --" };
const secret = 'a-secret-of-the-team';

function isSigned({ headers, body }: Received, by: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = headers;
  const made = createHmac('sha256', by).update(`${id}.${at}.${body}`).digest('base64');
  return given === `v1,${made}`;
}

async function add(api: ApiServer, channel: object): Promise<Body> {
  const { status, body } = await api.call(path, { body: channel });
  assert.equal(status, 201, JSON.stringify(body));
  return body.channel;
}

describeOnEachDatabase('notifications over the API', (make) => {
  it('reach a webhook, Slack and Teams, and their history says so', async (t) => {
    const started = await startApiOn(make, t, { publicUrl: 'https://gate.example/' });
    if (started === undefined) return;
    const { api } = started;
    const key = await api.newKey();
    const receiver = await startReceiver(t, () => ({ status: 200, text: 'ok' }));
    const at = (kind: string) => ({ url: `${receiver.url}/${kind}/very-secret` });
    const hook = await add(api, {
      name: 'hook',
      kind: 'webhook',
      target: { ...at('webhook'), secret },
    });
    await add(api, { name: 'chat', kind: 'slack', target: at('slack') });
    await add(api, { name: 'team', kind: 'teams', target: at('teams') });
    await add(api, { name: 'off', kind: 'slack', target: at('paused'), isPaused: true });
    const hears = { categories: ['xss'] };
    await add(api, { name: 'else', kind: 'slack', target: at('else'), hears });
    assert.deepEqual(hook.target, { url: `${receiver.url}/…`, hasSecret: true });

    assert.equal((await api.screen(key.secret, attack)).status, 403);
    await until('three are notified', () => receiver.received.length === 3);
    const got = (kind: string): Received => {
      const found = receiver.received.find((one) => one.path === `/${kind}/very-secret`);
      assert.ok(found, kind);
      return found;
    };
    const posted = got('webhook');
    assert.ok(isSigned(posted, secret));
    const { type, data } = JSON.parse(posted.body);
    assert.equal(type, 'sallyport.notification');
    assert.equal(data.title, 'Sallyport: 1 request blocked (critical)');
    assert.deepEqual(data.top.clients, [{ value: '203.0.113.9', count: 1 }]);
    assert.equal(data.samples.length, 1);
    assert.ok(data.link.startsWith('https://gate.example/dashboard/events?from='));
    assert.match(data.link, /client=203\.0\.113\.9/);
    const chat = JSON.parse(got('slack').body);
    assert.deepEqual(
      chat.blocks.map((block: Body) => block.type),
      ['header', 'rich_text'],
    );
    assert.match(got('teams').body, /"type":"AdaptiveCard"/);

    const messages = `${path}/${hook.id}/messages`;
    await until('the history has it', async () => {
      return (await api.call(messages)).body.messages[0]?.state === 'sent';
    });
    const [entry] = (await api.call(messages)).body.messages;
    assert.deepEqual([entry.kind, entry.events, entry.attempts], ['alert', 1, 1]);
    assert.equal(entry.answer, 'accepted: ok');
    const { body: metrics } = await api.call('/metrics');
    assert.match(metrics, /sallyport_exporter_sent_total\{exporter="notifications"\} [1-3]\n/);
    assert.ok(!JSON.stringify([(await api.call(path)).body, api.log]).includes('very-secret'));
    assert.ok(!JSON.stringify([(await api.call(path)).body, api.log]).includes(secret));
  });

  it('are tested, edited without their secrets, paused and removed', async (t) => {
    const started = await startApiOn(make, t);
    if (started === undefined) return;
    const { api } = started;
    let status = 200;
    const receiver = await startReceiver(t, () => ({ status, text: '<b>no_service</b>' }));
    const base = { name: 'hook', kind: 'webhook' };
    const { id } = await add(api, { ...base, target: { url: `${receiver.url}/one`, secret } });
    const one = `${path}/${id}`;
    const test = async () => (await api.call(`${one}/test`, { method: 'POST' })).body;
    const good = await test();
    assert.deepEqual([good.isDelivered, good.answer], [true, 'accepted: <b>no_service</b>']);
    const [first] = receiver.received;
    assert.ok(first !== undefined && isSigned(first, secret));
    assert.equal(JSON.parse(first.body).data.kind, 'test');
    status = 404;
    const bad = await test();
    assert.deepEqual([bad.isDelivered, bad.answer], [false, 'answered 404: <b>no_service</b>']);

    const put = (body: object) => api.call(one, { method: 'PUT', body });
    const changed = await put({ ...base, name: 'hook 2', target: {}, isPaused: true });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual(changed.body.channel.target, { url: `${receiver.url}/…`, hasSecret: true });
    status = 200;
    await test();
    const last = receiver.received.at(-1);
    assert.ok(last?.path === '/one' && isSigned(last, secret), 'both secrets are those of before');
    await put({ ...base, target: { secret: '' } });
    await test();
    assert.equal(receiver.received.at(-1)?.headers['webhook-signature'], undefined);

    const { messages } = (await api.call(`${one}/messages`)).body;
    assert.deepEqual(
      messages.map((message: Body) => `${message.kind} ${message.state}`),
      ['test sent', 'test sent', 'test failed', 'test sent'],
    );
    assert.equal((await api.call(path, { body: { ...base, target: at9 } })).status, 409);
    assert.equal((await api.call(one, { method: 'DELETE' })).status, 204);
    assert.equal((await api.call(one, { method: 'DELETE' })).status, 404);
    assert.equal((await api.call(`${one}/messages`)).status, 404);
    assert.equal((await api.call(`${one}/test`, { method: 'POST' })).status, 404);
    assert.equal((await put({ ...base, target: at9 })).status, 404);
    const { entries } = (await api.call('/api/audit')).body;
    assert.deepEqual([...new Set(entries.map(({ action }: Body) => action))].slice(0, 4), [
      'notification.remove',
      'notification.test',
      'notification.change',
      'notification.add',
    ]);
  });

  it('say what is wrong with a channel', async (t) => {
    const started = await startApiOn(make, t);
    if (started === undefined) return;
    const { api } = started;
    const wrong = async (channel: object): Promise<string[]> => {
      const { status, body } = await api.call(path, { body: { name: 'x', ...channel } });
      assert.equal(status, 422, JSON.stringify(body));
      return body.errors.map(({ pointer }: Body) => pointer);
    };
    for (const url of [
      '',
      'nowhere',
      'ftp://a.example/',
      'https://user:pass@a.example/',
      'http://hooks.example/x',
      'http://10.0.0.1/x',
      'https://169.254.169.254/latest',
      'https://[fe80::1]/',
      'https://[::ffff:169.254.169.254]/',
      'https://0.0.0.0/',
      'https://2852039166/',
    ]) {
      assert.deepEqual(await wrong({ kind: 'slack', target: { url } }), ['/target/url'], url);
    }
    assert.deepEqual(
      await wrong({
        kind: 'webhook',
        target: { ...at9, secret: 'short', host: 'a' },
        quietHours: { from: '24:00', to: '7:00', timeZone: 'Mars/Base', exceptCritical: true },
        hears: { policies: ['gone'] },
      }),
      [
        '/target/host',
        '/target/secret',
        '/quietHours/from',
        '/quietHours/to',
        '/quietHours/timeZone',
        '/hears/policies/0',
      ],
    );
    const syslog = { kind: 'syslog', target: { url: 'tcp://logs.example' } };
    assert.deepEqual(await wrong(syslog), ['/target/url']);
  });
});

const at9 = { url: 'http://127.0.0.1:9/' };
