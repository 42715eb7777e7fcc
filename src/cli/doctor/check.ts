/** What a look at one part of an installation gave. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** What is wrong, and what to do. */
interface Finding {
  readonly text: string;
  /** Left out where the text says it. */
  readonly advice?: string;
}

export function ok(name: string, text: string): Check {
  return { name, state: 'ok', text };
}

export function warn(name: string, finding: Finding): Check {
  return { name, state: 'warn', ...finding };
}

export function fail(name: string, finding: Finding): Check {
  return { name, state: 'fail', ...finding };
}

/** What an error says, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return text.split('\n')[0] ?? '';
}

/** The code of a system error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : reasonOf(error);
}
