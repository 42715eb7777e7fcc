import { html } from '../../grammars/html/html.ts';
import type { HtmlTag } from '../../grammars/html/html-tags.ts';
import { changesOwnState, changesState, stateWords } from '../../knowledge/state-change.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * `<img src="https://bank.test/transfer?to=…">`: an element that changes state where it is loaded.
 */
export const contentVector: ValueRule = {
  id: 'csrf.content-vector',
  cwe: 'CWE-352',
  severity: 'high',
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
    '<img src="https://shop.test/account/delete?confirm=1">',
    '<input type="image" src="https://shop.test/cart/checkout?confirm=true">',
    '<img src=http://192.168.1.1/apply.cgi?dns1=203.0.113.5>',
    '<svg><feImage href="https://shop.test/items/remove?id=9"/></svg>',
    '<input type=image src="/logout" width=1 height=1>',
  ],
  lookalikes: [
    '<svg><image href="https://cdn.example.org/remove.png?id=9" width="20"/></svg>',
    '<img src="http://192.168.1.20:8080/shutdown-diagram.png" alt="plan">',
    '<img src="http://localhost:3000/images/42/edit">',
    '<img src="https://cdn.example.org/orders/2024/edit.png?w=200" alt="edit">',
    '<img src="/account/delete.svg?v=2">',
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
