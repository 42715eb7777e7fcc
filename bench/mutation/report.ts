import type { Tried } from './try-mutation.ts';

const outcomes = ['killed', 'timed out', 'survived', 'equivalent', 'not compiled'] as const;

/** The share of mutations that the tests notice, of those that could be noticed; 0 to 1. */
export function killedShare(tried: readonly Tried[]): number {
  const noticed = count(tried, 'killed') + count(tried, 'timed out');
  return noticed / Math.max(1, noticed + count(tried, 'survived'));
}

function count(tried: readonly Tried[], outcome: Tried['outcome']): number {
  return tried.filter((one) => one.outcome === outcome).length;
}

/** The table by folder and the survivors, as Markdown. */
export function reportOf(tried: readonly Tried[]): string {
  const folders = [...new Set(tried.map(folderOf))].sort();
  const rows = [
    ['folder', 'tried', ...outcomes, 'share killed'],
    ['---', '--:', ...outcomes.map(() => '--:'), '--:'],
    ...folders.map((folder) =>
      rowOf(
        folder,
        tried.filter((one) => folderOf(one) === folder),
      ),
    ),
    rowOf('all', tried),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const survivors = tried.filter(({ outcome }) => outcome === 'survived').map(survivorLine);
  const list =
    survivors.length === 0 ? ['No mutation survived.'] : ['Survivors:', '', ...survivors];
  return [...rows, '', ...list].join('\n');
}

function folderOf({ mutation }: Tried): string {
  return mutation.path.split('/').slice(0, 2).join('/');
}

function rowOf(name: string, tried: readonly Tried[]): string[] {
  const share = `${Math.round(killedShare(tried) * 100)} %`;
  const counts = outcomes.map((outcome) => String(count(tried, outcome)));
  return [name, String(tried.length), ...counts, share];
}

function survivorLine({ mutation: { path, line, change, lineText } }: Tried): string {
  return `- ${path}:${line} \`${change}\` in \`${lineText}\``;
}

/** One line while the run goes on. */
export function lineOf({ mutation: { path, line, change }, outcome, by }: Tried): string {
  return `${outcome.padEnd(12)} ${path}:${line} ${change}${by === '' ? '' : ` (${by})`}`;
}
