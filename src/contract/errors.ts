/**
 * Every error that an answer can carry: status, title (the same for each occurrence, RFC 9457) and
 * the advice that becomes `detail` when the place of the error has nothing better to say.
 */
export const errorCatalogue = {
  'body-empty': {
    status: 400,
    title: 'Empty body',
    advice: 'Send a JSON object such as {"username":"..."}.',
  },
  'body-not-utf8': {
    status: 400,
    title: 'Body is not UTF-8',
    advice: 'Encode the body as UTF-8 (RFC 8259, section 8.1).',
  },
  'body-not-json': {
    status: 400,
    title: 'Body is not JSON',
    advice: 'Send one well-formed JSON object (RFC 8259).',
  },
  'body-too-deep': {
    status: 400,
    title: 'Body is nested too deep',
    advice: 'Nest objects and arrays at most 64 levels.',
  },
  'body-too-many-members': {
    status: 400,
    title: 'Body has too many fields',
    advice: 'Send at most 10,000 fields and array items in one request.',
  },
  'header-not-valid': {
    status: 400,
    title: 'Header is not valid',
    advice: 'Correct the header named in the detail.',
  },
  'logout-token-not-valid': {
    status: 400,
    title: 'Logout token is not valid',
    advice:
      'Send one that the identity provider of this Sallyport has just signed for it, once; the server log says what is wrong.',
  },
  'key-not-valid': {
    status: 401,
    title: 'API key is not valid',
    advice:
      'Send a live API key in the x-api-key header, or as Authorization: Bearer; ' +
      '`sallyport keys create` makes one.',
  },
  'metrics-not-allowed': {
    status: 401,
    title: 'Metrics access denied',
    advice:
      'Read them on the machine itself, or set metricsToken and send it in the header ' +
      'authorization: Bearer <token>.',
  },
  'not-signed-in': {
    status: 401,
    title: 'Not signed in',
    advice: 'Sign in, or send an administrator key in the x-api-key header.',
  },
  'sign-in-refused': {
    status: 401,
    title: 'Wrong name or password',
    advice: 'Check both and try again.',
  },
  'second-factor-needed': {
    status: 401,
    title: 'Code needed',
    advice: 'Send a code of your authenticator app, or a recovery code, as `code` as well.',
  },
  'second-factor-refused': {
    status: 401,
    title: 'Wrong code',
    advice:
      'Wait for the next code of your app: each works once, for about a minute. Its clock must be right.',
  },
  'cross-origin': {
    status: 403,
    title: 'Request from another origin',
    advice: 'Send it from the page of this service, or with an administrator key.',
  },
  'second-factor-required': {
    status: 403,
    title: 'Second factor required',
    advice:
      'Set up a second factor first: the dashboard leads you to it, as does POST /api/session/second-factor.',
  },
  'role-not-sufficient': {
    status: 403,
    title: 'Not permitted for this role',
    advice: 'Ask an administrator to do it, or to give you the role that it needs.',
  },
  'single-sign-on-refused': {
    status: 403,
    title: 'Single sign-on was refused',
    advice: 'Begin again on the page for signing in.',
  },
  'invitation-not-valid': {
    status: 403,
    title: 'Invitation is not valid',
    advice: 'Ask for a new one: each link works once, within three days.',
  },
  'setup-token-not-valid': {
    status: 403,
    title: 'Set-up link is not valid',
    advice: 'Open the link that the newest start of Sallyport printed; each link works once.',
  },
  'threat-detected': {
    status: 403,
    title: 'Threat detected',
    advice: 'Do not process the request.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    advice: 'Requests are screened at POST /control; GET /openapi.json describes all paths.',
  },
  'no-such-resource': {
    status: 404,
    title: 'Resource not found',
    advice: 'Check the id. The resource may have expired or been removed.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    advice: 'Use a method that the Allow header names.',
  },
  'body-timeout': {
    status: 408,
    title: 'Body not received in time',
    advice: 'Send the whole body within 10 seconds of the request head.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    advice: 'Read the current state and try again.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body is too large',
    advice: 'Send at most 1,048,576 bytes (1 MiB).',
  },
  'content-type-not-supported': {
    status: 415,
    title: 'Content type is not supported',
    advice: 'Send content-type: application/json.',
  },
  'body-not-object': {
    status: 422,
    title: 'Body is not an object',
    advice: 'Wrap the values in a JSON object such as {"value":"..."}.',
  },
  'request-not-valid': {
    status: 422,
    title: 'Request is not valid',
    advice: 'Fix the fields listed in `errors`.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    advice: 'Try again after the number of seconds in Retry-After.',
  },
  'too-many-attempts': {
    status: 429,
    title: 'Too many attempts',
    advice: 'Try again after the number of seconds in Retry-After.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    advice: 'This is a defect of Sallyport. The server log has the cause under this id.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    advice: 'Try again after the number of seconds in Retry-After.',
  },
  draining: {
    status: 503,
    title: 'Shutting down',
    advice: 'Try again after the number of seconds in Retry-After.',
  },
  'worker-lost': {
    status: 503,
    title: 'Screening failed twice',
    advice: 'The request could not be screened; treat it as in an outage.',
  },
  'storage-not-available': {
    status: 503,
    title: 'Storage is unavailable',
    advice: 'The database does not respond; requests are still screened. Try again later.',
  },
  'single-sign-on-not-available': {
    status: 503,
    title: 'Single sign-on is unavailable',
    advice:
      'The identity provider does not respond as expected; the server log says why. Sign in with your ' +
      'name and password, or try again later.',
  },
  'too-many-listeners': {
    status: 503,
    title: 'Too many listeners',
    advice: 'Close other pages that show live data, or try again later.',
  },
  'deadline-too-short': {
    status: 503,
    title: 'Deadline cannot be met',
    advice:
      'Allow more time in x-deadline-ms, or try again after the number of seconds in Retry-After.',
  },
} as const satisfies Record<string, { status: number; title: string; advice: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The faults that only the content of a body can have. */
export type BodyFault =
  | 'body-not-utf8'
  | 'body-not-json'
  | 'body-not-object'
  | 'body-too-deep'
  | 'body-too-many-members';

/** `type` of a problem document (RFC 9457): a name, and no address to open. */
export function problemType(code: ErrorCode): string {
  return `urn:sallyport:problem:${code}`;
}
