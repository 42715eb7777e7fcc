import type { Oracle } from '../contract.ts';
import { chromiumOracle } from './chromium/chromium.ts';
import { phpOracle, pythonOracle, rubyOracle, vmOracle } from './code/code.ts';
import { templateOracles } from './code/templates.ts';
import { csrf } from './csrf/csrf.ts';
import { nodeFiles } from './files/node.ts';
import { phpFiles, phpInclude } from './files/php.ts';
import { pythonFiles } from './files/python.ts';
import { graphql } from './graphql.ts';
import { headers } from './headers.ts';
import { httpServer } from './http-server.ts';
import { jndi } from './jndi.ts';
import { mail } from './mail.ts';
import { mingo } from './mingo.ts';
import { pollution } from './pollution.ts';
import { marshal, phpSerialized, pickle, revived } from './serialized.ts';
import { bash, busyboxAsh, dash, zsh } from './shell/shells.ts';
import { slapd } from './slapd.ts';
import { mariadb } from './sql/mariadb.ts';
import { postgres } from './sql/postgres.ts';
import { sqlite } from './sql/sqlite.ts';
import { ssi } from './ssi.ts';
import { curlUrl, goUrl, nodeUrl, pythonUrl } from './urls/urls.ts';
import { xml } from './xml.ts';
import { xpath } from './xpath.ts';

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
  csrf,
  pythonOracle,
  phpOracle,
  rubyOracle,
  vmOracle,
  ...templateOracles,
  mingo,
  xpath,
  slapd,
  xml,
  headers,
  httpServer,
  pollution,
  phpSerialized,
  pickle,
  marshal,
  revived,
  graphql,
  jndi,
  mail,
  ssi,
];
