/**
 * What browsers and clients of APIs send in usual headers. Such a value is one of a closed set of
 * words, numbers and dates: nothing can stand in it, so there is nothing to screen. Anything else
 * in these headers is screened.
 */
export function isUsualValue(name: string, value: string): boolean {
  return usual.get(name)?.test(value) === true;
}

const quality = String.raw`(?:;\s?q=[01](?:\.\d{1,3})?)?`;

/** A list of items, separated by commas. */
function list(item: string): RegExp {
  return new RegExp(`^(?:${item})(?:,\\s?(?:${item})){0,40}$`);
}

const mediaType = String.raw`(?:text|image|application|audio|video|font|\*)\/[\w.+*-]{1,60}(?:;\s?v=b3)?`;
const languageTag = '[a-zA-Z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|419))?|\\*';
const brand =
  'Chromium|Google Chrome|Microsoft Edge|Microsoft Edge WebView2|Opera|Brave|Vivaldi|YaBrowser|' +
  'Android WebView|HeadlessChrome|Samsung Internet|[ ;(]?Not[ ;:.()/?_-]?A[ ;:.()/?=_-]?Brand';
const word = /^[a-z]{1,12}(?:-[a-z]{1,12}){0,3}$/;
const flag = /^\??[01]$/;
const date = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

const usual: ReadonlyMap<string, RegExp> = new Map([
  ['accept', list(mediaType + quality)],
  ['accept-encoding', list(`(?:gzip|deflate|br|zstd|identity|compress|\\*)${quality}`)],
  ['accept-language', list(`(?:${languageTag})${quality}`)],
  ['accept-charset', list(`(?:utf-8|iso-8859-1|us-ascii|\\*)${quality}`)],
  ['cache-control', list('no-cache|no-store|no-transform|max-age=\\d{1,10}')],
  ['connection', /^(?:keep-alive|close|[Uu]pgrade)$/],
  ['dnt', flag],
  ['if-modified-since', date],
  ['if-none-match', list('(?:W\\/)?"[0-9a-fA-F-]{1,80}"')],
  ['if-unmodified-since', date],
  ['pragma', /^no-cache$/],
  ['priority', /^u=[0-7](?:, ?i)?$/],
  ['sec-ch-ua', list(`"(?:${brand})"; ?v="\\d{1,4}"`)],
  ['sec-ch-ua-mobile', flag],
  ['sec-ch-ua-platform', /^"(?:Windows|macOS|Linux|Android|iOS|Chrome OS|Unknown)?"$/],
  ['sec-fetch-dest', word],
  ['sec-fetch-mode', word],
  ['sec-fetch-user', flag],
  ['sec-gpc', flag],
  ['te', /^trailers$/],
  ['traceparent', /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/],
  ['upgrade-insecure-requests', flag],
  ['x-request-id', /^[0-9a-fA-F-]{1,64}$/],
]);

/** Their names. */
export const usualHeaders: readonly string[] = [...usual.keys()];
