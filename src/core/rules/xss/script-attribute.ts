import { html } from '../../grammars/html/html.ts';
import type { HtmlAttribute, HtmlTag } from '../../grammars/html/html-tags.ts';
import { plainValue } from '../../grammars/html/markup.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** What a script does that probes a page. */
const calls: readonly string[] = ['alert', 'confirm(', 'prompt(', 'eval(', 'cookie'];

/** `<video poster=alert(1)>`, `<img src onerror / alt=alert(1)>`: script somewhere in a tag. */
export const scriptAttribute: ValueRule = {
  id: 'xss.script-attribute',
  severity: 'medium',
  score: confidence.likely,
  message: 'holds script inside of a tag, or asks for a scripting language',
  trigger: {
    classes: charClass.less,
    literals: [[...calls, 'scripttype', 'dataformatas', 'xss']],
  },
  judge: judgeTags,
  examples: [
    '<video poster=prompt(1)//></video>',
    '<a x=1 y onerror /"= alt=alert(1)//">',
    '<svg contentScriptType=text/vbs>',
    '<b datafld=x dataformatas=html>',
    'Nice. <xss:xss>hi</xss:xss> Thanks.',
  ],
  lookalikes: [
    '<a data-confirm="Are you sure?" href="/items/1">Delete</a>',
    '<button onClick={() => alert(props.text)}>Go</button>',
    '<a href="https://example.org/search?q=confirm()">how</a>',
    '<p title="see alert (3)">x</p>',
    'if (a <b && alert(x)) or <xss> as a word',
  ],
};

function judgeTags(subject: Subject): Match | undefined {
  const scoreOfTag = (tag: HtmlTag) => (tag.isEndTag ? scoreOfEnd(tag) : scoreOf(subject, tag));
  return strongest(subject.tokens(html).tags, scoreOfTag, 1);
}

/** An element that is named after what it tries, with an end or with attributes. */
function scoreOfEnd(tag: HtmlTag): number {
  return tag.name === 'xss' && tag.isClosed ? confidence.likely : 0;
}

function scoreOf(subject: Subject, tag: HtmlTag): number {
  if (tag.attributes.length === 0) return 0;
  if (tag.name === 'xss' && tag.isClosed) return confidence.likely;
  const { text } = subject;
  const language = plainValue(text, tag, 'contentscripttype');
  if (language.includes('vb') || language.includes('script')) return confidence.strong;
  if (plainValue(text, tag, 'dataformatas') === 'html') return confidence.strong;
  return tag.attributes.some((one) => holdsScript(subject, one)) ? confidence.likely : 0;
}

function holdsScript(subject: Subject, attribute: HtmlAttribute): boolean {
  const { text } = subject;
  const { valueStart, valueEnd } = attribute;
  if (valueEnd - valueStart < 5 || isPlain(text, valueStart)) return false;
  const value = text.slice(valueStart, valueEnd).toLowerCase();
  if (!calls.some((one) => value.includes(one))) return false;
  // A name such as `ipt:alert(1)` where a value was cut by its spaces.
  const script = subject.tokens(scriptPieces);
  return strongestScript(script, valueStart, valueEnd).strength >= 3;
}

/** A URL, or a component's expression. */
function isPlain(text: string, start: number): boolean {
  const code = text.charCodeAt(start);
  if (code === 123 || code === 47 || code === 35) return true;
  const scheme = text.slice(start, start + 7).toLowerCase();
  return scheme.startsWith('http') || scheme === 'mailto:';
}
