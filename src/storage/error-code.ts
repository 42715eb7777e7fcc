/** The code of a system error, such as `ENOENT`; of any other error what it says. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
