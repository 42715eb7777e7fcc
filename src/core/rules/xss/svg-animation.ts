import { html } from '../../grammars/html/html.ts';
import type { HtmlTag } from '../../grammars/html/html-tags.ts';
import { isForeignUrl, plainValue } from '../../grammars/html/markup.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { ValueRule } from '../rule.ts';

/** SVG and SMIL elements that set attributes of others, or pull in a foreign drawing. */
export const svgAnimation: ValueRule = {
  id: 'xss.svg-animation',
  score: confidence.strong,
  message: 'animates a link or handler, or includes a foreign drawing with its scripts',
  trigger: {
    classes: charClass.less | charClass.equals,
    literals: [['animate', 'set', 'use', 'handler', 'listener', 'feimage', 'animation']],
  },
  judge: (subject) =>
    strongest(subject.tokens(html).tags, (tag) => scoreOf(subject.text, tag), confidence.trace),
  examples: [
    '<svg><a><animate attributeName=href values=javascript:go() /><text y=9>x</text></a>',
    '<svg><set attributeName="onmouseover" to="alert(1)"/>',
    '<svg><use href="//evil.test/x.svg#a"></use></svg>',
    '<svg><animate attributeName="xlink:href" to="//evil.test/"/>',
  ],
  lookalikes: [
    '<svg><animate attributeName="opacity" from="0" to="1" dur="2s"/></svg>',
    '<svg><use href="#icon-cart"></use></svg>',
    '<svg><use xlink:href="/sprite.svg#cart"/></svg>',
    'the <set> of tools = 12',
  ],
};

function scoreOf(text: string, tag: HtmlTag): number {
  if (tag.isEndTag || tag.attributes.length === 0) return 0;
  if (tag.name.startsWith('animate') || tag.name === 'set') return scoreOfTarget(text, tag);
  if (tag.name === 'use') {
    const url = plainValue(text, tag, 'href') || plainValue(text, tag, 'xlink:href');
    return isForeignUrl(url) || url.startsWith('data:') ? confidence.strong : 0;
  }
  if (tag.name === 'handler' || tag.name === 'listener') {
    return tag.attributes.some(({ name }) => name === 'ev:event' || name === 'event')
      ? confidence.strong
      : 0;
  }
  return 0;
}

/** What an animation may not touch. */
function scoreOfTarget(text: string, tag: HtmlTag): number {
  const target = plainValue(text, tag, 'attributename');
  if (target.startsWith('on') && target.length > 5) return confidence.certain;
  if (target === 'innerhtml' || target === 'style' || target === 'srcdoc') return confidence.likely;
  if (target !== 'href' && target !== 'xlink:href' && target !== 'src') return 0;
  const values = ['to', 'values', 'from', 'by'].map((name) => plainValue(text, tag, name));
  return values.some((value) => value.includes('script:') || isForeignUrl(value))
    ? confidence.strong
    : confidence.hint;
}
