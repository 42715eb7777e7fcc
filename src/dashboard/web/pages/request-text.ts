import { wordsOf } from './shell-words.ts';

/** A request of a client, as it was pasted. */
export interface PastedRequest {
  readonly method: string;
  /** Path and query. */
  readonly uri: string;
  /** By lower-case name; the last of a repeated one counts, cookies are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Pasted =
  | { readonly kind: 'request'; readonly request: PastedRequest }
  | { readonly kind: 'fault'; readonly message: string };

/** Longer texts are not read. */
export const pastedCharsMax = 262_144;

const requestLine = /^([A-Za-z]{1,20}) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/;

/** Whether a text is meant as a request: a `curl` command or raw HTTP. */
export function looksLikeRequest(text: string): boolean {
  const start = text.trimStart().slice(0, 4_096);
  return /^(?:\$ )?curl\s/.test(start) || requestLine.test(start.split(/\r?\n/, 1)[0] ?? '');
}

/** Reads a `curl` command line or a raw HTTP request. Never throws; time is linear. */
export function readPasted(text: string): Pasted {
  if (text.length > pastedCharsMax) return fault('Paste at most 262,144 characters.');
  const trimmed = text.trimStart();
  const curl = /^(?:\$ )?curl\s/.exec(trimmed);
  return curl === null ? readRaw(trimmed) : readCurl(trimmed.slice(curl[0].length));
}

function fault(message: string): Pasted {
  return { kind: 'fault', message };
}

function readRaw(text: string): Pasted {
  const [first = ''] = text.split(/\r?\n/, 1);
  const match = requestLine.exec(first);
  if (match === null) return fault('Begin with a line such as GET /path HTTP/1.1, or with curl.');
  const end = /\r?\n\r?\n/.exec(text);
  const head = end === null ? text : text.slice(0, end.index);
  const body = end === null ? '' : text.slice(end.index + end[0].length);
  const headers = new Headers();
  for (const line of head.split(/\r?\n/).slice(1)) headers.addLine(line);
  return requestOf({ method: match[1] ?? '', target: match[2] ?? '', headers, body });
}

/** Headers as they are collected. */
class Headers {
  readonly #all = new Map<string, string>();

  addLine(line: string): void {
    const colon = line.indexOf(':');
    if (colon > 0) this.add(line.slice(0, colon), line.slice(colon + 1));
  }

  add(name: string, value: string): void {
    const key = name.trim().toLowerCase();
    const before = key === 'cookie' ? this.#all.get(key) : undefined;
    this.#all.set(key, before === undefined ? value.trim() : `${before}; ${value.trim()}`);
  }

  addMissing(name: string, value: string): void {
    if (!this.#all.has(name)) this.add(name, value);
  }

  all(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#all);
  }
}

function requestOf(parts: {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
}): Pasted {
  const { method, target, headers, body } = parts;
  // Cut by hand: a URL parser would tidy away what is to be screened.
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target);
  const rest = absolute === null ? target : target.slice(absolute[0].length);
  if (absolute !== null) headers.addMissing('host', (absolute[1] ?? '').replace(/^.*@/, ''));
  const [path = ''] = rest.split('#', 1);
  const uri = path.startsWith('/') ? path : `/${path}`;
  const request = { method: method.toUpperCase(), uri, headers: headers.all(), body };
  return { kind: 'request', request };
}

/** What the options with a value do; those that are not here are ignored with their value. */
const valued: Readonly<Record<string, string>> = {
  '-X': 'method',
  '--request': 'method',
  '-H': 'header',
  '--header': 'header',
  '-d': 'data',
  '--data': 'data',
  '--data-ascii': 'data',
  '--data-binary': 'data',
  '--data-raw': 'data',
  '--data-urlencode': 'encoded',
  '--json': 'json',
  '-F': 'form',
  '--form': 'form',
  '--form-string': 'form',
  '-b': 'cookie',
  '--cookie': 'cookie',
  '-A': 'user-agent',
  '--user-agent': 'user-agent',
  '-e': 'referer',
  '--referer': 'referer',
  '--url': 'url',
};
const ignoredWithValue = new Set(
  (
    '-o --output -m --max-time -x --proxy --connect-timeout --cacert --cert -E --key -w --write-out ' +
    '-u --user --retry --retry-delay -T --upload-file -c --cookie-jar --resolve --interface -K --config ' +
    '--limit-rate --max-redirs --ciphers --unix-socket -D --dump-header -r --range -y -Y -z -C -P -Q -t'
  ).split(' '),
);

interface Curl {
  method: string;
  url: string;
  isGet: boolean;
  isHead: boolean;
  isJson: boolean;
  readonly headers: Headers;
  readonly data: string[];
  readonly form: string[];
}

function readCurl(text: string): Pasted {
  const words = wordsOf(text);
  if (words === undefined) return fault('A quotation mark is not closed.');
  const headers = new Headers();
  const curl: Curl = {
    method: '',
    url: '',
    isGet: false,
    isHead: false,
    isJson: false,
    headers,
    data: [],
    form: [],
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      if (curl.url === '') curl.url = word;
      continue;
    }
    const { option, attached } = optionOf(word);
    const isValued = option in valued || ignoredWithValue.has(option);
    if (!isValued) {
      takeFlag(curl, word);
      continue;
    }
    const value = attached ?? words[at + 1] ?? '';
    if (attached === undefined) at += 1;
    take(curl, valued[option], value);
  }
  if (curl.url === '') return fault('The command has no address.');
  return requestOfCurl(curl);
}

/** `-XPOST` and `--data=x` carry their value themselves. */
function optionOf(word: string): { readonly option: string; readonly attached?: string } {
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    if (equals === -1) return { option: word };
    return { option: word.slice(0, equals), attached: word.slice(equals + 1) };
  }
  const option = word.slice(0, 2);
  return word.length === 2 ? { option } : { option, attached: word.slice(2) };
}

function takeFlag(curl: Curl, word: string): void {
  const letters = word.startsWith('--') ? '' : word.slice(1);
  if (word === '--get' || letters.includes('G')) curl.isGet = true;
  if (word === '--head' || letters.includes('I')) curl.isHead = true;
}

function take(curl: Curl, what: string | undefined, value: string): void {
  if (what === 'method') curl.method = value;
  else if (what === 'url') curl.url = value;
  else if (what === 'header') curl.headers.addLine(value);
  else if (what === 'data') curl.data.push(value);
  else if (what === 'encoded') curl.data.push(encoded(value));
  else if (what === 'form') curl.form.push(value);
  else if (what === 'json') {
    curl.isJson = true;
    curl.data.push(value);
  } else if (what !== undefined) curl.headers.add(what, value);
}

function encoded(value: string): string {
  const equals = value.indexOf('=');
  const text = encodeURIComponent(value.slice(equals + 1).toWellFormed());
  return equals > 0 ? `${value.slice(0, equals)}=${text}` : text;
}

function requestOfCurl(curl: Curl): Pasted {
  const { headers, form, isGet, isHead, isJson } = curl;
  // `-F name=value` is read like a form: what is screened of either is the same.
  const data = form.length > 0 ? form.map(encoded).join('&') : curl.data.join(isJson ? '' : '&');
  const hasBody = data !== '' && !isGet;
  const joint = curl.url.includes('?') ? '&' : '?';
  const target = isGet && data !== '' ? `${curl.url}${joint}${data}` : curl.url;
  if (isJson) headers.addMissing('content-type', 'application/json');
  if (hasBody) headers.addMissing('content-type', 'application/x-www-form-urlencoded');
  const method = curl.method || (isHead ? 'HEAD' : hasBody ? 'POST' : 'GET');
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(target) ? target : `http://${target}`;
  return requestOf({ method, target: absolute, headers, body: hasBody ? data : '' });
}
