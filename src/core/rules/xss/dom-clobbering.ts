import { html } from '../../grammars/html/html.ts';
import type { HtmlTag } from '../../grammars/html/html-tags.ts';
import { plainValue } from '../../grammars/html/markup.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Named elements that take the place of properties which the page's scripts rely on. */
export const domClobbering: ValueRule = {
  id: 'xss.dom-clobbering',
  severity: 'medium',
  score: confidence.strong,
  message: 'names elements so that they replace properties of the document or of a form',
  trigger: { classes: charClass.less | charClass.equals, literals: [['name', 'id=']] },
  judge: judgeClobbering,
  examples: [
    '<form id=x><input name=attributes><input name=parentNode></form>',
    '<img name=getElementById>',
    '<a id=config></a><a id=config name=url href="//evil.test/x.js">',
    '<form name=cookie></form>',
  ],
  lookalikes: [
    '<a id="top" name="top" href="#top">Top</a><a id="end" href="#">End</a>',
    '<form id="login"><input name="email"><input name="action" value="go"></form>',
    '<img name="logo" src="/logo.png"><img name="title" src="/t.png">',
    '<input name="body"><textarea name="title"></textarea>',
  ],
};

/** Members of a document, form or node that scripts call or read; no everyday field names. */
const members: ReadonlySet<string> = wordSet(
  'addeventlistener appendchild attributes childnodes children cookie createelement',
  'currentscript defaultview documentelement firstchild getattribute getelementbyid',
  'getelementsbytagname implementation innerhtml insertbefore lastchild namespaceuri',
  'nextsibling nodename nodetype nodevalue ownerdocument parentelement parentnode',
  'queryselector queryselectorall removeattribute removechild setattribute shadowroot',
  'tagname textcontent write writeln',
);

const namedOnDocument = wordSet('img form embed object iframe');
const namedInForm = wordSet('input button output select textarea');

function judgeClobbering(subject: Subject): Match | undefined {
  const { text } = subject;
  let anchor = '';
  let isInForm = false;
  for (const tag of subject.tokens(html).tags) {
    if (tag.name === 'form') isInForm = !tag.isEndTag;
    if (tag.isEndTag || tag.attributes.length === 0) continue;
    const score = scoreOf(text, tag, isInForm, anchor);
    if (score > 0) return { start: tag.start, end: tag.end, score };
    if (tag.name === 'a') anchor = plainValue(text, tag, 'id');
  }
  return undefined;
}

function scoreOf(text: string, tag: HtmlTag, isInForm: boolean, anchor: string): number {
  const name = plainValue(text, tag, 'name');
  const id = plainValue(text, tag, 'id');
  // Two anchors of one id are a collection, and its second member is found by name.
  if (tag.name === 'a' && id !== '' && id === anchor && name !== '') return confidence.strong;
  const isNamed = namedOnDocument.has(tag.name) || (isInForm && namedInForm.has(tag.name));
  if (!isNamed) return 0;
  return members.has(name) || members.has(id) ? confidence.strong : 0;
}
