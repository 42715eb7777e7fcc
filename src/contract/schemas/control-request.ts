import { limits } from '../limits.ts';

/** The body of `POST /control`: an object with any members and any values. */
export const controlRequestSchema = {
  $id: 'urn:sallyport:schema:control-request',
  title: 'ControlRequest',
  description:
    'The data of a client request. Field names are your own; every name and every string is screened.',
  type: 'object',
} as const;

/** The value of `x-deadline-ms`. */
export const deadlineSchema = {
  $id: 'urn:sallyport:schema:deadline-ms',
  title: 'DeadlineMs',
  description: 'How long the caller will wait for the answer, in milliseconds.',
  type: 'integer',
  minimum: 1,
  maximum: limits.deadlineMsMax,
} as const;

/** Bodies to try: one that passes, one that is blocked, and a whole request. */
export const controlExamples = {
  login: {
    summary: 'A harmless login',
    value: { username: 'anna', password: 'correct horse battery staple' },
  },
  attack: {
    summary: 'An SQL injection: answered 403',
    value: { username: "' OR 1=1 --", password: 'correct horse battery staple' },
  },
  request: {
    summary: 'A whole request, under names that let rules compare its parts',
    value: {
      method: 'POST',
      path: '/articles/7/comments',
      route: '/articles/{id}/comments',
      'query.page': '2',
      'header.host': 'shop.example',
      'header.origin': 'https://shop.example',
      'header.content-type': 'application/json',
      'cookie.theme': 'dark',
      body: { author: "Conan O'Brien", text: 'Select the best offer from the table below.' },
    },
  },
} as const;
