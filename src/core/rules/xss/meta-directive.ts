import { html } from '../../grammars/html/html.ts';
import type { HtmlTag } from '../../grammars/html/html-tags.ts';
import { followsBreakout, plainValue } from '../../grammars/html/markup.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** `<meta http-equiv=refresh …>`, `set-cookie`, and character sets that hide markup. */
export const metaDirective: ValueRule = {
  id: 'xss.meta-directive',
  score: confidence.strong,
  message: 'makes the page reload elsewhere, set a cookie or read its bytes in another alphabet',
  trigger: { classes: charClass.less | charClass.equals, literals: [['meta']] },
  judge: (subject) =>
    strongest(subject.tokens(html).tags, (tag) => scoreOf(subject.text, tag), confidence.trace),
  examples: [
    '<meta http-equiv="refresh" content="0;url=https://evil.test/">',
    '<META HTTP-EQUIV=set-cookie CONTENT="session=1">',
    '<meta http-equiv=refresh content=0;//e.test>',
    '<meta http-equiv=refresh content="1, url = //e.test">',
    '<meta http-equiv=refresh content="5 /\\e.test">',
    '<meta charset=utf-7>+ADw-b+AD4-',
    '<meta http-equiv=Content-Security-Policy content="script-src *">',
    '<meta http-equiv=content-type content="text/html;charset=x-imap4-modified-utf7">',
  ],
  lookalikes: [
    '<meta charset="utf-8"><title>Report</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
    ...['<meta http-equiv="refresh" content="30">', '<meta http-equiv=refresh content="3; /news">'],
    '<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src https:">',
  ],
};

/** Character sets in which `<` and others have other bytes, or bytes vanish. */
const hidingCharsets = wordList('utf-7 utf7 x-mac- iso-2022 hz-gb x-imap ebcdic utf-16');

function scoreOf(text: string, tag: HtmlTag): number {
  if (tag.name !== 'meta' || tag.isEndTag) return 0;
  const directive = plainValue(text, tag, 'http-equiv');
  const content = plainValue(text, tag, 'content');
  if (directive.includes('refresh')) return scoreOfRefresh(content);
  if (directive.includes('set-cookie') || directive === 'link') return confidence.strong;
  const isPolicy =
    directive.startsWith('content-security-policy') ||
    (content === 'unsafe-url' && plainValue(text, tag, 'name') === 'referrer');
  if (isPolicy) {
    // In the head of a whole page such a directive is ordinary.
    const isAlone = tag.start < 8 || followsBreakout(text, tag.start);
    return isAlone ? confidence.likely : confidence.trace;
  }
  const charset = plainValue(text, tag, 'charset') || content;
  const isHiding = hidingCharsets.some((name) => charset.includes(name));
  return isHiding && (directive === 'content-type' || charset !== content) ? confidence.strong : 0;
}

function scoreOfRefresh(content: string): number {
  const target = content.slice(refresh.exec(content)?.[0].length);
  if (target !== '') return isOwn(target) ? confidence.hint : confidence.strong;
  return content.includes(':') ? confidence.strong : 0;
}

/** Seconds, and what stands before the address (HTML, 4.2.5.3), without white space. */
const refresh = /^[\d.]*[;,]?(?:url=)?['"]?/;

/** A relative URL: the page reloads itself, or one beside it. */
function isOwn(url: string): boolean {
  return !host.test(url) && (url.startsWith('/') || !url.includes(':'));
}

/** A browser reads a backslash as a slash. */
const host = /^[/\\]{2}/;
