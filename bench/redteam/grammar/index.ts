import type { Grammar, Oracle } from '../contract.ts';
import { phpGrammar, pythonGrammar, rubyGrammar, vmGrammar } from './code.ts';
import { crlf } from './crlf.ts';
import { csrf } from './csrf.ts';
import { graphql } from './graphql.ts';
import { htmlGrammar } from './html.ts';
import { jndi } from './jndi.ts';
import { ldap } from './ldap.ts';
import { mail } from './mail.ts';
import { nosql } from './nosql.ts';
import { pathGrammar } from './path.ts';
import { pollution } from './pollution.ts';
import { serialized } from './serialized.ts';
import { shellGrammar } from './shell.ts';
import { sql } from './sql.ts';
import { ssi } from './ssi.ts';
import { templateGrammars } from './template.ts';
import { javaTemplateGrammars } from './template-java.ts';
import { urlGrammar } from './url.ts';
import { xml } from './xml.ts';
import { xpath } from './xpath.ts';

/** One for each language that an oracle names. */
export const grammars: readonly Grammar[] = [
  sql,
  shellGrammar,
  pathGrammar,
  urlGrammar,
  htmlGrammar,
  pythonGrammar,
  phpGrammar,
  rubyGrammar,
  vmGrammar,
  ...templateGrammars,
  ...javaTemplateGrammars,
  nosql,
  xpath,
  ldap,
  xml,
  crlf,
  csrf,
  pollution,
  serialized,
  graphql,
  jndi,
  mail,
  ssi,
];

/** The grammar of an oracle's language. */
export function grammarFor({ name, language }: Oracle): Grammar {
  const found = grammars.find((one) => one.language === language);
  if (found === undefined) throw new Error(`${name}: no grammar makes ${language}.`);
  return found;
}
