import type { LearntReport } from '../contract/learnt-shape.ts';
import { limits } from '../contract/limits.ts';
import { inOneLine, table } from './table.ts';

const rowsMax = 2_000;
/** Why a report may not have the latest requests yet. */
export const savedText = `A running server saves what it has learnt every ${limits.learntSaveMs / 1_000} seconds.`;

/** What was learnt, for people: evidence by route and field, what would change, drift. */
export function learntText(report: LearntReport): string {
  const { requests, leftOut, routes, bytes, evidence, effect, drift, proposal } = report;
  const all = Math.max(1, requests + leftOut);
  const share = ((100 * requests) / all).toFixed(requests === all ? 0 : 1);
  const ofAll = requests + leftOut === 0 ? '' : ` (${share} %)`;
  const head = `${requests} requests learnt from${ofAll}, ${routes} routes, ${bytes} bytes.\n`;
  if (proposal === undefined)
    return `${head}Too little was seen for a proposal. ${savedText}\n${driftText(report)}`;
  const rows = evidence
    .slice(0, rowsMax)
    .map((one) => [
      `${one.method} ${inOneLine(one.path, 120)}`,
      inOneLine(one.field, 80),
      inOneLine(one.constraint, 100),
      inOneLine(one.evidence, 120),
    ]);
  const spared = Math.round((100 * effect.sparedValues) / Math.max(1, effect.values));
  const others =
    proposal.unlisted === 'refuse'
      ? `Other routes would be refused: ${effect.refusedRequests} of these requests.\n`
      : 'Other routes would only be screened.\n';
  const need = `${spared} % of the values would need no screening.\n`;
  return `${head}\n${table(rows)}\n${others}${need}${eventText(effect.events)}${drift.length === 0 ? '' : `\n${driftText(report)}`}`;
}

function eventText(events: LearntReport['effect']['events']): string {
  const { seen, isComplete, spared, falsePositives, sparedFalsePositives } = events;
  if (seen === 0) return '';
  const which = isComplete ? `Of ${seen} stored events` : `Of the newest ${seen} events`;
  const marked = `${sparedFalsePositives} of ${falsePositives} that are marked as false positives`;
  const wrong =
    events.sparedTruePositives === 0
      ? ''
      : `Attention: ${events.sparedTruePositives} of them are marked as true positives.\n`;
  return `${which} it would have spared ${spared}, among them ${marked}.\n${wrong}`;
}

function driftText({ drift }: LearntReport): string {
  if (drift.length === 0) return '';
  const rows = drift.map((one) => [
    one.kind,
    `${one.method} ${inOneLine(one.path, 120)}`,
    inOneLine(one.field, 80),
    inOneLine(one.message, 120),
    `since ${new Date(one.first).toISOString()}`,
  ]);
  return `Against the declared shape:\n${table(rows)}\n`;
}
