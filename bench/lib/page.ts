import { escapeHtml, svgOf } from './chart.ts';
import {
  type Measure,
  type PartName,
  type PartResult,
  partNames,
  reachesTarget,
} from './measure.ts';
import type { BenchRecord } from './record.ts';
import { columns, isNumeric, rowOf } from './table.ts';

/** A page that needs nothing else: no script, no font, no picture from elsewhere. */
export function pageOf(record: BenchRecord): string {
  const { commit, isDirty, startedAt } = record.circumstances;
  const title = `Sallyport bench ${commit}${isDirty ? ' (changed)' : ''}`;
  const parts = partNames.flatMap((name) => {
    const part = record.parts[name];
    return part === undefined ? [] : [partHtml(name, part)];
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(startedAt)}</p>
${circumstancesHtml(record)}
${targetsHtml(record)}
${parts.join('\n')}
</main>
</body>
</html>
`;
}

function circumstancesHtml({ circumstances }: BenchRecord): string {
  const rows = Object.entries(circumstances).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(String(value))}</dd>`,
  );
  return `<dl>${rows.join('')}</dl>`;
}

/** All measures with a target, from all parts: the first thing that a reader looks for. */
function targetsHtml({ parts }: BenchRecord): string {
  const measures = partNames.flatMap((name) => parts[name]?.measures ?? []);
  const judged = measures.filter(({ target }) => target !== undefined);
  return judged.length === 0 ? '' : `<h2>Targets</h2>${tableHtml(judged)}`;
}

function partHtml(name: PartName, { charts, measures, notes }: PartResult): string {
  const figures = charts.map(
    (chart) =>
      `<figure><figcaption>${escapeHtml(chart.title)}` +
      `${chart.kind === 'bar' ? ` (${escapeHtml(chart.unit)})` : ''}</figcaption>` +
      `${svgOf(chart)}</figure>`,
  );
  const remarks = notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('');
  return (
    `<h2>${escapeHtml(name)}</h2>${figures.join('')}` +
    `${remarks === '' ? '' : `<ul>${remarks}</ul>`}` +
    `<details><summary>All numbers</summary>${tableHtml(measures)}</details>`
  );
}

function tableHtml(measures: readonly Measure[]): string {
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const body = measures.map((measure) => {
    const reached = reachesTarget(measure);
    const state = reached === undefined ? '' : ` class="${reached ? 'reached' : 'missed'}"`;
    const cells = rowOf(measure).map(
      (cell, column) =>
        `<td${isNumeric[column] === true ? ' class="number"' : ''}>${escapeHtml(cell)}</td>`,
    );
    return `<tr${state}>${cells.join('')}</tr>`;
  });
  return (
    `<div class="scroll"><table><thead><tr>${head}</tr></thead>` +
    `<tbody>${body.join('\n')}</tbody></table></div>`
  );
}

const style = `
:root{--ground:#fff;--text:#1b1f24;--faint:#d5d9de;--quiet:#57606a;--good:#1a7f37;--bad:#b42318;
--c0:#0b62b8;--c1:#b35900;--c2:#1a7f37;--c3:#8a3ffc;--c4:#b42318;--c5:#57606a}
@media (prefers-color-scheme:dark){:root{--ground:#14171a;--text:#e6e9ec;--faint:#343a41;
--quiet:#9aa4ae;--good:#4cc26a;--bad:#ff8578;
--c0:#6cb2ff;--c1:#ffb357;--c2:#4cc26a;--c3:#c3a0ff;--c4:#ff8578;--c5:#9aa4ae}}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:62rem;margin:auto;padding:1rem}
h1{font-size:1.5rem;margin:.5rem 0 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;color:var(--quiet);margin:0}
dd{margin:0;color:var(--text);overflow-wrap:anywhere}
figure{margin:1rem 0}figcaption{font-weight:600;margin-bottom:.25rem}
svg{width:100%;height:auto;font:12px system-ui,sans-serif}
svg text{fill:currentColor;dominant-baseline:middle}
.end{text-anchor:end}.middle{text-anchor:middle}
.grid{stroke:var(--faint);fill:none}.line{fill:none;stroke-width:2}
.spread{stroke:currentColor;stroke-width:2;opacity:.6}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:.25rem 0}
.legend li::before{content:"";display:inline-block;width:.9em;height:.9em;margin-right:.4em;
background:currentColor;border-radius:.2em;vertical-align:-.1em}
.legend span{color:var(--text)}
${[0, 1, 2, 3, 4, 5]
  .map(
    (n) =>
      `.fill${n}{fill:var(--c${n})}.stroke${n}{stroke:var(--c${n})}.text${n}{color:var(--c${n})}`,
  )
  .join('\n')}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;white-space:nowrap}
th,td{text-align:left;padding:.15rem .6rem;border-bottom:1px solid var(--faint)}
.number{text-align:right;font-variant-numeric:tabular-nums}
.reached td:nth-child(7){color:var(--good)}.missed td:nth-child(7){color:var(--bad)}
summary{cursor:pointer;color:var(--quiet)}
`;
