/** A whole number of the command line; throws with advice. */
export function wholeNumber(flag: string, text: string, least = 0): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`${flag} ${text}: give a whole number from ${least} up.`);
}

/** Runs a command to its end: 2 where it could not be run, else the exit code that it set. */
export function runCommand(command: () => Promise<void>): void {
  command().then(
    () => process.exit(),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exit(2);
    },
  );
}
