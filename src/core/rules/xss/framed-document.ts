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
import { charClass } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';

/** `<iframe srcdoc=…>`, hidden frames, frames of any other site. */
export const framedDocument: ValueRule = {
  id: 'xss.framed-document',
  score: confidence.strong,
  message: 'puts a document of its own, or of a foreign site, into the page',
  trigger: {
    classes: charClass.less | charClass.equals,
    literals: [['frame', 'portal', 'srcdoc']],
  },
  judge: (subject) => strongest(subject.tokens(html).tags, (tag) => scoreOf(subject.text, tag)),
  examples: [
    '<iframe srcdoc="<b>log in again</b>">',
    '<iframe src=//evil.test/login.html>',
    '"><iframe src="http://evil.test/"></iframe>',
    '<iframe width="0" height="0" src="https://evil.test/count"></iframe>',
    '<portal src="https://evil.test">',
  ],
  lookalikes: [
    '<iframe width="560" height="315" src="https://www.youtube.com/embed/abc"></iframe>',
    '<iframe src="https://player.vimeo.com/video/7" width="640" height="360"></iframe>',
    '<iframe src="https://maps.example.org/?id=7" width="600" height="450"></iframe>',
    'the picture frame has src="oak" on the label, and <b>no glass</b>',
  ],
};

const frames: ReadonlySet<string> = new Set(['iframe', 'frame', 'fencedframe', 'portal']);

function scoreOf(text: string, tag: HtmlTag): number {
  if (tag.isEndTag) return 0;
  const srcdoc = tag.attributes.find('srcdoc');
  if (srcdoc !== undefined) {
    const value = text.slice(srcdoc.valueStart, srcdoc.valueEnd);
    return value.includes('<') || value.includes('&') || value.includes('%')
      ? confidence.strong
      : confidence.hint;
  }
  if (!frames.has(tag.name)) return 0;
  const source = tag.attributes.find('src');
  if (source === undefined) return 0;
  const url = plainValue(text, tag, 'src');
  return isForeignUrl(url) ? scoreOfForeign(text, tag, source, url) : scoreOfScheme(url);
}

/** A document of another site. */
function scoreOfForeign(text: string, tag: HtmlTag, source: HtmlAttribute, url: string): number {
  const isBreakout = followsBreakout(text, tag.start);
  const isBare = source.quote === 0;
  if (isEmbedSite(url)) return isBreakout && isBare ? confidence.hint : 0;
  if (tag.name !== 'iframe' || isBare || isBreakout || isHidden(text, tag))
    return confidence.strong;
  const isPlayer = url.startsWith('https:') && looksLikePlayer(text, tag);
  return isPlayer ? confidence.trace : confidence.likely;
}

/** Documents that come without a host: a page's own source, an archive, inline data. */
function scoreOfScheme(url: string): number {
  if (url.startsWith('mhtml:') || url.startsWith('view-source:')) return confidence.strong;
  const isImage = url.startsWith('data:image/') || url.startsWith('data:application/pdf');
  return url.startsWith('data:') && !isImage ? confidence.strong : confidence.trace;
}

/** No higher or wider than two pixels, or not shown at all. */
function isHidden(text: string, tag: HtmlTag): boolean {
  const isTiny = (size: string): boolean => ['0', '1', '2', '0px', '1px'].includes(size);
  if (isTiny(plainValue(text, tag, 'width')) || isTiny(plainValue(text, tag, 'height')))
    return true;
  const style = plainValue(text, tag, 'style');
  return style.includes('display:none') || style.includes('visibility:hidden');
}

/** Code that a site offers for embedding gives the frame a size, a title or a permission. */
function looksLikePlayer(text: string, tag: HtmlTag): boolean {
  const width = plainValue(text, tag, 'width');
  const height = plainValue(text, tag, 'height');
  if (width === '100%' && height === '100%') return false;
  if (width !== '' && height !== '') return true;
  return tag.attributes.some(({ name }) =>
    ['allow', 'allowfullscreen', 'title', 'loading', 'frameborder', 'style'].includes(name),
  );
}
