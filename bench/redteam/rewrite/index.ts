import type { Oracle, Rewriter } from '../contract.ts';
import { codeRewriters } from './code.ts';
import { crlfRewriters } from './crlf.ts';
import { csrfRewriters } from './csrf.ts';
import { graphqlRewriters } from './graphql.ts';
import { htmlRewriters } from './html.ts';
import { jndiRewriters } from './jndi.ts';
import { ldapRewriters } from './ldap.ts';
import { mailRewriters } from './mail.ts';
import { nosqlRewriters } from './nosql.ts';
import { pathRewriters } from './path.ts';
import { pollutionRewriters } from './pollution.ts';
import { scriptRewriters } from './script.ts';
import { scriptToolRewriters } from './script-tools.ts';
import { serializedRewriters } from './serialized.ts';
import { shellRewriters } from './shell/rewriters.ts';
import { sqlRewriters } from './sql.ts';
import { ssiRewriters } from './ssi.ts';
import { templateRewriters } from './template.ts';
import { javaTemplateRewriters } from './template-java.ts';
import { urlRewriters } from './url.ts';
import { xmlRewriters } from './xml.ts';
import { xpathRewriters } from './xpath.ts';

/** All rewriters; a name is unique within its language. */
export const rewriters: readonly Rewriter[] = [
  ...sqlRewriters,
  ...shellRewriters,
  ...pathRewriters,
  ...urlRewriters,
  ...htmlRewriters,
  ...scriptRewriters,
  ...scriptToolRewriters,
  ...codeRewriters,
  ...templateRewriters,
  ...javaTemplateRewriters,
  ...nosqlRewriters,
  ...xpathRewriters,
  ...ldapRewriters,
  ...xmlRewriters,
  ...crlfRewriters,
  ...csrfRewriters,
  ...pollutionRewriters,
  ...serializedRewriters,
  ...graphqlRewriters,
  ...jndiRewriters,
  ...mailRewriters,
  ...ssiRewriters,
];

/** Those of an oracle's language that fit its dialect. */
export function rewritersFor({ name, language }: Oracle): readonly Rewriter[] {
  return rewriters.filter(
    (one) => one.language === language && (one.dialects?.includes(name) ?? true),
  );
}
