import type { HtmlAttribute, HtmlTag } from '../../grammars/html/html-tags.ts';
import { isComponentProperty, squeeze } from '../../grammars/html/markup.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { wordsStartingWithOn } from '../../knowledge/page.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongestAttribute } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `<img onerror=…>`: an attribute whose name is `on` and letters, on any element. */
export const eventHandler: ValueRule = {
  id: 'xss.event-handler',
  severity: 'critical',
  score: confidence.certain,
  message: 'gives an element an event handler, which is script',
  trigger: { classes: charClass.less | charClass.equals },
  judge: judgeEventHandler,
  examples: [
    '<img src=x onerror=alert(1)>',
    '<svg/onload=steal`1`//',
    '<details open ontoggle="top[8680439..toString(30)](1)">',
    "Hi <x onpointerrawupdate='eval(name)' style=display:block>hover</x>",
    '<video><source onerror\n=\nlocation=name>',
    '<form onsubmit={handleSubmit(alert(1))}>',
    '<img src=x onerror={(x=>location=name)()}>',
    '<img src=x onerror={handleError(x)}/alert(1)>',
    '<img src=x onerror={handleError(x)}\u00a0function/**/handleError(){remove()}>',
    '"><body/onhashchange=fetch("//evil.test")>',
  ],
  lookalikes: [
    '<b on sale="yes">New</b>',
    'Profit per unit <once = 4, twice = 8>',
    '<p class="onload">The onload="…" attribute is named here</p>',
    'for i <one = two',
    '<input value={text} onInput={e => setText(e.target.value)} />',
    '<form onSubmit={handleSubmit(onSubmit)} className="a">',
    '<button onClick={this.handleClick.bind(this)}>Save</button>',
    '```jsx\n<button onClick={handleClick}>Save</button>\n```',
  ],
};

function judgeEventHandler(subject: Subject): Match | undefined {
  if (!startOfName.test(subject.text)) return undefined;
  return strongestAttribute(subject, scoreOf);
}

/** What a text holds that has any handler: a look for it costs a tenth of reading the tags. */
const startOfName = /on/i;

function scoreOf(subject: Subject, tag: HtmlTag, attribute: HtmlAttribute): number {
  if (!attribute.name.startsWith('on') || attribute.valueStart === attribute.valueEnd) return 0;
  const { text } = subject;
  const letters = lettersOf(attribute.name);
  if (letters < 5) return 0;
  const { valueStart, valueEnd } = attribute;
  if (attribute.quote === 0 && isComponentProperty(text, valueStart, valueEnd))
    return confidence.trace;
  const value = squeeze(text, valueStart, valueEnd);
  if (value === '' || value === '…' || value === '...') return confidence.trace;
  const isWord = wordsStartingWithOn.has(attribute.name) || letters < attribute.name.length;
  const holdsScript = looksLikeScript(value);
  if (isWord) {
    const tokens = subject.tokens(scriptPieces);
    return strongestScript(tokens, valueStart, valueEnd).strength >= 1
      ? confidence.strong
      : confidence.trace;
  }
  if (holdsScript) return tag.isEndTag ? confidence.strong : confidence.certain;
  return tag.isClosed ? confidence.strong : confidence.likely;
}

/** Letters at the start of a name. */
function lettersOf(name: string): number {
  let count = 0;
  while (count < name.length && name.charCodeAt(count) >= 97 && name.charCodeAt(count) <= 122)
    count++;
  return count;
}

function looksLikeScript(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    if ('(=`;.[&\\'.includes(value.charAt(i))) return true;
  }
  return value.startsWith('javascript:');
}
