import { html } from '../../grammars/html/html.ts';
import type { HtmlAttribute, HtmlTag } from '../../grammars/html/html-tags.ts';
import { changesOwnState, changesState, stateWords } from '../../knowledge/state-change.ts';
import { confidence } from '../../placement/confidence.ts';
import { firstOf, offsetsOf } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `<form action="https://…"> … .submit()`: a form to another site that sends itself. */
export const contentAutoForm: ValueRule = {
  id: 'csrf.content-auto-form',
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

/**
 * `<img src="https://bank.test/transfer?to=…">`: an element that changes state where it is loaded.
 */
export const contentVector: ValueRule = {
  id: 'csrf.content-vector',
  score: confidence.likely,
  message: 'loads a URL that changes state, with the cookies of the viewer',
  trigger: {
    classes: charClass.less | charClass.equals | charClass.slash,
    literals: [stateWords],
  },
  judge: judgeVector,
  examples: [
    '<img src="https://bank.test/transfer?amount=900&to=7" width=0 height=0>',
    '<iframe src="http://shop.test/account/delete?id=4" style="display:none">',
    '<img src=//forum.test/admin/users.php?action=promote&user=9>',
    '<img src="https://shop.test/account/email?to=x%40a.test" style="display:none">',
    '<link rel="stylesheet" href="https://bank.test/wire?amount=900&to=7">',
    '<img src="/logout" width="1" height="1" alt="">',
    '<video poster="https://shop.test/vote?option=3&submit=1"></video>',
    '<bgsound src="http://router.test/apply.cgi?change_password=1&pwd=x">',
    '<svg><image xlink:href="https://shop.test/items/remove?id=9"/></svg>',
    '<img src=http://10.0.0.138/system/reboot.htm>',
    '<img src="https://shop.test/admin/deleteUser?id=7" hidden>',
    '<video src="https://shop.test/vote?candidate=anna" autoplay></video>',
    '<link rel="stylesheet" href="https://shop.test/logout">',
    '<img src="https://shop.test/api/deleteAccount">',
    '<img src="https://forum.test/badge/follow?user=anna&confirm=1">',
    '<img src="https://shop.test/api/badge/delete-a-red?delete=1&confirm=1">',
    '<img src="https://shop.test/account/delete?confirm=1">',
    '<input type="image" src="https://shop.test/cart/checkout?confirm=true">',
    '<img src=http://192.168.1.1/apply.cgi?dns1=203.0.113.5>',
    '<svg><feImage href="https://shop.test/items/remove?id=9"/></svg>',
    '<input type=image src="/logout" width=1 height=1>',
  ],
  lookalikes: [
    '<svg><image href="https://cdn.example.org/remove.png?id=9" width="20"/></svg>',
    '<img src="http://192.168.1.20:8080/shutdown-diagram.png" alt="plan">',
    ...['<img src="http://localhost:3000/images/42/edit">', '<img src="/account/delete.svg?v=2">'],
    '<img src="https://cdn.example.org/orders/2024/edit.png?w=200" alt="edit">',
    '<img src="https://cdn.example.org/img/logout" hidden>',
    '<img src="https://cdn.example.org/icons/delete-user.svg">',
    '<img src="https://cdn.example.org/icons/remove-background">',
    '<img src="https://cdn.example.org/deletedItems?size=20">',
    '<img src="http://192.168.1.20/snapshot.cgi?camera=2">',
    '<img src="https://cdn.example.org/checkout?w=200">',
    '<img src="/icons/logout" alt="log out"><img src="/logout.png">',
    '<video poster="https://cdn.example.org/poster.jpg?v=3"></video>',
    '<a href="https://example.org/account/delete?id=4">Delete my account</a>',
    '<img src="https://img.example.org/add?size=80x80">',
    '<img src="https://img.example.org/badge/follow-anna-1DA1F2?logo=x&style=flat">',
    '<img src="https://track.example.org/open?id=7&email=a%40b.test" width="1" height="1">',
    '<link rel="stylesheet" href="https://cdn.example.org/account/theme.css?v=3">',
  ],
};

const loadingElements: ReadonlySet<string> = wordSet(
  'img image feimage iframe frame embed object audio video source bgsound script link',
  'input',
);

function judgeVector(subject: Subject): Match | undefined {
  const { text } = subject;
  for (const tag of subject.tokens(html).tags) {
    if (tag.isEndTag || !loadingElements.has(tag.name)) continue;
    const isHidden = tag.name === 'link' || isUnseen(text, tag);
    for (const { name, valueStart, valueEnd } of tag.attributes) {
      if (!isLoaded(tag.name, name)) continue;
      const isForeign = changesState(text, valueStart, valueEnd, isHidden);
      if (!isForeign && !(isImage(tag.name) && changesOwnState(text, valueStart, valueEnd)))
        continue;
      const score = isHidden || tag.name !== 'img' ? confidence.strong : confidence.likely;
      return { start: tag.start, end: tag.end, score };
    }
  }
  return undefined;
}

function isLoaded(element: string, attribute: string): boolean {
  if (element === 'link') return attribute === 'href';
  if (isDrawing(element) && (attribute === 'href' || attribute === 'xlink:href')) return true;
  return attribute === 'src' || attribute === 'data' || attribute === 'poster';
}

/** Elements of SVG that load a picture. */
function isDrawing(element: string): boolean {
  return element === 'image' || element === 'feimage';
}

function isImage(element: string): boolean {
  return element === 'img' || isDrawing(element) || element === 'input';
}

/** No higher or wider than a pixel, or hidden. */
function isUnseen(text: string, tag: HtmlTag): boolean {
  return tag.attributes.some(({ name, valueStart, valueEnd }) => {
    const value = text.slice(valueStart, valueEnd);
    if (name === 'hidden') return true;
    if (name === 'width' || name === 'height') return value === '0' || value === '1';
    const style = name === 'style' ? value.replaceAll(' ', '') : '';
    return style.includes('display:none') || style.includes('width:0');
  });
}
