import { posix } from 'node:path';
import { functionsOf, importsOf, lineAt, type SourceFile } from './source-text.ts';

// What the linter cannot say of the sources. Each rule takes files and gives complaints of the form
// `path:line what is wrong; what to do`, so that the rules themselves can be tried on bad samples.

/** All rules for one set of files. */
export function complaintsOn(files: readonly SourceFile[]): string[] {
  return [
    ...files.flatMap((file) => [
      ...checkImports(file, new Set(files.map(({ path }) => path))),
      ...checkLengths(file),
      ...checkBanned(file),
    ]),
    ...checkCycles(files),
    ...checkDetectors(files),
  ];
}

/**
 * Parts of the tree: what each may import beside itself. A path stands for all that begins with it.
 */
const layers: readonly { readonly part: string; readonly mayImport: readonly string[] }[] = [
  { part: 'src/contract/', mayImport: [] },
  { part: 'src/core/', mayImport: ['src/contract/'] },
  // The exceptions stand before the part that they belong to.
  { part: 'src/pool/codec.ts', mayImport: ['src/contract/'] },
  {
    part: 'src/pool/inline-scanner.ts',
    mayImport: ['src/contract/', 'src/core/engine.ts', 'src/pool/'],
  },
  { part: 'src/pool/map-request.ts', mayImport: ['src/contract/', 'src/client-request/'] },
  { part: 'src/pool/', mayImport: ['src/contract/'] },
  {
    part: 'workers/',
    mayImport: [
      'src/core/',
      'src/contract/',
      'src/pool/codec.ts',
      'src/pool/map-request.ts',
      'src/pool/shape.ts',
      'src/pool/thread-priority.ts',
      'src/shape/compile.ts',
      'src/shape/compile-check.ts',
      'src/shape/learn/lesson-book.ts',
      'src/shape/learn/messages.ts',
      'src/events/event-of.ts',
      'src/storage/sqlite-file.ts',
      'src/write-block.ts',
    ],
  },
  { part: 'src/config/', mayImport: ['src/contract/'] },
  { part: 'src/telemetry/', mayImport: ['src/contract/'] },
  { part: 'src/storage/', mayImport: ['src/contract/'] },
  // A request as the members that are screened: for all that stand before an application.
  { part: 'src/client-request/', mayImport: [] },
  { part: 'src/http/', mayImport: ['src/contract/', 'src/client-request/'] },
  {
    part: 'src/clients/',
    mayImport: ['src/contract/', 'src/client-request/', 'src/config/nearest.ts'],
  },
  // Runs in a browser: of the rest it may have the words of the contract only.
  { part: 'src/dashboard/web/', mayImport: ['src/contract/'] },
  { part: 'src/dashboard/', mayImport: ['src/contract/'] },
  { part: 'src/access/', mayImport: ['src/contract/', 'src/storage/'] },
  { part: 'src/events/', mayImport: ['src/contract/', 'src/storage/'] },
  { part: 'src/policies/', mayImport: ['src/contract/', 'src/storage/'] },
  // Sends by the same means as the exporters of single blocks.
  {
    part: 'src/notifications/',
    mayImport: ['src/contract/', 'src/storage/', 'src/telemetry/exporters/'],
  },
  // Asks by the same guarded means.
  { part: 'src/oidc/', mayImport: ['src/contract/', 'src/telemetry/exporters/'] },
  // Schemas of administrators; their patterns run in the core's linear-time matcher. Templates of
  // routers are read as our clients read them.
  {
    part: 'src/shape/',
    mayImport: ['src/contract/', 'src/core/match/', 'src/client-request/route-template.ts'],
  },
  { part: 'src/deploy/', mayImport: ['src/contract/'] },
  // These join the parts.
  { part: 'src/cli/', mayImport: ['src/'] },
  { part: 'src/', mayImport: ['src/'] },
  { part: 'test/', mayImport: ['src/', 'workers/', 'bench/'] },
  { part: 'bench/', mayImport: ['src/', 'workers/', 'test/support/'] },
];

/**
 * Folders of the core, lowest first: each may import what stands at its own height or below, and
 * types of what stands above.
 */
const coreHeights: readonly (readonly string[])[] = [
  ['src/core/text/'],
  ['src/core/knowledge/'],
  ['src/core/normalise/', 'src/core/extract/', 'src/core/grammars/', 'src/core/match/'],
  ['src/core/placement/'],
  ['src/core/rules/'],
  ['src/core/verdict/'],
  ['src/core/'],
];

/** Parts that run in other people's processes: of the service they take types, and no packages. */
const published = ['src/clients/', 'src/client-request/', 'src/config/nearest.ts'];

function checkImports(file: SourceFile, known: ReadonlySet<string>): string[] {
  return importsOf(file).flatMap(({ from, line, isTypeOnly }) => {
    const at = `${file.path}:${line}`;
    if (!from.startsWith('.')) return checkPackage(file.path, at, from, isTypeOnly);
    const target = posix.join(posix.dirname(file.path), from);
    if (target.startsWith('..')) return [`${at} leaves the repository; import from inside it`];
    if (!target.endsWith('.ts') && !target.endsWith('.tsx')) {
      if (target.endsWith('.json') || target.endsWith('.css')) return [];
      return [`${at} imports ${from}; name the file with its .ts ending`];
    }
    if (!known.has(target)) return [`${at} imports ${target}, which does not exist`];
    return [
      ...checkLayer(file.path, at, target),
      ...(isTypeOnly ? [] : checkCore(file.path, at, target)),
      ...checkTypesOnly(file.path, at, target, isTypeOnly),
    ];
  });
}

/** The one place that speaks HTTP for all clients. */
const clientPath = 'src/clients/client.ts';

function checkPackage(path: string, at: string, from: string, isTypeOnly: boolean): string[] {
  const isPure = path.startsWith('src/contract/') || path.startsWith('src/core/');
  if (isPure)
    return [`${at} imports ${from}; the contract and the core import no package or node:`];
  const isNeeded = from.startsWith('node:') || (from === 'undici' && path === clientPath);
  if (isPublished(path) && !isNeeded && !isTypeOnly) {
    return [`${at} imports ${from}; clients run in other processes and depend on undici alone`];
  }
  return [];
}

function checkLayer(path: string, at: string, target: string): string[] {
  const layer = layers.find(({ part }) => path.startsWith(part));
  if (layer === undefined)
    return [`${at} is in no known part; add it to the layers of tidy-rules.ts`];
  const own = layer.part.endsWith('.ts') ? [] : [layer.part];
  if ([...own, ...layer.mayImport].some((part) => target.startsWith(part))) return [];
  const allowed = layer.mayImport.join(', ') || 'nothing else';
  return [
    `${at} imports ${target}; ${layer.part} may import ${allowed}: go through contract/ports.ts`,
  ];
}

function checkCore(path: string, at: string, target: string): string[] {
  const [own, other] = [heightInCore(path), heightInCore(target)];
  if (own === undefined || other === undefined) return [];
  if (other > own)
    return [`${at} imports ${target}, which stands above it in the core; turn it round`];
  const [ownDetector, otherDetector] = [detectorOf(path), detectorOf(target)];
  if (ownDetector === undefined || otherDetector === undefined) return [];
  if (ownDetector === otherDetector) return [];
  return [
    `${at} imports another detector, ${target}; move what both need to src/core/grammars, knowledge or placement`,
  ];
}

function heightInCore(path: string): number | undefined {
  const height = coreHeights.findIndex((folders) => folders.some((part) => path.startsWith(part)));
  return height === -1 ? undefined : height;
}

function detectorOf(path: string): string | undefined {
  return /^src\/core\/rules\/([^/]+)\//.exec(path)?.[1];
}

function checkTypesOnly(path: string, at: string, target: string, isTypeOnly: boolean): string[] {
  if (!isPublished(path) || isTypeOnly || isPublished(target)) return [];
  return [`${at} imports a value from ${target}; clients take types only: use import type`];
}

function isPublished(path: string): boolean {
  return published.some((part) => path.startsWith(part));
}

/** Names that are over the length for a reason. Keep it short; a table is data, not a function. */
const longFunctions: Readonly<Record<string, string>> = {};
const longFiles: Readonly<Record<string, string>> = {};

const functionLinesMax = 70;
const complexityMax = 17;
const fileLinesMax = 400;

function checkLengths(file: SourceFile): string[] {
  const complaints: string[] = [];
  const lines = file.text.trimEnd().split('\n').length;
  if (lines > fileLinesMax && longFiles[file.path] === undefined) {
    complaints.push(`${file.path}:1 has ${lines} lines; split it, ${fileLinesMax} are allowed`);
  }
  for (const { name, line, lines: length, complexity } of functionsOf(file)) {
    const at = `${file.path}:${line} ${name}`;
    if (length > functionLinesMax && longFunctions[`${file.path} ${name}`] === undefined) {
      complaints.push(`${at} has ${length} lines; split it, ${functionLinesMax} are allowed`);
    }
    if (complexity > complexityMax) {
      complaints.push(
        `${at} has a complexity of ${complexity}; name its conditions or make it a table, ${complexityMax} are allowed`,
      );
    }
  }
  return complaints;
}

interface Ban {
  readonly what: RegExp;
  readonly within: RegExp;
  readonly except?: RegExp;
  readonly advice: string;
}

const anywhere = /^/;
const product = /^(?:src|workers)\//;

const bans: readonly Ban[] = [
  { what: /\beval\(/g, within: anywhere, advice: 'no eval: write the function' },
  { what: /\bnew Function\b/g, within: anywhere, advice: 'no new Function: write the function' },
  {
    what: /\bprocess\.env\b/g,
    within: product,
    except: /^src\/config\/|^src\/http\/uws\.ts$/,
    advice: 'settings are read in src/config and passed as arguments',
  },
  {
    what: /\bconsole\.\w+/g,
    within: product,
    except: /^src\/cli\//,
    advice: 'take a Log and use it',
  },
  {
    what: /\b(?:it|test|describe|suite)\.only\b|\bonly: true\b/g,
    within: /^test\//,
    advice: 'a left-over .only hides all other tests',
  },
  { what: /[\w)\]]!(?=[.;,)\]}[])/g, within: anywhere, advice: 'no non-null !: handle undefined' },
  {
    what: /^export \*/gm,
    within: product,
    advice: 'no barrel files: export names, and import them from where they are made',
  },
  {
    what: /\b(?:Date\.now|new Date|Math\.random|performance\.|process\.|setTimeout|setInterval)/g,
    within: /^src\/(?:core|contract)\//,
    advice: 'the core is pure: no clock, no randomness, no process',
  },
  {
    what: /\b(?:Buffer\.|globalThis\b|fetch\(|crypto\.)/g,
    within: /^src\/core\//,
    advice: 'the core is pure and runs anywhere: no Node, no globals, no I/O',
  },
];

function checkBanned(file: SourceFile): string[] {
  return bans.flatMap(({ what, within, except, advice }) => {
    if (!within.test(file.path) || except?.test(file.path)) return [];
    return [...file.code.matchAll(what)].map((match) => {
      const line = lineAt(file.text, match.index);
      return `${file.path}:${line} has \`${match[0]}\`; ${advice}`;
    });
  });
}

/** Import cycles, each named once, by its first file in the alphabet. */
function checkCycles(files: readonly SourceFile[]): string[] {
  const edges = new Map<string, string[]>();
  for (const file of files) {
    const targets = importsOf(file)
      .filter(({ from }) => from.startsWith('.'))
      .map(({ from }) => posix.join(posix.dirname(file.path), from));
    edges.set(file.path, targets);
  }
  const complaints: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      const cycle = [...trail.slice(start), path].join(' -> ');
      complaints.push(`${path}:1 imports itself: ${cycle}; move what they share to a third file`);
    }
    if (done.has(path) || start !== -1) return;
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of [...edges.keys()].sort()) visit(path, []);
  return complaints;
}

const registryPath = 'src/core/rules/registry.ts';

/**
 * Every folder of a detector must stand in the registry: a detector that nobody calls finds
 * nothing.
 */
function checkDetectors(files: readonly SourceFile[]): string[] {
  const registry = files.find(({ path }) => path === registryPath);
  const folders = new Set(files.flatMap(({ path }) => detectorOf(path) ?? []));
  if (registry === undefined) return [];
  const imported = importsOf(registry).map(({ from }) => from);
  return [...folders]
    .filter((folder) => !imported.some((from) => from.startsWith(`./${folder}/`)))
    .map((folder) => `${registryPath}:1 does not list ${folder}/; import and add its detector`);
}
