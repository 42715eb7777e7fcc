import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { build } from 'vite';

/** The package of the client alone. */
export const clientPackageName = 'sallyport-client';

/** What undici 7 needs: older than what the service needs. */
const oldestNode = '>=20.18.1';

/** Both kinds of modules, each in a folder that says which kind it is. */
const formats = [
  { folder: 'esm', format: 'es', type: 'module' },
  { folder: 'cjs', format: 'cjs', type: 'commonjs' },
] as const;

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, object>>;
}

/**
 * Writes the folder of the npm package that an application installs: middleware and client, and the
 * core for the inline screening, without the service. Needs a built `dist` for the types.
 */
export async function writeClientPackage(root: string, folder: string): Promise<void> {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = entriesOf(manifest);
  rmSync(folder, { recursive: true, force: true });
  for (const { folder: kind, format, type } of formats) {
    // The thread is found two folders above, as from the sources.
    await bundle(root, {
      input: entries.map((name) => `src/clients/${name}.ts`),
      folder: join(folder, kind, 'clients'),
      format,
    });
    copyTypes({ from: join(root, 'dist/src'), to: join(folder, kind) }, entries);
    writeFileSync(join(folder, kind, 'package.json'), `{ "type": "${type}" }\n`);
  }
  const thread = { input: ['workers/inline.ts'], folder: join(folder, 'workers') };
  await bundle(root, { ...thread, format: 'es' });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(describe(manifest), null, 2)}\n`);
  cpSync(join(root, 'src/packaging/client/README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** The modules of `src/clients` that the service's own package exports. */
function entriesOf({ exports }: Manifest): string[] {
  const targets = Object.values(exports).map((target) => JSON.stringify(target));
  return targets.flatMap((target) => /dist\/src\/clients\/([\w-]+)\.js/.exec(target)?.[1] ?? []);
}

function describe(manifest: Manifest): object {
  const { version, license, dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const targetOf = (name: string, kind: string) => ({
    types: `./${kind}/clients/${name}.d.ts`,
    default: `./${kind}/clients/${name}.js`,
  });
  const conditions = (name: string) => ({
    import: targetOf(name, 'esm'),
    require: targetOf(name, 'cjs'),
  });
  return {
    name: clientPackageName,
    version,
    description: 'Middleware and client for Sallyport, the self-hosted threat screening service.',
    keywords: ['security', 'waf', 'middleware', 'express', 'fastify', 'koa', 'hono', 'nestjs'],
    license,
    type: 'module',
    engines: { node: oldestNode },
    sideEffects: false,
    main: './cjs/clients/client.js',
    types: './cjs/clients/client.d.ts',
    exports: {
      '.': conditions('client'),
      ...Object.fromEntries(entriesOf(manifest).map((name) => [`./${name}`, conditions(name)])),
      './package.json': './package.json',
    },
    dependencies: { undici: `^${dependencies['undici']}` },
    peerDependencies,
    peerDependenciesMeta,
  };
}

interface Bundle {
  readonly input: readonly string[];
  readonly folder: string;
  readonly format: 'es' | 'cjs';
}

/** Joins our modules, and leaves packages and the comments where they are. */
async function bundle(root: string, { input, folder, format }: Bundle): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir: folder,
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: input.map((path) => join(root, path)),
        output: { format, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
}

/** Copies the type declarations of the modules and of all that they name. */
function copyTypes(
  { from, to }: { readonly from: string; readonly to: string },
  entries: readonly string[],
): void {
  const waiting = entries.map((name) => `clients/${name}.d.ts`);
  const seen = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = readFileSync(join(from, path), 'utf8').replaceAll(
      /((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g,
      '$1.js',
    );
    for (const [, name = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]*)\.js['"]/g)) {
      waiting.push(`${posix.join(posix.dirname(path), name)}.d.ts`);
    }
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'));
  }
}
