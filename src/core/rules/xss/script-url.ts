import type { HtmlAttribute, HtmlTag } from '../../grammars/html/html-tags.ts';
import { threatOfUrl } from '../../grammars/html/url-threat.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { urlAttributes } from '../../knowledge/page.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongestAttribute } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `<a href=javascript:…>`, `<iframe src="data:text/html,…">`. */
export const scriptUrl: ValueRule = {
  id: 'xss.script-url',
  severity: 'critical',
  score: confidence.certain,
  message: 'gives an attribute a URL that runs script or opens a document of its own',
  trigger: { classes: charClass.less | charClass.equals },
  judge: judgeScriptUrl,
  examples: [
    '<a href="javascript:alert(1)">free prize</a>',
    '<iframe src="java\tscr\nipt:top.x()">',
    '<form><button formaction=JaVaScRiPt:steal()>Go',
    '<object data="data:text/html;base64,PHNjcmlwdD4=">',
    '<math><mtext href="vbscript:MsgBox(1)">x',
    '<meta http-equiv=refresh content="0;url=javascript:go()">',
  ],
  lookalikes: [
    '<a href="/wiki/JavaScript:_The_Good_Parts" title="JavaScript: The Good Parts">book</a>',
    '<img src="data:image/png;base64,iVBORw0KGgo=" alt="dot">',
    '<a href="https://example.org/data:text">data</a>',
    '<p title="Vbscript: a history">old</p>',
  ],
};

function judgeScriptUrl(subject: Subject): Match | undefined {
  if ((subject.classes & schemeClasses) === 0) return undefined;
  return strongestAttribute(subject, scoreOf, 120);
}

/** The common case: a path, a fragment or a web URL without anything like a script in it. */
function isPlainUrl(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start);
  if (first !== 104 && first !== 47 && first !== 35 && first !== 46) return false;
  return !text.slice(start, end).toLowerCase().includes('script');
}

/** A colon, a reference to one, or the sign that some have written in its place. */
const schemeClasses = charClass.colon | charClass.ampersand | charClass.hash;

function mayHoldScheme(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 58 || code === 38 || code === 35) return true;
  }
  return false;
}

/** Elements that show an SVG image without running its scripts. */
const imageElements: ReadonlySet<string> = new Set(['img', 'image', 'source', 'input', 'video']);

function scoreOf(subject: Subject, tag: HtmlTag, attribute: HtmlAttribute): number {
  const { valueStart, valueEnd } = attribute;
  if (valueEnd - valueStart < 5 || !mayHoldScheme(subject.text, valueStart, valueEnd)) return 0;
  if (isPlainUrl(subject.text, valueStart, valueEnd)) return 0;
  const threat = threatOfUrl(subject.text, valueStart, valueEnd);
  if (threat === 'none') return 0;
  const isUrl = urlAttributes.has(attribute.name);
  if (threat === 'inert') return isUrl ? confidence.hint : 0;
  if (threat === 'script') {
    if (isUrl) return confidence.certain;
    const evidence = strongestScript(subject.tokens(scriptPieces), valueStart, valueEnd);
    return evidence.strength >= 1 ? confidence.strong : confidence.trace;
  }
  if (!isUrl) return 0;
  if (threat === 'document')
    return imageElements.has(tag.name) ? confidence.hint : confidence.certain;
  return imageElements.has(tag.name) || attribute.name === 'poster' ? 0 : confidence.strong;
}
