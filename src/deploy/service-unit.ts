import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where things lie on a machine. */
export interface ServicePaths {
  /** Directory of the package. */
  readonly root: string;
  /** The Node program. */
  readonly node: string;
  /** The compiled command-line program. */
  readonly program: string;
}

/** The line of the unit that depends on the machine. */
const execStart = /^ExecStart=.*$/m;

/** Folders that the unit hides from the service: ProtectHome and PrivateTmp. */
const hiddenFolders: readonly string[] = ['/home', '/root', '/run/user', '/tmp', '/var/tmp'];

/** The unit `src/deploy/sallyport.service`, with the paths of this machine. */
export function renderService(paths: ServicePaths): string {
  const unit = readFileSync(join(paths.root, 'src', 'deploy', 'sallyport.service'), 'utf8');
  const words = [paths.node, paths.program, 'serve'].map(quoteWord);
  return unit.replace(execStart, () => `ExecStart=${words.join(' ')}`);
}

/** The folder that hides a path from the service, if there is one. */
export function hiddenFolderOf(path: string): string | undefined {
  return hiddenFolders.find((folder) => path.startsWith(`${folder}/`));
}

/** A word of a command line as systemd reads it, systemd.service(5), "Command lines". */
function quoteWord(word: string): string {
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const literal = escaped.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@%+=:,./-]+$/.test(literal) ? literal : `"${literal}"`;
}
