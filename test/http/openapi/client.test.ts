import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { tempDir } from '../../support/temp-dir.ts';
import { until } from '../../support/until.ts';
import { type ApiServer, type Body, startApi } from '../api/api-server.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

/** Runs a program of node_modules. */
function run(program: string, args: readonly string[], cwd: string): { code: number; out: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', program), ...args],
    { cwd, encoding: 'utf8' },
  );
  return { code: status ?? -1, out: `${stdout}${stderr}` };
}

/** A folder with a client that was generated from the document of a server. */
async function generate(api: ApiServer): Promise<string> {
  const folder = tempDir();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const { body } = await api.call('/openapi.json');
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(body));
  const made = run('oazapfts/dist/cli.js', ['--allSchemas', 'openapi.json', 'client.ts'], folder);
  assert.equal(made.code, 0, made.out);
  return folder;
}

/** Not ours to say how a generator writes. */
const lenient = { exactOptionalPropertyTypes: false, verbatimModuleSyntax: false };

/** What the compiler says of the files of a folder, with the flags of this project. */
function check(folder: string, files: readonly string[], flags: object = {}) {
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: true, rootDir: '/', allowJs: true, checkJs: true, ...flags },
    files,
    include: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  return run('typescript/bin/tsc', ['-p', folder], folder);
}

it('a client that is generated from the document works, its types included', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { body } = await api.call('/api/keys', { body: { name: 'ops', kind: 'admin' } });
  const folder = await generate(api);
  copyFileSync(join(here, 'use-client.js'), join(folder, 'use-client.js'));
  const checked = check(folder, ['client.ts', 'use-client.js'], lenient);
  assert.equal(checked.code, 0, checked.out);

  const { walk, blocksOf }: Body = await import(pathToFileURL(join(folder, 'use-client.js')).href);
  const { blockId, ...seen } = await walk(api.origin, body.secret);
  assert.deepEqual(seen, {
    rest: 'allow',
    category: 'sqli',
    refusal: 'API key is not valid',
    state: 'revoked',
  });
  await until('the block is stored', async () => {
    const blocks: readonly Body[] = await blocksOf(body.secret);
    return blocks.some(({ id, keyName }) => id === blockId && keyName === 'generated');
  });
});

/** Types of the page, each with the type that the document has for the same. */
const pairs: Readonly<Record<string, string>> = {
  SessionState: 'Answer<typeof api.getSession, 200>',
  Overview: 'api.Overview',
  Stats: 'Answer<typeof api.getStats, 200>',
  LiveSecond: 'api.LiveSnapshot',
  Key: 'api.Key',
  KeyWithSecret: 'Answer<typeof api.postKeys, 201>',
  PolicySummary: 'api.PolicyRow',
  PolicyDetail: 'api.Policy',
  Candidate: 'api.Candidate',
  CandidateReport: 'api.CandidateReport',
  PolicyVersion: 'api.PolicyVersionRow',
  ExclusionPreview: 'Answer<typeof api.postExclusionsPreview, 200>',
  EventAnswer: 'Answer<typeof api.getEventsId, 200>',
  Replay: 'Answer<typeof api.postEventsIdReplay, 200>',
};

it('what the page takes for an answer is what the document promises', async (t) => {
  const api = await startApi(t);
  const folder = await generate(api);
  const compare = [
    "import type * as api from './client.ts';",
    `import type * as page from '${join(root, 'src/dashboard/web/api/types.ts')}';`,
    'type Answer<F extends (...args: never[]) => Promise<unknown>, S> =',
    '  Extract<Awaited<ReturnType<F>>, { status: S }> extends { data: infer D } ? D : never;',
    ...Object.entries(pairs).map(
      ([name, type]) => `export const of${name} = (it: ${type}): page.${name} => it;`,
    ),
  ];
  writeFileSync(join(folder, 'compare.ts'), compare.join('\n'));
  const checked = check(folder, ['compare.ts'], { ...lenient, allowImportingTsExtensions: true });
  assert.equal(checked.code, 0, checked.out);
});
