import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * `java<!-- -->script:`, `<![CDATA[<]]>script`: markup in pieces, put together by an XML parser.
 */
export const splitMarkup: ValueRule = {
  id: 'xss.split-markup',
  score: confidence.strong,
  message: 'hides a script element or URL in pieces between comments or CDATA sections',
  trigger: {
    classes: charClass.less,
    literals: [
      ['cdata[', '<!--', '/**/'],
      ['ipt', 'cri'],
    ],
  },
  judge: judgeSplit,
  examples: [
    '<xml id=x><i><img src="javas<!-- -->cript:go()"></i></xml>',
    '<![CDATA[<]]>script<![CDATA[>]]>go()<![CDATA[<]]>/script<![CDATA[>]]>',
    '<scr/**/ipt>go()</scr/**/ipt>',
    '<c><![CDATA[<img src="jav]]><![CDATA[ascript:go()">]]></c>',
  ],
  lookalikes: [
    '<p>A <!-- draft --> transcript of the <b>script</b></p>',
    '<![CDATA[The description]]> of a <i>manuscript</i>',
    'see src/**/scripts/*.ts for <b>more</b>',
  ],
};

/** Characters that are looked at. */
const textCharsMax = 32_768;

function judgeSplit(subject: Subject): Match | undefined {
  const text = subject.text.slice(0, textCharsMax).toLowerCase();
  const joined = join(text);
  for (const word of ['<script', 'javascript:', 'vbscript:']) {
    if (joined.includes(word) && !text.includes(word)) {
      const start = Math.max(0, firstPiece(text));
      return { start, end: Math.min(text.length, start + 120), score: confidence.strong };
    }
  }
  return undefined;
}

const pieces = ['<![cdata[', '<!--', '/**/'];

function firstPiece(text: string): number {
  const places = pieces.map((piece) => text.indexOf(piece)).filter((place) => place >= 0);
  return Math.min(...places);
}

/** Removes short comments, and the marks around CDATA sections. */
function join(text: string): string {
  let joined = '';
  let from = 0;
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', at + 1)) {
    if (at < from) continue;
    const length = text.slice(at + 4, at + 68).indexOf('-->');
    if (length < 0) continue;
    joined += text.slice(from, at);
    from = at + 4 + length + 3;
  }
  joined += text.slice(from);
  return joined.replaceAll('<![cdata[', '').replaceAll(']]>', '').replaceAll('/**/', '');
}
