import type { StoredEvent } from '../contract/event.ts';
import type { Paint } from './paint.ts';
import { inOneLine } from './table.ts';

const evidenceCharsMax = 60;

/** The heads of the columns of events. */
export const eventHead: readonly string[] = [
  'TIME',
  'DECISION',
  'SCORE',
  'RULE',
  'FIELD',
  'REQUEST',
  'CLIENT',
  'EVIDENCE',
  'ID',
];

/** An event as cells of a table. */
export function eventCells(event: StoredEvent, paint: Paint): string[] {
  const { at, decision, score, rule, pointer, method, path, client } = event;
  return [
    `${at.slice(0, 19).replace('T', ' ')}Z`,
    paint(decision === 'block' ? 'red' : 'yellow', decision),
    String(score),
    rule,
    inOneLine(pointer === '' ? '-' : pointer, 40),
    inOneLine([method, path].filter((part) => part !== undefined).join(' ') || '-', 40),
    inOneLine(client ?? '-', 45),
    inOneLine(event.evidence, evidenceCharsMax),
    event.id,
  ];
}

/** An event as one line of newline-delimited JSON. */
export function eventJson(event: StoredEvent): string {
  return `${JSON.stringify(event)}\n`;
}
