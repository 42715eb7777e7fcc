import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { httpAnswer } from '../clients/false-sallyport.ts';
import { startApi } from '../http/api/api-server.ts';
import { requireTool } from '../support/require-tool.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { type App, folder, startApp } from './app.ts';
import { attacks, honest } from './requests.ts';
import { type Answer, drip, StandIn } from './stand-in.ts';

interface Language {
  readonly name: string;
  readonly tools: readonly string[];
  /** Makes what runs, in a folder of its own. */
  readonly build?: (into: string) => readonly [program: string, ...args: string[]];
  readonly command: (port: number, built: string) => readonly [program: string, ...args: string[]];
  /** False where nothing is kept between two requests, connections neither. */
  readonly keepsConnections: boolean;
  /** Names of attacks that this server keeps from everybody, the application included. */
  readonly notRead?: readonly string[];
}

const languages: readonly Language[] = [
  {
    name: 'Python',
    tools: ['python3'],
    command: () => ['python3', 'python/sallyport.py'],
    keepsConnections: true,
    // wsgiref speaks HTTP/1.0.
    notRead: ['in a chunked body'],
  },
  {
    name: 'Go',
    tools: ['go'],
    build: (into) => ['go', 'build', '-o', `${into}/app`, 'go/sallyport.go'],
    command: (_port, built) => [`${built}/app`],
    keepsConnections: true,
  },
  {
    name: 'Java',
    tools: ['java', 'javac'],
    build: (into) => ['javac', '-d', into, 'java/Sallyport.java'],
    command: (_port, built) => ['java', '-cp', built, 'Sallyport'],
    keepsConnections: true,
  },
  {
    name: 'PHP',
    tools: ['php'],
    command: (port) => [
      ...(['php', '-d', `auto_prepend_file=${folder}php/sallyport.php`] as const),
      ...['-S', `127.0.0.1:${port}`, '-t', 'php'],
    ],
    keepsConnections: false,
  },
  {
    name: 'Ruby',
    tools: ['ruby', 'puma'],
    command: (port) => ['puma', '--bind', `tcp://127.0.0.1:${port}`, 'ruby/config.ru'],
    keepsConnections: true,
  },
];

for (const language of languages) {
  test(`the example in ${language.name}`, async (t) => {
    if (!language.tools.every((tool) => requireTool(t, tool))) return;
    const built = tempDir();
    const build = language.build?.(built);
    if (build !== undefined) run(build, built);
    const command = (port: number) => language.command(port, built);

    const api = await startApi(t);
    await api.setUp();
    const { secret } = await api.newKey();
    await until('the key is known', async () => (await api.screen(secret, {})).status === 200);
    const standIn = await StandIn.on(t);
    // Machines that run tests can be slow; what has to be too late is late on any.
    const patiently = { SALLYPORT_KEY: secret, SALLYPORT_TIMEOUT_MS: '30000' };
    const strictly = { SALLYPORT_KEY: secret, SALLYPORT_ON_OUTAGE: 'block' };
    const [app, open, strict] = await Promise.all([
      startApp(t, command, { ...patiently, SALLYPORT_URL: api.origin }),
      startApp(t, command, { SALLYPORT_KEY: secret, SALLYPORT_URL: standIn.origin }),
      startApp(t, command, { ...strictly, SALLYPORT_URL: standIn.origin }),
    ]);

    await t.test('lets honest requests through, their bodies untouched', () => letsThrough(app));
    await t.test('refuses attacks, and the log says why', () => refuses(app, language));
    await t.test('works on while Sallyport is stopped', async () => {
      await api.running.stop();
      await worksOn(app);
    });
    for (const [name, answer] of Object.entries(outages)) {
      await t.test(`does as it was told in an outage: ${name}`, async () => {
        standIn.answer = answer;
        await worksOn(open);
        assert.equal((await strict.send({})).status, 503, strict.log());
      });
    }
    await t.test('is back as soon as Sallyport is, and keeps its connection', async () => {
      standIn.answer = allows;
      const before = standIn.connections;
      let refused = 0;
      for (let allowed = 0; allowed < 10; ) {
        const { status } = await strict.send({});
        if (status === 200) allowed += 1;
        else refused += 1;
        assert.ok(refused < 100, strict.log());
      }
      const made = standIn.connections - before - refused;
      assert.equal(made <= 2, language.keepsConnections, `${made} connections for 10 requests`);
    });
    await t.test('speaks of what is too large to be looked at', () => knowsItsBounds(open, strict));
  });
}

const allow = '{"id":"0190","decision":"allow","score":0,"findings":[]}';
const block = allow.replace('allow', 'block');
const allows: Answer = (socket) => void socket.write(httpAnswer(200, allow));

function ending(text: string): Answer {
  return (socket) => void socket.end(text);
}

/** What is no answer of a Sallyport, or comes too late. */
const outages: Readonly<Record<string, Answer>> = {
  'no answer': () => undefined,
  'an answer in drops': (socket) => void drip(socket, httpAnswer(200, allow)),
  'a connection that ends': ending(''),
  'a web page': ending(httpAnswer(200, '<h1>Welcome</h1>', 'text/html')),
  '200 for a block': ending(httpAnswer(200, block)),
  '403 for an allow': ending(httpAnswer(403, allow)),
  'an id that is none': ending(httpAnswer(403, block.replace('0190', '<b>'))),
  'a defect': ending(httpAnswer(500, '{"detail":"defect"}')),
  'a redirect': ending('HTTP/1.1 302 Found\r\nlocation: /else\r\ncontent-length: 0\r\n\r\n'),
};

function run([program, ...args]: readonly [string, ...string[]], cache: string): void {
  const env = { ...process.env, GO111MODULE: 'off', GOCACHE: `${cache}/cache`, CGO_ENABLED: '0' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env });
  assert.equal(status, 0, `${program}: ${stdout}${stderr}`);
}

async function letsThrough(app: App): Promise<void> {
  for (const { name, request } of honest) {
    const { status, text } = await app.send(request);
    assert.equal(status, 200, `${name}: ${text}${app.log()}`);
    const isMultipart = String(request.headers?.['content-type']).startsWith('multipart/');
    if (isMultipart) continue;
    assert.equal(text, String(request.body ?? 'hello\n'), name);
  }
  assert.doesNotMatch(app.log(), /not screened/);
}

async function refuses(app: App, { notRead = [] }: Language): Promise<void> {
  for (const { name, request, place } of attacks) {
    const { status, text } = await app.send(request);
    if (notRead.includes(name)) {
      assert.equal(text, 'hello\n', name);
      continue;
    }
    assert.equal(status, 403, `${name}: ${text}${app.log()}`);
    assert.doesNotMatch(text, /sql|injection|body/i, 'whoever attacks learns nothing');
    const id = /Id: ([A-Za-z0-9-]+)/.exec(text)?.[1] ?? 'no id';
    await until(`the log tells of ${id}, ${name}`, () => app.log().includes(id));
    const line =
      app
        .log()
        .split('\n')
        .find((one) => one.includes(id)) ?? '';
    assert.ok(line.includes(` ${place}`), `${name}: ${line}`);
  }
  assert.doesNotMatch(app.log(), /not screened/);
}

async function knowsItsBounds(open: App, strict: App): Promise<void> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'all work and no play '.repeat(60_000),
  };
  const through = await open.send(request);
  assert.equal(through.status, 200);
  assert.ok(through.text === request.body, `${through.text.length} characters came through`);
  await until('the log tells of it', async () => {
    await open.send(request);
    return /not screened: .*too large/.test(open.log());
  });
  assert.equal((await strict.send(request)).status, 503);
}

/** Requests reach the application, and the log says that nobody has looked at them. */
async function worksOn(app: App): Promise<void> {
  const said = app.log().length;
  const through = await app.send({ method: 'POST', body: 'hello again' });
  assert.equal(through.status, 200, app.log());
  assert.equal(through.text, 'hello again');
  await until('the log tells of it', () => app.log().slice(said).includes('not screened: '));
}
