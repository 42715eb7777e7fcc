import { packageInfo } from '../../config/package-info.ts';
import type { Command } from '../command.ts';

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of the service.',
  settings: [],
  async run(_input, terminal) {
    const { openApiDocument } = await import('../../http/openapi.ts');
    const document = openApiDocument(packageInfo().version);
    terminal.out(`${JSON.stringify(document, null, 2)}\n`);
    return 0;
  },
};
