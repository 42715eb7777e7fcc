import type { Context } from '../../contract.ts';

/** What a value must look like to leave the folder. */
export type Disguise =
  | 'plain'
  | 'nested'
  | 'percent'
  | 'percent dots'
  | 'percent twice'
  | 'backslash'
  | 'wide'
  | 'broken by controls'
  | 'url'
  | 'sibling';

/** Code that puts a value into a path. */
export interface FileContext extends Context {
  readonly disguise: Disguise;
  /** What the code writes after the value: only files with that ending can be reached. */
  readonly suffix: string;
  /** A value that begins with a slash is a path by itself. */
  readonly isAbsolute: boolean;
  /** The value stands behind a word in the same segment. */
  readonly hasPrefix: boolean;
  /** Levels up to the folder of the application. */
  readonly depth: number;
}

/** A context of which only what is special is said. */
export const fileContext = (
  name: string,
  [member, benign]: readonly [string, string],
  {
    disguise = 'plain',
    suffix = '',
    isAbsolute = false,
    hasPrefix = false,
    depth = 1,
  }: Partial<Omit<FileContext, keyof Context>> = {},
): FileContext => ({
  name,
  members: [member],
  benign: [benign],
  disguise,
  suffix,
  isAbsolute,
  hasPrefix,
  depth,
});

/** Files of the folder that are to be served: benign values name them. */
export const served: readonly string[] = [
  ...['logo.png', 'report.txt', 'guide/index.html', 'home.html', 'home.php', 'user_ann/note.txt'],
];

/** Files beside and above the folder `files`, with what they hold. */
export const hidden: Readonly<Record<string, string>> = {
  '.env': 'DB_PASSWORD=canary\n',
  'config.php': '<?php canary();\n',
  'config/app.json': '{}\n',
  'config/app.txt': 'canary\n',
  'private/index.html': 'canary\n',
  'private/panel.php': '<?php canary();\n',
  'private/notes.txt': 'canary\n',
  'private/report.html': 'canary\n',
  'files-private/key.pem': 'canary\n',
  'files_old/index.html': 'canary\n',
};
