import { wordList, wordSet } from '../text/words.ts';

/** Words of which a URL that changes state holds one: a trigger. */
export const stateWords: readonly string[] = wordList(
  'transfer withdraw delete remove logout signout password passwd email add create update',
  'edit change reset grant promote pay buy order vote follow approve confirm enable',
  'disable account setting admin profile oauth firewall preferences amount role close',
  'submit logoff log-out sign_out sign-out reboot restart shutdown poweroff factory',
  'firmware checkout apply.cgi setup.cgi',
);

/** What no script of another site has to do with the cookies of a visitor: a trigger. */
export const forgedWords: readonly string[] = [
  ...['transfer', 'withdraw', 'delete', 'remove', 'pay', 'wire', 'promote', 'grant'],
  ...['password', 'passwd', 'reset', 'disable', 'purchase', 'buy', 'reboot', 'shutdown'],
];

const forged: ReadonlySet<string> = new Set(forgedWords);

/** The path of the URL, or the action that it asks for, holds one of `forgedWords` as a word. */
export function hasForgedPath(text: string, start: number, end: number): boolean {
  const url = text.slice(start, Math.min(end, start + urlCharsMax)).toLowerCase();
  const host = url.indexOf('//') + 2;
  const path = url.indexOf('/', host);
  if (path < 0) return false;
  const query = url.indexOf('?');
  const last = query < 0 ? url : url.slice(0, query);
  const isAsked =
    query >= 0 &&
    url
      .slice(query + 1)
      .split('&')
      .some(isAction);
  return isAsked || last.slice(path).split('/').some(isForgedSegment);
}

/** `/transfer`, `/delete_user.php`, `/delete-account`; not `/payment-methods`. */
function isForgedSegment(segment: string): boolean {
  return segment.split(wordBreak).some((word) => forged.has(word));
}

/** Words that say that a request changes something. */
const verbs: ReadonlySet<string> = wordSet(
  'transfer withdraw delete remove logout signout add create update change reset grant',
  'promote pay buy order vote follow approve confirm close submit enable disable edit',
  'password passwd checkout',
);

const urlCharsMax = 400;
const fileEndings = wordList('.css .js .woff2 .png .jpg .jpeg .gif .svg .webp .avif .ico .bmp');

/**
 * A URL of another site with a query, and a verb as a part of the path or as the action asked for.
 */
export function changesState(text: string, start: number, end: number, isHidden: boolean): boolean {
  const url = text
    .slice(start, Math.min(end, start + urlCharsMax))
    .trim()
    // `deleteUser` is two words.
    .replace(camelCase, '$1-$2')
    .toLowerCase();
  if (!url.startsWith('//') && !url.startsWith('http')) return false;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  if (fileEndings.some((ending) => path.endsWith(ending)) || badge.test(path)) return false;
  if (isPrivateUrl(url) && commandsDevice(path, url.slice(path.length))) return true;
  if (query < 0) return signsOut(path) || endsAccount.test(path);
  const parameters = url.slice(query + 1).split('&');
  if (isHidden && (isSensitiveArea(path) || parameters.some(isSensitive))) return true;
  const isAsked = parameters.some((one) => isAction(one));
  const last = path.slice(path.lastIndexOf('/') + 1);
  return isAsked || (parameters.length > 1 && hasVerb(last)) || isOwnVerb(last, parameters);
}

/** `//img.test/badge/follow-anna-1DA1F2`: the text of a picture, and its colour. */
const badge =
  /^(?:https?:)?\/\/[\w.-]{1,253}\/badge\/[\w.%]{1,60}-[\w.%]{1,60}-(?:[\da-f]{6}|(?:bright|yellow|light)?gr(?:een|e?y)|yellow|orange|red|blue|blueviolet|black|success|important|critical|informational|inactive)$/;

/** Names and numbers of hosts in the visitor's own network, which a page of the net reaches too. */
function isPrivateUrl(url: string): boolean {
  const start = url.indexOf('//') + 2;
  let end = start;
  while (end < url.length && !hostEnds.has(url.charAt(end))) end++;
  const host = url.slice(start, end);
  return privateAddress.test(host) || privateNames.has(host.slice(host.lastIndexOf('.') + 1));
}

const hostEnds: ReadonlySet<string> = new Set(['/', ':', '?', '#']);
const privateAddress = /^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2[0-9]|3[01]))\.[0-9.]{3,11}$/;
const privateNames: ReadonlySet<string> = wordSet(
  'localhost local lan home internal intranet router fritz gateway modem',
);

/** What a router or another device is told to do. */
const deviceVerbs: ReadonlySet<string> = wordSet(
  'reboot restart shutdown poweroff halt factory factoryreset restore wipe',
);

/** Folders of pictures, whose names may be any words. */
const pictureFolders: ReadonlySet<string> = wordSet(
  'images image img icons uploads upload media static assets pictures photos thumbs',
);

/** `/cgi-bin/reboot.cgi`, `/apply.cgi?action=reboot`, `/users/delete?name=x`. */
function commandsDevice(path: string, query: string): boolean {
  const segments = path.slice(path.indexOf('//') + 2).split('/');
  if (segments.some((segment) => pictureFolders.has(segment))) return false;
  const last = (segments.length > 1 ? (segments.pop() ?? '') : '').split(wordBreak);
  if (last.some((word) => deviceVerbs.has(word))) return true;
  if (query === '') return false;
  if (settingProgram.test(path)) return true;
  return last.some((word) => forged.has(word)) || query.slice(1).split('&').some(isDeviceAction);
}

/** Where routers take their settings. */
const settingProgram =
  /\/(?:apply|setup|set_?\w{0,20}|goform\/\w{1,30}|userrpm\/\w{1,30})\.(?:cgi|htm)$/;

/** `reboot=1`, `action=reboot`. */
function isDeviceAction(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  return deviceVerbs.has(name) || (actionNames.has(name) && deviceVerbs.has(value));
}

/** Parts of a site that nobody loads unseen. */
const areas: ReadonlySet<string> = wordSet(
  'account accounts settings admin profile oauth firewall preferences setpassword',
);

function isSensitiveArea(path: string): boolean {
  const words = path.slice(path.indexOf('/', path.indexOf('//') + 2)).split(wordBreak);
  return words.some((word) => areas.has(word) || verbs.has(word));
}

/** A parameter that only a form for changing something has. */
const parameterNames: ReadonlySet<string> = wordSet(
  'password passwd pwd newpassword amount role iban confirm',
);

function isSensitive(parameter: string): boolean {
  return parameterNames.has(parameter.slice(0, parameter.indexOf('=')));
}

const actionNames: ReadonlySet<string> = wordSet(
  'action act cmd command do op mode method _method',
);

/** `action=delete`, `change_password=1`. */
function isAction(parameter: string): boolean {
  const equals = parameter.indexOf('=');
  const name = equals < 0 ? parameter : parameter.slice(0, equals);
  if (actionNames.has(name)) {
    return hasVerb(parameter.slice(equals + 1));
  }
  return name.includes('_') && hasVerb(name) && hasVerb(name.slice(0, name.indexOf('_')));
}

/** `https://shop.test/logout` */
function signsOut(url: string): boolean {
  const segments = url.slice(url.indexOf('//') + 2).split('/');
  return segments.length === 2 && signingOut.has(segments[1] ?? '');
}

/** `/delete?id=4`: one parameter that names what is changed. */
function isOwnVerb(last: string, parameters: readonly string[]): boolean {
  const name = parameters[0] ?? '';
  const isNaming =
    name.startsWith('id=') ||
    name.startsWith('user') ||
    name.startsWith('to=') ||
    name.startsWith('confirm=');
  return (isNaming && hasVerb(last)) || (name.includes('=') && decisive.has(last));
}

/** Actions that pictures are never named after. */
const decisive: ReadonlySet<string> = new Set(['vote', 'transfer', 'withdraw', 'promote']);

/** One of the words of a name such as `delete_user.php` is a verb. */
function hasVerb(name: string): boolean {
  return name.split(wordBreak).some((word) => verbs.has(word));
}

/** `/api/deleteAccount`, behind a host. */
const endsAccount =
  /\/\/[^/]{1,120}\/(?:[^/]{1,60}\/){0,4}(?:delete|remove|close|disable|promote|ban)[-_](?:my[-_])?(?:account|user|admin|profile)s?\/?$/;
const camelCase = /([a-z])([A-Z])/g;
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

const signingOut: ReadonlySet<string> = wordSet('logout signout sign-out sign_out log-out logoff');

/** A parameter of a query: its name in lower case. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** What an address does to what its parameters name; a sign-in or an order may end in a GET. */
const changing: ReadonlySet<string> = wordSet(
  'transfer withdraw delete remove add create update change grant promote vote follow approve',
  'enable disable edit reset ban',
);

/** `/account/delete?confirm=yes`, `/users?action=delete&id=7`: the last name of a path, no file. */
export function changesByPath(path: string, parameters: readonly Parameter[]): boolean {
  const segments = path.replace(camelCase, '$1-$2').toLowerCase().split('/');
  const last = segments.findLast((segment) => segment !== '') ?? '';
  if (fileEndings.some((ending) => last.endsWith(ending))) return false;
  const [verb = ''] = last.split(wordBreak);
  if (changing.has(verb)) return true;
  return parameters.some(({ name, value }) => {
    return actionNames.has(name) && changing.has(value.toLowerCase());
  });
}

/** `/users/7/role?role=admin`: the path names what the parameter sets, in an area of one user. */
export function assignsOfPath(path: string, parameters: readonly Parameter[]): boolean {
  const segments = path.toLowerCase().split('/');
  const last = segments.findLast((segment) => segment !== '') ?? '';
  const isOwn = segments.some((segment) => segment !== last && ownAreas.has(segment));
  return isOwn && parameters.some(({ name, value }) => name === last && value !== '');
}

/** Where a site keeps what belongs to a visitor or a user. */
const ownAreas: ReadonlySet<string> = wordSet(
  'account accounts user users member members me my profile settings preferences admin',
);
