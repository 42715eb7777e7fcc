/** The oldest Node.js that has all that we use, `node:sqlite` above all. */
const oldest = { major: 22, minor: 16 };

/** The oldest Node.js that will do, where this one is older; undefined when it is new enough. */
export function neededNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return `${oldest.major}.${oldest.minor}`;
}

/** What to do about a Node.js that is too old; undefined when it is new enough. */
export function nodeVersionAdvice(version: string): string | undefined {
  const needed = neededNode(version);
  if (needed === undefined) return undefined;
  return (
    `Sallyport needs Node.js ${needed} or newer, and this is ${version}. ` +
    `Install one, or put "npx -y -p node@22 --" before the command: ` +
    `npx -y -p node@22 -- node dist/src/cli/bin.js --help`
  );
}
