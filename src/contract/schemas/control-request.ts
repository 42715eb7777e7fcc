import { limits } from '../limits.ts';

/** The body of `POST /control`: an object with any members and any values. */
export const controlRequestSchema = {
  $id: 'https://sallyport.dev/schemas/control-request',
  title: 'ControlRequest',
  description:
    'The data of a client request. Member names are your own; every name and every string is screened.',
  type: 'object',
} as const;

/** The value of `x-deadline-ms`. */
export const deadlineSchema = {
  $id: 'https://sallyport.dev/schemas/deadline-ms',
  title: 'DeadlineMs',
  description: 'How long the caller will wait for the answer, in milliseconds.',
  type: 'integer',
  minimum: 1,
  maximum: limits.deadlineMsMax,
} as const;
