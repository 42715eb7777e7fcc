import type { Oracle } from '../contract.ts';
import { chromiumOracle } from './chromium.ts';
import { phpOracle, pythonOracle, rubyOracle, vmOracle } from './code.ts';
import { nodeFiles } from './files.ts';
import { phpFiles, phpInclude } from './files-php.ts';
import { pythonFiles } from './files-python.ts';
import { mariadb } from './mariadb.ts';
import { postgres } from './postgres.ts';
import { bash, busyboxAsh, dash, zsh } from './shells.ts';
import { sqlite } from './sqlite.ts';
import { templateOracles } from './templates.ts';
import { curlUrl, goUrl, nodeUrl, pythonUrl } from './urls.ts';

/** All interpreters, in the order in which records show them. */
export const oracles: readonly Oracle[] = [
  sqlite,
  postgres,
  mariadb,
  dash,
  bash,
  busyboxAsh,
  zsh,
  nodeFiles,
  pythonFiles,
  phpFiles,
  phpInclude,
  nodeUrl,
  pythonUrl,
  curlUrl,
  goUrl,
  chromiumOracle,
  pythonOracle,
  phpOracle,
  rubyOracle,
  vmOracle,
  ...templateOracles,
];
