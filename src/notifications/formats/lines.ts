import { categoryTitle } from '../../contract/category.ts';
import type { Notice, NoticeCount, NoticeSample } from '../../contract/notification.ts';
import { printable } from '../../contract/printable.ts';

/** A line of a message. The label is ours; the text may have been chosen by an attacker. */
export interface Line {
  readonly label: string;
  readonly text: string;
}

const foreignCharsMax = 120;
/** A dot or scheme that a mail or chat program would make a link of. */
const schemes = /:\/\//g;
const dotBeforeLetter = /(?<=[\p{L}\p{N}])\.(?=\p{L})/gu;

/**
 * A text of an unknown origin as it may stand in a message: short, on one line, and so that no program
 * makes a link of it. Security teams know the form: `https[:]//evil[.]example`.
 */
export function inert(text: string): string {
  const cut = text.length > foreignCharsMax ? `${text.slice(0, foreignCharsMax)}…` : text;
  return printable(cut).replace(schemes, '[:]//').replace(dotBeforeLetter, '[.]');
}

/** What a message says below its title, one fact a line. */
export function linesOf(notice: Notice): readonly Line[] {
  const { top, reached, samples, from, to } = notice;
  const lines: Line[] = [];
  const add = (label: string, text: string) => {
    if (text !== '') lines.push({ label, text });
  };
  if (reached !== undefined) {
    const { count, minutes, per, values } = reached;
    add('Threshold', `${count} in ${minutes} min for one ${per}: ${countsOf(values)}`);
  }
  if (notice.kind !== 'test') {
    add('Time', `${clockOf(from)} to ${clockOf(to)} UTC`);
    add('Clients', countsOf(top.clients));
    add('Rules', countsOf(top.rules, String));
    add('Policies', countsOf(top.policies));
  }
  for (const sample of samples) add('Example', sampleText(sample));
  add('Channel', inert(notice.channel));
  return lines;
}

/** Rules are written by administrators, and their names are no links. */
function countsOf(counts: readonly NoticeCount[], write = inert): string {
  return counts.map(({ value, count }) => `${write(value)} (${count})`).join(', ');
}

function clockOf(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

function sampleText(sample: NoticeSample): string {
  const { severity, category, rule, method = '', host = '', path = '' } = sample;
  const { client = '', pointer, evidence, policy } = sample;
  const request = [method, inert(`${host}${path}`)].filter((one) => one !== '').join(' ');
  const parts = [
    `${severity === undefined ? '' : `${severity}: `}${categoryTitle[category]} (${rule})`,
    ...(request === '' ? [] : [request]),
    ...(pointer === '' ? [] : [`in ${inert(pointer)}`]),
    ...(client === '' ? [] : [`from ${inert(client)}`]),
    ...(evidence === '' ? [] : [`evidence ${inert(evidence)}`]),
    `policy ${inert(policy)}`,
  ];
  return parts.join(' · ');
}
