import { readFileSync } from 'node:fs';
import type { Config } from './settings.ts';
import { problemsOf } from './validate.ts';

/** Settings that are secrets; each has a sibling that names a file with it. */
type SecretName = 'metricsToken' | 'webhookSecret' | 'oidcClientSecret';

/** A secret as the settings give it: itself, or the content of its file. */
export function secretOf(config: Config, name: SecretName): string | undefined {
  const file = config[`${name}File`];
  if (config[name] !== undefined || file === undefined) return config[name];
  let text: string;
  try {
    // Editors and `echo` end a file with a line break that is not part of it.
    text = readFileSync(file, 'utf8').trimEnd();
  } catch (cause) {
    throw new Error(
      `The file ${file}, which ${name}File names, cannot be read. Correct the path, or give the ` +
        'user that runs Sallyport the right to read it.',
      { cause },
    );
  }
  if (text === '') {
    throw new Error(`The file ${file}, which ${name}File names, is empty. Put the secret into it.`);
  }
  const [problem] = problemsOf({ [name]: text }, () => `The text of ${file}, the ${name},`);
  if (problem === undefined) return text;
  throw new Error(`${problem}.`);
}
