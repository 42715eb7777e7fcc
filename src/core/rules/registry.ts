import { cmdi } from './cmdi/index.ts';
import { code } from './code/index.ts';
import { crlf } from './crlf/index.ts';
import { csrf } from './csrf/index.ts';
import { deserialization } from './deserialization/index.ts';
import { graphql } from './graphql/index.ts';
import { jndi } from './jndi/index.ts';
import { ldapi } from './ldapi/index.ts';
import { mailinj } from './mailinj/index.ts';
import { nosqli } from './nosqli/index.ts';
import { other } from './other/index.ts';
import { protopollution } from './protopollution/index.ts';
import { rfi } from './rfi/index.ts';
import type { Detector } from './rule.ts';
import { shape } from './shape/index.ts';
import { sqli } from './sqli/index.ts';
import { ssi } from './ssi/index.ts';
import { ssrf } from './ssrf/index.ts';
import { ssti } from './ssti/index.ts';
import { traversal } from './traversal/index.ts';
import { xpathi } from './xpathi/index.ts';
import { xss } from './xss/index.ts';
import { xxe } from './xxe/index.ts';

/**
 * All detectors, in the order of the documentation. A new detector is one folder and one line here.
 */
export const detectors: readonly Detector[] = [
  sqli,
  xss,
  csrf,
  traversal,
  rfi,
  ssrf,
  cmdi,
  code,
  nosqli,
  ldapi,
  xpathi,
  xxe,
  ssti,
  crlf,
  jndi,
  protopollution,
  deserialization,
  ssi,
  mailinj,
  graphql,
  shape,
  other,
];
