import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { functionsOf, importsOf, type SourceFile, sourceFile } from './support/source-text.ts';
import { complaintsOn } from './support/tidy-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sourceFolders = ['src', 'workers', 'test', 'bench'];

/** design.md, section 4: the top level is closed. Files that begin with a dot are free. */
const topLevel = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'LICENSE',
  'CHANGELOG.md',
  'README.md',
  ...sourceFolders,
];

describe('the sources', () => {
  it('keep the house rules', () => {
    const files = readSources();
    assert.ok(files.length > 20, 'the sources were not found');
    const complaints = complaintsOn(files);
    assert.equal(complaints.length, 0, `\n${complaints.join('\n')}\n`);
  });

  it('stay in the folders of the design', () => {
    const ignored = readFileSync(`${root}/.gitignore`, 'utf8').split('\n');
    const entries = readdirSync(root, { withFileTypes: true });
    const strangers = entries
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => !name.startsWith('.') && !topLevel.includes(name.replace(/\/$/, '')))
      .filter((name) => !isIgnored(name, ignored));
    assert.deepEqual(strangers, [], 'the top level is closed: move these below src, test or bench');
  });
});

function readSources(): SourceFile[] {
  return sourceFolders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('/node_modules/'))
      .filter((path) => !/^(?:bench|test)\/out\//.test(path))
      .sort()
      .map((path) => sourceFile(path, readFileSync(`${root}/${path}`, 'utf8'))),
  );
}

function isIgnored(name: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern.replace(/^\//, '') === name ||
      (pattern.startsWith('*') && name.endsWith(pattern.slice(1))),
  );
}

/** A tree that keeps the rules, to be spoilt by one file. */
const good: Readonly<Record<string, string>> = {
  'src/contract/a.ts': 'export const a = 1;\n',
  'src/core/text/chars.ts': 'export const chars = 1;\n',
  'src/core/verdict/verdict.ts': 'export const verdict = 1;\n',
  'src/core/rules/sqli/index.ts': 'export const sqli = 1;\n',
  'src/core/rules/registry.ts':
    "import { sqli } from './sqli/index.ts';\nexport const d = [sqli];\n",
  'src/core/engine.ts': "import { a } from '../contract/a.ts';\nexport const e = a;\n",
  'src/pool/codec.ts': 'export const c = 1;\n',
  'src/http/server.ts': 'export const s = 1;\n',
  'src/client-request/m.ts': 'export const m = 1;\n',
};

function complaintsWith(spoilt: Readonly<Record<string, string>>): string[] {
  const tree = Object.entries({ ...good, ...spoilt });
  return complaintsOn(tree.map(([path, text]) => sourceFile(path, text)));
}

/** A function with a number of forks, of which a function within it takes none. */
function branchy(forks: number): string {
  const inner = `  const g = () => {\n    ${'if (a) b(); '.repeat(9)}\n  };\n`;
  return `function f() {\n${inner}  return a ? b : ${'c && '.repeat(forks - 1)}d;\n}\n`;
}

const long = `${'  a();\n'.repeat(69)}}\n`;

/** Each row spoils the good tree; the rule must say where and what. */
const badSamples: readonly (readonly [path: string, text: string, complaint: RegExp])[] = [
  ['src/contract/b.ts', "import { c } from '../pool/codec.ts';\n", /b\.ts:1 imports src\/pool/],
  ['src/core/b.ts', "\nimport { c } from '../pool/codec.ts';\n", /b\.ts:2 imports src\/pool/],
  ['src/core/b.ts', "import { x } from 'node:fs';\n", /b\.ts:1 imports node:fs/],
  [
    'src/pool/b.ts',
    "import { e } from '../core/engine.ts';\n",
    /b\.ts:1 .*may import src\/contract/,
  ],
  ['src/pool/b.ts', "import { s } from '../http/server.ts';\n", /through contract\/ports/],
  ['src/http/b.ts', "export { c } from '../pool/codec.ts';\n", /b\.ts:1 imports src\/pool/],
  ['src/http/b.ts', "import {\n  c,\n} from '../pool/codec.ts';\n", /b\.ts:3 imports src\/pool/],
  ['src/http/b.ts', "const c = import('../pool/codec.ts');\n", /b\.ts:1 imports src\/pool/],
  ['src/pool/codec.ts', "import { m } from './m.ts';\n", /codec\.ts:1 imports src\/pool\/m\.ts/],
  ['workers/b.ts', "import { m } from '../src/pool/m.ts';\n", /b\.ts:1 imports src\/pool\/m/],
  ['src/b.ts', "import { c } from '../bench/b.ts';\n", /b\.ts:1 imports bench\/b\.ts/],
  ['other/b.ts', "import { c } from '../src/pool/codec.ts';\n", /in no known part/],
  ['src/b.ts', "import { c } from '../../elsewhere/c.ts';\n", /leaves the repository/],
  ['src/b.ts', "import { c } from './pool/codec.js';\n", /with its \.ts ending/],
  ['src/b.ts', "import { c } from './pool/gone.ts';\n", /pool\/gone\.ts, which does not exist/],
  ['src/core/text/b.ts', "import { v } from '../verdict/verdict.ts';\n", /stands above it/],
  ['src/core/rules/xss/index.ts', "import { s } from '../sqli/index.ts';\n", /another detector/],
  ['src/core/rules/xss/index.ts', 'export const x = 1;\n', /registry\.ts:1 does not list xss/],
  ['src/clients/b.ts', "import { a } from '../contract/a.ts';\n", /use import type/],
  ['src/clients/b.ts', "import express from 'express';\n", /depend on undici alone/],
  ['src/clients/b.ts', "import { Pool } from 'undici';\n", /depend on undici alone/],
  ['src/client-request/b.ts', "import { Pool } from 'undici';\n", /depend on undici alone/],
  [
    'src/client-request/b.ts',
    "import type { a } from '../contract/a.ts';\n",
    /src\/client-request\/ may import nothing else/,
  ],
  ['src/core/engine.ts', "import { b } from './engine.ts';\n", /engine\.ts:1 imports itself/],
  ['src/b.ts', `function f() {\n${long}`, /src\/b\.ts:1 f has 71 lines/],
  ['src/b.ts', `const f = async (a: number) => {\n${long}`, /src\/b\.ts:1 f has 71 lines/],
  [
    'src/b.ts',
    `  #f(\n    a: A,\n  ): { b: 1 } {\n  ${long.replaceAll('\n', '\n  ')}`,
    /#f has 73/,
  ],
  ['src/b.ts', `export function f({\n  a,\n}: A): B {\n${long}`, /b\.ts:1 f has 73 lines/],
  ['src/b.ts', 'a();\n'.repeat(401), /src\/b\.ts:1 has 401 lines/],
  ['src/b.ts', branchy(17), /src\/b\.ts:1 f has a complexity of 18/],
  ['src/b.ts', "eval('1');\n", /`eval\(`/],
  ['bench/b.ts', "new Function('a');\n", /`new Function`/],
  ['src/access/b.ts', '\nconst e = process.env;\n', /b\.ts:2 has `process\.env`/],
  ['workers/b.ts', "console.log('a');\n", /take a Log/],
  ['test/b.test.ts', "it.only('a', () => undefined);\n", /hides all other tests/],
  ['src/b.ts', 'const b = a!.b;\n', /no non-null !/],
  ['src/b.ts', "export * from './pool/codec.ts';\n", /no barrel files/],
  ['src/core/b.ts', 'const t = Date.now();\n', /the core is pure/],
  ['src/core/b.ts', "const t = Buffer.from('');\n", /runs anywhere/],
];

/** Look-alikes that no rule may complain of. */
const fineSamples: readonly (readonly [path: string, text: string])[] = [
  [
    'src/b.ts',
    "// import { c } from '../bench/b.ts'; eval('1')\nconst text = 'process.env eval(';\n",
  ],
  ['src/b.ts', 'const text = `eval( ${a !== b ? `console.log` : 1} process.env`;\n'],
  ['src/b.ts', 'const ratio = a / b; const r = /eval\\([/"]/; const s = c / d;\n'],
  ['src/cli/b.ts', "import { s } from '../http/server.ts';\nconsole.log(s);\n"],
  ['src/config/b.ts', 'const env = process.env;\n'],
  ['src/clients/client.ts', "import { Pool } from 'undici';\n"],
  ['src/clients/b.ts', "import type { Context } from 'hono';\n"],
  ['src/clients/b.ts', "import type { a } from '../contract/a.ts';\n"],
  ['src/clients/b.ts', "import { type a } from '../contract/a.ts';\n"],
  ['src/clients/b.ts', "import { m } from '../client-request/m.ts';\n"],
  ['src/pool/inline-scanner.ts', "import { e } from '../core/engine.ts';\n"],
  ['workers/b.ts', "import { c } from '../src/pool/codec.ts';\n"],
  ['src/b.ts', `function f() {\n${long.replace('  a();\n', '')}`],
  ['src/b.ts', `describe('a', () => {\n${long.replace('}', '});')}`],
  ['src/b.ts', `f(\n  a,\n);\nif (a) {\n${long}`],
  ['src/b.ts', 'a();\n'.repeat(400)],
  ['src/b.ts', branchy(16)],
  ['src/b.ts', `function f(x?: A) {\n  ${'x?.(); '.repeat(20)}\n}\n`],
];

describe('the rules of tidiness', () => {
  it('find nothing in a good tree', () => {
    assert.deepEqual(complaintsWith({}), []);
  });

  for (const [path, text, complaint] of badSamples) {
    it(`find ${JSON.stringify(text.slice(0, 60))} in ${path}`, () => {
      const complaints = complaintsWith({ 'src/pool/m.ts': '', 'bench/b.ts': '', [path]: text });
      assert.ok(
        complaints.some((line) => complaint.test(line)),
        `expected ${complaint}, got:\n${complaints.join('\n')}`,
      );
    });
  }

  for (const [path, text] of fineSamples) {
    it(`pass ${JSON.stringify(text.slice(0, 60))} in ${path}`, () => {
      assert.deepEqual(complaintsWith({ [path]: text }), []);
    });
  }

  it('find a cycle over several files', () => {
    const complaints = complaintsWith({
      'src/pool/x.ts': "import { y } from './y.ts';\n",
      'src/pool/y.ts': "import type { z } from './z.ts';\n",
      'src/pool/z.ts': "import { x } from './x.ts';\n",
    });
    assert.deepEqual(complaints, [
      'src/pool/x.ts:1 imports itself: src/pool/x.ts -> src/pool/y.ts -> src/pool/z.ts -> ' +
        'src/pool/x.ts; move what they share to a third file',
    ]);
  });

  it('read imports and functions of every shape', () => {
    const file = sourceFile(
      'a.ts',
      [
        "import a, { type b } from './a.ts';",
        "import './side-effect.ts';",
        "import type { c } from './c.ts';",
        "export type { d } from './d.ts';",
        'class A {',
        '  private async method<T>(a: T): Promise<void> {',
        '  }',
        '}',
        "const text = 'import x from nowhere';",
      ].join('\n'),
    );
    assert.deepEqual(
      importsOf(file).map(({ from, line, isTypeOnly }) => `${from} ${line} ${isTypeOnly}`),
      ['./a.ts 1 false', './side-effect.ts 2 false', './c.ts 3 true', './d.ts 4 true'],
    );
    assert.deepEqual(functionsOf(file), [{ name: 'method', line: 6, lines: 2, complexity: 1 }]);
  });
});
