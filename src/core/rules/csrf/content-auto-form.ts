import { html } from '../../grammars/html/html.ts';
import type { HtmlAttribute, HtmlTag } from '../../grammars/html/html-tags.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `<form action="https://…"> … .submit()`: a form to another site that sends itself. */
export const contentAutoForm: ValueRule = {
  id: 'csrf.content-auto-form',
  cwe: 'CWE-352',
  severity: 'high',
  score: confidence.strong,
  message: 'holds a form to another site that is sent without the visitor',
  trigger: {
    classes: charClass.less | charClass.equals,
    literals: [['<form'], ['submit', 'click', 'requestsubmit']],
  },
  judge: judgeForm,
  examples: [
    '<form id=f action="https://bank.test/pay"></form><script>f.submit()</script>',
    '<body onload="document.forms[0].submit()"><form action="http://router.test/dns">',
    '<form action=//shop.test/order><input name=q><img src=x onerror=this.form.submit()></form>',
    '<form action="https://a.test/x"><button id=b></button></form><svg onload=b.click()>',
  ],
  lookalikes: [
    '<form action="/search" method="get"><input name="q"><input type="submit" value="Go"></form>',
    '<form action="https://example.org/subscribe" method="post"><input type="submit"></form>',
    'Use <form> and call form.submit() to send = it',
  ],
};

function judgeForm(subject: Subject): Match | undefined {
  const { text } = subject;
  const form = subject.tokens(html).tags.find((tag) => isForeignForm(text, tag));
  if (form === undefined) return undefined;
  const sent = sendsItself(text);
  if (sent < 0) return undefined;
  return { start: form.start, end: form.end };
}

function isForeignForm(text: string, tag: HtmlTag): boolean {
  if (tag.name !== 'form' || tag.isEndTag) return false;
  return tag.attributes.some((attribute) => isForeignAction(text, attribute));
}

function isForeignAction(text: string, attribute: HtmlAttribute): boolean {
  if (attribute.name !== 'action') return false;
  const start = text.slice(attribute.valueStart, attribute.valueEnd).trimStart().slice(0, 8);
  return start.startsWith('//') || start.toLowerCase().startsWith('http');
}

const sendingCalls = ['.submit(', '.requestsubmit(', '.click('];

/** Where a script sends a form or presses its button. */
function sendsItself(text: string): number {
  const lower = text.toLowerCase();
  for (const call of sendingCalls) {
    const at = lower.indexOf(call);
    if (at >= 0) return at;
  }
  return -1;
}
