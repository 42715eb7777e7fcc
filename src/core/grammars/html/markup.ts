import { isLetter } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { HtmlTag } from './html-tags.ts';

/** Value of an attribute in lower case without spaces and controls; `''` when there is none. */
export function plainValue(text: string, tag: HtmlTag, name: string): string {
  const attribute = tag.attributes.find(name);
  return attribute === undefined ? '' : squeeze(text, attribute.valueStart, attribute.valueEnd);
}

/** Characters of a value that are looked at. */
const valueCharsMax = 4_096;

/**
 * Part of a text in lower case, without white space, controls and invisible characters, and
 * without quotation marks at its start: the form in which browsers old and new compare schemes and
 * keywords.
 */
export function squeeze(text: string, start: number, end: number): string {
  let squeezed = '';
  let from = -1;
  const limit = Math.min(end, start + valueCharsMax);
  for (let i = start; i < limit; i++) {
    if (isInvisible(text.charCodeAt(i)) || (squeezed === '' && from < 0 && isMark(text, i))) {
      if (from >= 0) squeezed += text.slice(from, i);
      from = -1;
    } else if (from < 0) from = i;
  }
  if (from >= 0) squeezed += text.slice(from, limit);
  return squeezed.toLowerCase();
}

function isInvisible(code: number): boolean {
  if (code <= 32) return true;
  if (code < 127) return false;
  if (code <= 160 || code === 0xad) return true;
  return (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f) || code > 0xfffc;
}

function isMark(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 96 || code === 34 || code === 39 || (code >= 0x2018 && code <= 0x201f);
}

/** `http://…`, `//…`, `\\…`: a URL that names a host. Takes squeezed text. */
export function isForeignUrl(url: string): boolean {
  return (
    url.startsWith('http:') ||
    url.startsWith('https:') ||
    url.startsWith('ftp:') ||
    url.startsWith('//') ||
    url.startsWith('/\\') ||
    url.startsWith('\\\\')
  );
}

/** Sites whose players and maps honest texts embed; the host of a URL ends with one of them. */
const embedSites: readonly string[] = wordList(
  'youtube.com youtube-nocookie.com youtu.be vimeo.com dailymotion.com twitch.tv',
  'spotify.com soundcloud.com bandcamp.com ted.com google.com openstreetmap.org',
  'bilibili.com youku.com qq.com facebook.com instagram.com twitter.com x.com tiktok.com',
  'slideshare.net codepen.io codesandbox.io arte.tv bbc.co.uk archive.org rutube.ru',
  'vk.com',
);

/** True for a squeezed URL of a site that is embedded by honest texts. */
export function isEmbedSite(url: string): boolean {
  const authority = url.indexOf('//');
  if (authority < 0) return false;
  let end = authority + 2;
  while (end < url.length && !isAuthorityEnd(url.charCodeAt(end))) end++;
  const host = url.slice(authority + 2, end);
  // A player has a path; the front page of a site is not embedded.
  if (url.length - end <= 1) return false;
  return embedSites.some((site) => host === site || host.endsWith(`.${site}`));
}

/** `/`, `?`, `#` */
function isAuthorityEnd(code: number): boolean {
  return code === 47 || code === 63 || code === 35;
}

/**
 * True when a tag follows the closing of a string, comment, tag or raw text element: `">`, `-->`.
 */
export function followsBreakout(text: string, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && at > start - 8 && text.charCodeAt(at) <= 32) at--;
  const code = text.charCodeAt(at);
  if (code === 34 || code === 39 || code === 96) return at === 0;
  if (code !== 62 && code !== 60 && code !== 45) return false;
  if (code === 45) return text.slice(Math.max(0, at - 6), at + 1).endsWith('--><!--');
  const before = text.charCodeAt(at - 1);
  const closes = before === 34 || before === 39 || before === 45 || before === 47 || at === 0;
  return closes || text.slice(Math.max(0, at - 12), at).includes('</');
}

/**
 * True when what is closed before a tag was opened in the text as well: `<!-- … -->`, `<p>…</p>`,
 * `<p class="a">`. A bounded part of the text before it is searched.
 */
export function isOpenedHere(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - openedCharsMax), start).trimEnd();
  if (before.endsWith('-->')) return before.includes('<!--');
  const name = endTag.exec(before)?.[1];
  if (name !== undefined) return before.toLowerCase().includes(`<${name.toLowerCase()}`);
  const tag = before.lastIndexOf('<');
  return before.endsWith('>') && tag >= 0 && before.indexOf('>', tag) === before.length - 1;
}

const openedCharsMax = 1_000;
const endTag = /<\/([A-Za-z][\w-]{0,20})\s{0,4}>$/;

/** `onClick={save}`, `onClick={() => …`: source of a component, which as HTML does nothing. */
export function isComponentProperty(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) !== 123) return false;
  let at = start + 1;
  while (at < end && isNameCharacter(text.charCodeAt(at))) at++;
  if (text.charCodeAt(at) === 125) return at > start + 1;
  if (handlerCall.test(text.slice(start, start + 160))) return true;
  const rest = text.slice(start + 1, start + 80);
  const arrow = rest.indexOf('=>');
  if (arrow < 0 || rest.slice(0, arrow).includes('=')) return false;
  // `{e => go(e)}`: a browser ends the value at the space, which leaves no script.
  return parameters.test(rest) || oneParameter.test(rest);
}

/** `(a, { b }) =>`: no call is among them, and none of the function follows. */
const parameters = /^\([^()=`]{0,76}\)[^()=`]{0,20}=>/;

/** `{handleSubmit(onSubmit)}`: no browser knows a function of such a name, and names as arguments do nothing. */
const handlerCall =
  /^\{(?:[a-z]\w{0,20}\.)?handle[A-Z]\w{0,40}(?:\([\w.]{0,60}\)|\.bind\(this\))\}(?=[ \t\r\n\f>]|$)/;
const oneParameter = /^[a-z]\w{0,20} => /i;

function isNameCharacter(code: number): boolean {
  return isLetter(code) || code === 46 || code === 95;
}
