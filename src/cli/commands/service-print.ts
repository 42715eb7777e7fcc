import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageInfo } from '../../config/package-info.ts';
import type { Command } from '../command.ts';

export const servicePrint: Command = {
  name: 'service print',
  summary: 'Print the systemd unit.',
  settings: [],
  notes:
    'service install puts it in place; service install --dry-run shows all that belongs to it.',
  async run(_input, terminal) {
    const unit = join(packageInfo().root, 'src/deploy/systemd/sallyport@.service');
    terminal.out(readFileSync(unit, 'utf8'));
    return 0;
  },
};
