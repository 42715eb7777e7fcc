import { hasNumericHost, hasUser, type Url, urlLiterals } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { isPartMember, partDepthMax, strongestInclude } from '../../placement/include-place.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `lang=http://…/x?`, `theme=ftp://…`: an address where a page names a language or a design. */
export const remotePart: ValueRule = {
  id: 'rfi.remote-part',
  severity: 'high',
  score: confidence.likely,
  message: 'names a file of another machine where a part of a page is included',
  trigger: { literals: [urlLiterals] },
  examples: [
    { body: { 'query.lang': 'http://files.example.net/ha' } },
    { body: { 'query.lang': 'https://203.0.113.9/gwudlv' } },
    { body: { theme: 'https://files.example.net:3297/x.gif?kp=' } },
    { body: { theme: 'https://files.example.net/vdj?a=1' } },
    { body: { 'query.lang': 'https://files.example.net/x.txt?/./' } },
    { body: { 'query.lang': 'https://files.example.net/x.gif' } },
    { body: { theme: 'https://files.example.net/x.php/./' } },
    { body: { 'query.page': 'ftp://files.example.net/x.gif it came too late, and so on' } },
    { body: { 'query.page': 'https://203.0.113.9/x.txt' } },
    { body: { 'query.module': 'https://files.example.net/x.inc?a=' } },
    { body: { 'query.page': 'http://files.example.net/x.gif' } },
    { body: { theme: 'https://203.0.113.9/x.gif' } },
    { body: { 'query.page': 'https://files.example.net/x.gif/a/../.' } },
    { body: { theme: 'https://ann:tea@files.example.net/x' } },
    { body: { 'query.lang': 'https://files.example.net/gwudlv' } },
    { body: { 'query.include': 'https://files.example.net:8080/x' } },
    { body: { 'query.tpl': 'http://files.example.net' } },
    { body: { theme: 'http://files.example.net/ipg' } },
    { body: { 'query.page': 'http://files.example.net:5222/zr.txt?a=b' } },
    { body: { 'query.page': 'https://203.0.113.9/hs' } },
    { body: { 'query.page': 'http://ann@files.example.net/x' } },
    { body: { theme: 'https://fi../les.example.net/x.p../hp/./' } },
    { body: { theme: 'ftp://files.\u000bexample\u0007.net:91/x.\u0002txt' } },
  ],
  lookalikes: [
    { body: { lang: 'https://www.example.com/en' } },
    { body: { include: 'https://www.example.com/en' } },
    { body: { 'query.include': 'author,comments' } },
    { body: { language: 'http://www.example.com/languages/de' } },
    { body: { theme: 'https://cdn.example.net/dark.css?v=2' } },
    { body: { theme: 'https://cdn.example.net/dark.png' } },
    { body: { theme: 'http://data.example.org/authority/ECON' } },
    { body: { theme: 'http://data.example.org/Health' } },
    { body: { theme: ['http://data.example.org/health'] } },
    { body: { dataset: { theme: 'http://data.example.org/health' } } },
    { body: { page: 'http://dev.example.com:8080/robots.txt' } },
    { body: { page: 'https://shop.example.com:8443/products?a=b' } },
    { body: { module: 'https://cdn.example.net/lib/app.js?v=2' } },
    { body: { template: 'https://api.example.com/templates?id=17' } },
    { body: { 'query.page': 'https://www.example.com/search?q=' } },
    { body: { 'query.page': 'http://203.0.113.9/products' } },
    { body: { page: 'https://www.example.com/logo.png' } },
    { body: { 'query.template': 'https://www.example.com/logo.png?color=red' } },
    { body: { modules: [{ theme: { lang: 'http://files.example.net/ha' } }] } },
    { body: { theme: 'see https://www.example.com/themes?a=1' } },
    { body: { 'query.lang': 'en', 'query.url': 'https://www.example.com/en' } },
    { body: { 'query.theme': 'https://www.example.com/themes' } },
    {
      body: {
        'query.folder': 'https://www.example.com/folders/7',
        'query.board': 'https://www.example.com/b',
      },
    },
    {
      body: {
        'query.module': 'https://www.example.com/lib@1/mod',
        'query.cat': 'http://www.example.com/Tea',
      },
    },
    { body: { 'query.lang': 'https://www.example.com/languages/pt-BR' } },
  ],
  judge(subject): Match | undefined {
    const { member, depth, where } = subject;
    if (where === 'name' || depth > partDepthMax || !isPartMember(member)) return undefined;
    return strongestInclude(subject, (url) => {
      if (url.place !== 'whole' || !schemes.has(url.scheme) || url.hostEnd === url.hostStart)
        return 0;
      return isRemotePart(subject, url) ? confidence.likely : 0;
    });
  },
};

const schemes: ReadonlySet<string> = new Set(['http', 'https', 'ftp', 'ftps']);
const targetCharsMax = 300;

function isRemotePart(subject: Subject, url: Url): boolean {
  const { text, member } = subject;
  const last = Math.min(url.end, url.pathStart + targetCharsMax);
  // Written against a filter that takes it out; to others a host or folder that ends in dots.
  if (removed.test(text.slice(url.hostStart, last))) return true;
  const target = text.slice(url.pathStart, last);
  const end = target.search(mark);
  const path = (end < 0 ? target : target.slice(0, end)).replace(nowhere, '');
  if (asset.test(path)) return false;
  // What a query names for a program to include, it asks no server for.
  if (url.scheme.startsWith('ftp') || queryInclude.test(member) || hasUser(text, url)) return true;
  const isScript = script.test(path);
  if (label.test(member)) return isScript || end >= 0 || isRemoteLabel(subject, url, path);
  // No page is a picture.
  if (picture.test(path)) return queryPage.test(member);
  if (url.port >= 0 && plainText.test(path)) return true;
  if (isPublicFile(text, url, path)) return queryPage.test(member);
  return isScript && (hasNumericHost(text, url) || openEnd.test(target));
}

function isRemoteLabel({ text, member, depth }: Subject, url: Url, path: string): boolean {
  const isAddress = hasNumericHost(text, url);
  // A design may show itself in one; a language has none.
  if (picture.test(path)) return isAddress || queryLanguage.test(member);
  // Catalogues name languages by addresses.
  if (isAddress || url.port >= 0) return true;
  if (url.scheme === 'https') return queryLanguage.test(member) && !languageName.test(path);
  if (queryLabel.test(member)) return true;
  // A concept has a capital, or its page below a folder of them; lists and records name several.
  const isField = depth < 2 || member.includes('.');
  return isField && design.test(member) && oneWord.test(path);
}

/** Certificates are for names: a page of a site is hardly ever at a bare address. */
function isPublicFile(text: string, url: Url, path: string): boolean {
  const isPublic = url.scheme === 'https' && url.hostKind === 'public';
  return isPublic && path.length > 1 && hasNumericHost(text, url);
}

const removed = /[\w]\.\.[\\/]/;
const mark = /[?#]/;
/** Empty segments, and steps that lead back: `/./`, `/x/..`. */
const nowhere = /(?:\/(?:\.|[\w-]{1,40}\/\.\.)?){1,16}$/;
/** What a page loads, and no program includes. */
const asset = /\.(?:css|m?js|json|svg|woff2?|ico|map)$/i;
const picture = /\.(?:gif|jpe?g|png|webp)$/i;
/** No page, which would say where it is, and nothing that a site says of itself. */
const plainText = /(?<!^\/(?:robots|humans|llms|ads|readme))\.(?:txt|inc|dat)$/i;
const script = /\.(?:txt|inc|dat|php[3457]?|phtml)$/i;
/** What is appended becomes a value, a path or nothing: `?a=`, `#`, `?/./`. */
const openEnd = /[?#](?:[\w&=]{0,80}=)?[?#/.]{0,8}$/;
/** Members that hold a name from a list. */
const label = /(?:^|\.)(?:lang(?:uage)?|locale|theme|skin)$/i;
const queryLanguage = /^query\.(?:lang(?:uage)?|locale)$/i;
/** The last segment is a tag of BCP 47: catalogues name a language by its page. */
const languageName = /\/(?:[a-z]{2,3}(?:[-_][A-Za-z]{2,4}){0,2})\/?$/;
const design = /(?:^|\.)(?:theme|skin)$/i;
const oneWord = /^\/(?!theme|skin)[a-z]{1,24}$/;
const queryPage = /^query\.(?:page|mod(?:ule)?)$/i;
const queryInclude = /^query\.(?:inc|include|tpl)$/i;
const queryLabel = /^query\.(?:lang|theme|skin)$/i;
