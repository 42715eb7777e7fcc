/** Words of which a URL that changes state holds one: a trigger. */
export const stateWords: readonly string[] = [
  'transfer',
  'withdraw',
  'delete',
  'remove',
  'logout',
  'signout',
  'password',
  'passwd',
  'email',
  'add',
  'create',
  'update',
  'edit',
  'change',
  'reset',
  'grant',
  'promote',
  'pay',
  'buy',
  'order',
  'vote',
  'follow',
  'approve',
  'confirm',
  'enable',
  'disable',
  'account',
  'setting',
  'admin',
  'profile',
  'oauth',
  'firewall',
  'preferences',
  'amount',
  'role',
  'close',
  'submit',
  'logoff',
  'log-out',
  'sign_out',
  'sign-out',
];

/** Words that say that a request changes something. */
const verbs: ReadonlySet<string> = new Set([
  'transfer',
  'withdraw',
  'delete',
  'remove',
  'logout',
  'signout',
  'add',
  'create',
  'update',
  'change',
  'reset',
  'grant',
  'promote',
  'pay',
  'buy',
  'order',
  'vote',
  'follow',
  'approve',
  'confirm',
  'close',
  'submit',
  'enable',
  'disable',
  'edit',
  'password',
  'passwd',
]);

const urlCharsMax = 400;
const fileEndings = [
  '.css',
  '.js',
  '.woff2',
  '.png',
  '.jpg',
  '.jpeg',
  '.gif',
  '.svg',
  '.webp',
  '.avif',
  '.ico',
  '.bmp',
];

/**
 * A URL of another site with a query, and a verb as a part of the path or as the action asked for.
 */
export function changesState(text: string, start: number, end: number, isHidden: boolean): boolean {
  const url = text
    .slice(start, Math.min(end, start + urlCharsMax))
    .trim()
    .toLowerCase();
  if (!url.startsWith('//') && !url.startsWith('http')) return false;
  const query = url.indexOf('?');
  if (query < 0) return false;
  const path = url.slice(0, query);
  if (fileEndings.some((ending) => path.endsWith(ending))) return false;
  const parameters = url.slice(query + 1).split('&');
  if (isHidden && (isSensitiveArea(path) || parameters.some(isSensitive))) return true;
  const isAsked = parameters.some((one) => isAction(one));
  const last = path.slice(path.lastIndexOf('/') + 1);
  return isAsked || (parameters.length > 1 && hasVerb(last)) || isOwnVerb(last, parameters);
}

/** Parts of a site that nobody loads unseen. */
const areas: ReadonlySet<string> = new Set(
  'account accounts settings admin profile oauth firewall preferences setpassword'.split(' '),
);

function isSensitiveArea(path: string): boolean {
  const words = path.slice(path.indexOf('/', path.indexOf('//') + 2)).split(wordBreak);
  return words.some((word) => areas.has(word) || verbs.has(word));
}

/** A parameter that only a form for changing something has. */
const parameterNames: ReadonlySet<string> = new Set(
  'password passwd pwd newpassword amount role iban confirm'.split(' '),
);

function isSensitive(parameter: string): boolean {
  return parameterNames.has(parameter.slice(0, parameter.indexOf('=')));
}

/** `action=delete`, `change_password=1`. */
function isAction(parameter: string): boolean {
  const equals = parameter.indexOf('=');
  const name = equals < 0 ? parameter : parameter.slice(0, equals);
  if (['action', 'act', 'cmd', 'do', 'op', 'mode', 'method', '_method'].includes(name)) {
    return hasVerb(parameter.slice(equals + 1));
  }
  return name.includes('_') && hasVerb(name) && hasVerb(name.slice(0, name.indexOf('_')));
}

/** `/delete?id=4`: one parameter that names what is changed. */
function isOwnVerb(last: string, parameters: readonly string[]): boolean {
  const name = parameters[0] ?? '';
  const isNaming = name.startsWith('id=') || name.startsWith('user') || name.startsWith('to=');
  return isNaming && hasVerb(last);
}

/** One of the words of a name such as `delete_user.php` is a verb. */
function hasVerb(name: string): boolean {
  return name.split(wordBreak).some((word) => verbs.has(word));
}

const wordBreak = /[^a-z]/;

/** `/logout`, `/account/delete?id=4` on the site itself: a path that is a verb and no picture. */
export function changesOwnState(text: string, start: number, end: number): boolean {
  const url = text
    .slice(start, Math.min(end, start + urlCharsMax))
    .trim()
    .toLowerCase();
  if (!url.startsWith('/') || url.startsWith('//')) return false;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const segments = path.split('/');
  const last = segments[segments.length - 1] ?? '';
  if (segments.length === 2 && signingOut.has(last)) return true;
  return query >= 0 && verbs.has(last);
}

const signingOut: ReadonlySet<string> = new Set([
  'logout',
  'signout',
  'sign-out',
  'sign_out',
  'log-out',
  'logoff',
]);
