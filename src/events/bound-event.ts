import type { EventContext, EventFinding, StoredEvent } from '../contract/event.ts';

/** An event takes no more than this, whatever its texts are. */
export const eventBytesMax = 16_384;

/** How much is kept; each step is tried when the one before does not fit. */
interface Measure {
  readonly pointerChars: number;
  readonly contextChars: number;
  readonly findings: number;
  /** Findings that keep the steps to their evidence. */
  readonly explained: number;
}

const measures: readonly Measure[] = [
  { pointerChars: 500, contextChars: 512, findings: 16, explained: 16 },
  { pointerChars: 500, contextChars: 512, findings: 16, explained: 1 },
  { pointerChars: 200, contextChars: 200, findings: 4, explained: 1 },
  { pointerChars: 80, contextChars: 80, findings: 1, explained: 0 },
];

const messageCharsMax = 200;

/**
 * An event that takes no more than an event may. What is cut ends with an ellipsis; findings that
 * are left out are counted, and those without steps look like any whose steps are not known.
 */
export function boundEvent(event: StoredEvent, sizeOf: (event: StoredEvent) => number) {
  let bound = event;
  for (const measure of measures) {
    bound = measured(event, measure);
    if (sizeOf(bound) <= eventBytesMax) return bound;
  }
  return bound;
}

function measured(event: StoredEvent, measure: Measure): StoredEvent {
  const { pointerChars, contextChars } = measure;
  const findings = event.findings
    .slice(0, measure.findings)
    .map((finding, index) => boundFinding(finding, pointerChars, index < measure.explained));
  const leftOut = event.findings.length - findings.length;
  const entries = Object.entries(event.context).map(
    ([name, text]) => [name, shortened(text, contextChars)] as const,
  );
  const context: EventContext = Object.fromEntries(entries);
  const { method, host, uri: path, client } = context;
  return {
    ...event,
    pointer: shortened(event.pointer, pointerChars),
    ...(event.method === undefined ? {} : { method }),
    ...(event.host === undefined ? {} : { host }),
    ...(event.path === undefined ? {} : { path }),
    ...(event.client === undefined ? {} : { client }),
    findings,
    ...(leftOut === 0 ? {} : { findingsLeftOut: leftOut }),
    context,
  };
}

function boundFinding(finding: EventFinding, pointerChars: number, explained: boolean) {
  return {
    ...finding,
    pointer: shortened(finding.pointer, pointerChars),
    message: shortened(finding.message, messageCharsMax),
    steps: explained ? finding.steps : [],
  };
}

function shortened(text: string, charsMax: number): string {
  // A character that is cut in half would be another one in the database.
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).toWellFormed()}…`;
}
