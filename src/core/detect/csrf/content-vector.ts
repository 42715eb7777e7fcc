import { charClass } from '../../text/char-class.ts';
import { type HtmlAttribute, type HtmlTag, html } from '../../tokenise/html.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';

/**
 * `<img src="https://bank.test/transfer?to=…">`: an element that changes state where it is loaded.
 */
export const contentVector: ValueRule = {
  id: 'csrf.content-vector',
  category: 'csrf',
  cwe: 'CWE-352',
  severity: 'high',
  score: 76,
  message: 'loads a URL that changes state, with the cookies of whoever sees the page',
  trigger: {
    classes: charClass.less | charClass.equals | charClass.slash,
    literals: [
      [
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
      ],
    ],
  },
  judge: judgeVector,
  examples: [
    '<img src="https://bank.test/transfer?amount=900&to=7" width=0 height=0>',
    '<iframe src="http://shop.test/account/delete?id=4" style="display:none">',
    '<img src=//forum.test/admin/users.php?action=promote&user=9>',
    '<img src="https://shop.test/account/email?to=x%40a.test" style="display:none">',
    '<link rel="stylesheet" href="https://bank.test/wire?amount=900&to=7">',
    '<bgsound src="http://router.test/apply.cgi?change_password=1&pwd=x">',
  ],
  lookalikes: [
    '<img src="https://cdn.example.org/orders/2024/edit.png?w=200" alt="edit">',
    '<img src="/account/delete.svg?v=2">',
    '<a href="https://example.org/account/delete?id=4">Delete my account</a>',
    '<img src="https://img.example.org/add?size=80x80">',
    '<img src="https://track.example.org/open?id=7&email=a%40b.test" width="1" height="1">',
    '<link rel="stylesheet" href="https://cdn.example.org/account/theme.css?v=3">',
  ],
};

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
  'enable',
  'disable',
  'edit',
  'password',
  'passwd',
]);

const loadingElements: ReadonlySet<string> = new Set([
  'img',
  'image',
  'iframe',
  'frame',
  'embed',
  'object',
  'audio',
  'video',
  'source',
  'bgsound',
  'script',
  'link',
  'input',
]);

function judgeVector(subject: Subject): Match | undefined {
  const { text } = subject;
  for (const tag of subject.tokens(html).tags) {
    if (tag.isEndTag || !loadingElements.has(tag.name)) continue;
    const isHidden = tag.name === 'link' || isUnseen(text, tag);
    for (const attribute of tag.attributes) {
      if (!isLoaded(tag.name, attribute.name)) continue;
      if (!changesState(text, attribute, isHidden)) continue;
      const score = isHidden || tag.name !== 'img' ? 84 : 76;
      return { start: tag.start, end: tag.end, score };
    }
  }
  return undefined;
}

function isLoaded(element: string, attribute: string): boolean {
  if (element === 'link') return attribute === 'href';
  return attribute === 'src' || attribute === 'data';
}

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
function changesState(text: string, attribute: HtmlAttribute, isHidden: boolean): boolean {
  const end = Math.min(attribute.valueEnd, attribute.valueStart + urlCharsMax);
  const url = text.slice(attribute.valueStart, end).trim().toLowerCase();
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

/** No higher or wider than a pixel, or hidden. */
function isUnseen(text: string, tag: HtmlTag): boolean {
  return tag.attributes.some(({ name, valueStart, valueEnd }) => {
    const value = text.slice(valueStart, valueEnd);
    if (name === 'width' || name === 'height') return value === '0' || value === '1';
    const style = name === 'style' ? value.replaceAll(' ', '') : '';
    return style.includes('display:none') || style.includes('width:0');
  });
}
