import { isQuote, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';

/**
 * `alter sequence s restart`, `xa begin 'x'`: a statement by the words that it begins with, for those that no
 * other reader knows to their end. Words of a label, `set of two` and `call me`, begin none.
 */
export function isCommand(tokens: SqlTokens, from: number): boolean {
  const said = beginningOf(tokens, from);
  return commands.some((command) => command.test(said));
}

/** The first words with one blank between, `'` for a literal, `@` for a variable and `0` for a number. */
function beginningOf(tokens: SqlTokens, from: number): string {
  const { text, kind, start, end } = tokens;
  let said = '';
  for (let at = from, words = 0; words < wordsMax; at = skipComments(tokens, at + 1), words++) {
    const type = kind[at] as number;
    if (type === sqlToken.word)
      said += ` ${text.slice(start[at], end[at]).slice(0, wordMax).toLowerCase()}`;
    else if (isQuote(type)) return `${said} '`;
    else if (type === sqlToken.number) said += ' 0';
    else if (type === sqlToken.open) return `${said} (`;
    else return type === sqlToken.variable ? `${said} @` : said;
  }
  return said;
}

const wordsMax = 4;
const wordMax = 64;
const defining =
  /^ (?:alter|create|drop) (?:aggregate|cast|database|default|domain|event|extension|foreign|function|language|operator|policy|prepare|procedure|role|rule|schema|sequence|server|spatial|table|tablespace|trigger|user|view) \S/;
const transacting =
  /^ (?:abort (?:and|work|transaction)\b|(?:begin|end|start) transaction\b|commit (?:work|and chain)\b|(?:(?:commit|rollback) prepared|prepare transaction|binlog|xa (?:begin|commit|end|prepare|rollback|start)) '|xa recover\b)/;
const keeping =
  /^ (?:(?:analyze|check|checksum|optimize|repair) (?:local |no_write_to_binlog )?tables?|analyze verbose|cache index|deallocate|delete from|lock tables?|reindex|truncate|unlisten) \S/;
const running = /^ (?:do [(@]|(?:do|perform) \w{1,40} \(|(?:vacuum|values) \()/;
const serving =
  /^ (?:(?:start|stop) (?:slave|replica)|load index into|change master to|import foreign schema|flush (?:local|no_write_to_binlog|privileges|tables|user_statistics)|reassign owned by|(?:release|rollback to) savepoint|security label on|signal sqlstate)\b/;
const setting =
  /^ set (?:@|charset \S|(?:character set|constraints all|default role|local role|password for|session (?:authorization|characteristics|role)|statement|time zone|transaction|xml option)\b)/;
const commands: readonly RegExp[] = [defining, transacting, keeping, running, serving, setting];
