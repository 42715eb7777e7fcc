import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `GLOBALS[user]`, `_SESSION[role]`: names that overwrite the variables of an old PHP script. */
export const superglobal: ValueRule = {
  id: 'other.superglobal',
  cwe: 'CWE-621',
  score: confidence.strong,
  message: 'names a field after a variable that PHP fills itself, to overwrite it',
  trigger: {
    literals: [wordList('globals _session _server _get _post _cookie _request _files _env')],
  },
  judge: (subject) => {
    if (subject.where !== 'name') return undefined;
    const found = variable.exec(subject.text.slice(0, nameCharsMax));
    if (found === null) return undefined;
    // Reports of errors have the whole variables as members.
    const score = found[0].endsWith('[')
      ? confidence.strong
      : found[0].includes('GLOBALS')
        ? confidence.likely
        : confidence.trace;
    return foundBy(found, score);
  },
  examples: [
    { body: { 'GLOBALS[admin]': '1' } },
    { body: { GLOBALS: { admin: '1' } } },
    { body: { '_SESSION[role]': 'root', name: 'x' } },
    { body: { 'query._SERVER[REMOTE_ADDR]': '127.0.0.1' } },
    { body: { path: '/index.php?_SESSION[user_id]=1' } },
  ],
  lookalikes: [
    { body: { 'max_session[0]': '1' } },
    { body: { _session: 'a1b2c3' } },
    { body: { 'globals.css': 'body{}' } },
    'In PHP $_SESSION[role] holds the role',
    { body: { _env: 'production' } },
    { body: { error: 'x', _SERVER: { SCRIPT_NAME: '/index.php' } } },
  ],
};

const nameCharsMax = 80;
/** Case matters to PHP. */
const variable =
  /^(?:(?:query|body|cookie)\.)?\$?(?:GLOBALS|_(?:SESSION|SERVER|GET|POST|COOKIE|REQUEST|FILES|ENV))(?:\[|$)/;
