import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where `npm run build` puts the dashboard; throws while it is not there. */
export function pageFolder(): string {
  const folder = fileURLToPath(new URL('../../dist/dashboard', import.meta.url));
  if (existsSync(folder)) return folder;
  throw new Error('The dashboard is not built: run `npm run build` first.');
}
