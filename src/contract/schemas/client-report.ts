import { reportedCountMax, unscreenedReasons } from '../client-report.ts';
import { closed, type Schema } from './api/build.ts';

const reported: Schema = { type: 'integer', minimum: 1, maximum: reportedCountMax };

/** Requests by reason. */
export const reasonCounts: Schema = closed(
  {},
  Object.fromEntries(unscreenedReasons.map((reason) => [reason, reported])),
);

/** The body of `POST /control/report`. */
export const clientReportSchema: Schema = {
  ...closed({}, { passed: reasonCounts, inline: reasonCounts }),
  title: 'ClientReport',
  description:
    'Requests that the service gave no verdict on, by reason, since the last report of the client. ' +
    '`passed`: went on to the application unscreened. `inline`: screened by the client itself.',
};

export const clientReportExample = { passed: { timeout: 2 }, inline: { unreachable: 31 } } as const;
