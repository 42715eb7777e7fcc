import { html } from '../../grammars/html/html.ts';
import type { HtmlAttribute, HtmlTag } from '../../grammars/html/html-tags.ts';
import { changesState, stateWords } from '../../knowledge/state-change.ts';
import { confidence } from '../../placement/confidence.ts';
import { firstOf, offsetsOf } from '../../placement/evidence.ts';
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

/**
 * `![](https://bank.test/transfer?…)`, `[img]…[/img]`, `url(…)` of a style: loaded without a click.
 */
export const contentImage: ValueRule = {
  id: 'csrf.content-image',
  cwe: 'CWE-352',
  severity: 'high',
  score: confidence.likely,
  message: 'shows a picture whose URL changes state, with the cookies of the viewer',
  trigger: { literals: [['![', '[img', 'url('], stateWords] },
  judge: judgeImage,
  examples: [
    '![ ](https://shop.test/admin/users/delete?id=1&confirm=yes)',
    '![ ]( https://shop.test/admin/users/delete?id=1&confirm=yes)',
    '[img]http://bank.test/transfer.do?acct=7&amount=100[/img]',
    '[IMG=100x100]https://forum.test/post.php?action=delete&id=4[/IMG]',
    '<div style="background:url(\'https://shop.test/account/close?confirm=true\')">',
  ],
  lookalikes: [
    '![delete](https://cdn.example.org/icons/delete.png?v=2)',
    '![build](https://ci.example.org/badge?branch=main&style=flat)',
    '[img]https://i.example.org/add.gif?x=1[/img]',
    '<p style="background:url(https://cdn.example.org/order.jpg?w=1200)">x</p>',
    '[delete](https://example.org/account/delete?id=1&confirm=yes)',
  ],
};

/** How a picture begins, and what ends its URL. */
const openers: readonly (readonly [string, string])[] = [
  ['![', ')'],
  ['[img', '['],
  ['url(', ')'],
];

/** Characters of the words in brackets, and of a URL. */
const nameCharsMax = 120;
const urlCharsMax = 400;

function judgeImage(subject: Subject): Match | undefined {
  const { text } = subject;
  const lower = text.toLowerCase();
  for (const [opener, closer] of openers) {
    for (const at of firstOf(subject, offsetsOf(lower, opener))) {
      const start = urlStart(lower, at, opener);
      const length = start < 0 ? -1 : lower.slice(start, start + urlCharsMax).indexOf(closer);
      if (length > 0 && changesState(text, start, start + length, true)) {
        return { start: at, end: start + length };
      }
    }
  }
  return undefined;
}

/** Offset of the URL, -1 when there is none. */
function urlStart(text: string, at: number, opener: string): number {
  let start = at + opener.length;
  if (opener !== 'url(') {
    const name = text.slice(start, start + nameCharsMax);
    const close = name.indexOf(opener === '![' ? '](' : ']');
    if (close < 0) return -1;
    start += close + (opener === '![' ? 2 : 1);
  }
  while (isSkipped(text.charCodeAt(start))) start++;
  return start;
}

/** White space and quotation marks. */
function isSkipped(code: number): boolean {
  return code === 32 || code === 34 || code === 39;
}
