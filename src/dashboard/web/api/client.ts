/** A problem document (RFC 9457) as an error. Its message is the advice. */
export class ApiError extends Error {
  readonly status: number;
  readonly title: string;
  /** Which error of the catalogue it is; '' where the answer is not from Sallyport. */
  readonly code: string;
  readonly id: string | undefined;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;
  /** Which fields of the body are wrong, and why. */
  readonly faults: readonly Fault[];

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail ?? problem.title);
    this.status = problem.status;
    this.title = problem.title;
    this.code = problem.type?.split(':').at(-1) ?? '';
    this.id = problem.id;
    this.retryAfter = retryAfter;
    this.faults = problem.errors ?? [];
  }
}

export interface Fault {
  readonly pointer: string;
  /** The text that was sent in that place of a list, whose number says little. */
  readonly given?: string | undefined;
  readonly message: string;
}

interface Problem {
  readonly type?: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly id?: string;
  readonly errors?: readonly Fault[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type ShutOut = 'not-signed-in' | 'second-factor-required';

/** Called when the session is not enough any more, so that the page can ask for what is needed. */
let onShutOut: (why: ShutOut) => void = () => undefined;

export function whenShutOut(listener: (why: ShutOut) => void): void {
  onShutOut = listener;
}

/** Calls the management API. Rejects with an `ApiError` for every other answer than success. */
export async function api<Answer>(
  method: Method,
  path: string,
  options: { readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<Answer> {
  const response = await send(method, path, options);
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Answer;
  const problem = await problemOf(response);
  const errors = problem.errors?.map((one) => ({
    ...one,
    given: itemAt(options.body, one.pointer),
  }));
  const error = new ApiError({ ...problem, ...(errors && { errors }) }, retryAfterOf(response));
  // Other answers of 401 are about a password or a code.
  if (error.code === 'not-signed-in' || error.code === 'second-factor-required') {
    onShutOut(error.code);
  }
  throw error;
}

async function send(
  method: Method,
  path: string,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal },
): Promise<Response> {
  try {
    return await fetch(`/api${path}`, {
      method,
      credentials: 'same-origin',
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    const detail = 'Check that Sallyport runs and that you are connected, then try again.';
    throw new ApiError({ status: 0, title: 'The server cannot be reached', detail });
  }
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const problem = (await response.json()) as Problem;
    if (typeof problem.title === 'string') return problem;
  } catch {
    // The answer is not from Sallyport but from a proxy, say. Its status must do.
  }
  return {
    status: response.status,
    title: `The answer was ${response.status} ${response.statusText}`,
    detail: 'A proxy between this page and Sallyport may have answered. Try again.',
  };
}

/** The text in a list that a pointer (RFC 6901) names. */
function itemAt(body: unknown, pointer: string): string | undefined {
  const [, name = '', index = ''] = /^\/(\w+)\/(\d+)$/.exec(pointer) ?? [];
  const item = (body as Readonly<Record<string, readonly unknown[]>> | undefined)?.[name]?.[
    Number(index)
  ];
  return typeof item === 'string' ? item : undefined;
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** A path with a query; members that are empty are left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}
