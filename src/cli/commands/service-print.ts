import { join } from 'node:path';
import { packageInfo } from '../../config/package-info.ts';
import { hiddenFolderOf, renderService } from '../../deploy/service-unit.ts';
import type { Command } from '../command.ts';

export const servicePrint: Command = {
  name: 'service print',
  summary: 'Print the systemd unit for this installation.',
  settings: [],
  notes: `Put it in place as root:
  sallyport service print > /etc/systemd/system/sallyport.service
  systemctl daemon-reload && systemctl enable --now sallyport`,
  async run(_input, terminal) {
    const { root } = packageInfo();
    const node = process.execPath;
    const program = join(root, 'dist', 'src', 'cli', 'bin.js');
    terminal.out(renderService({ root, node, program }));
    for (const path of [node, program]) {
      const hidden = hiddenFolderOf(path);
      if (hidden === undefined) continue;
      terminal.err(`Warning: the service cannot see ${path}: install it outside of ${hidden}.\n`);
    }
    return 0;
  },
};
