import { squeezeStyle } from '../../grammars/css/style.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * A style without a tag: `" style="x:expression(…)` or a value that lands in a style attribute.
 */
export const bareStyle: ValueRule = {
  id: 'xss.bare-style',
  score: confidence.strong,
  message: 'is a style declaration that runs script or binds one',
  trigger: {
    classes: charClass.colon,
    literals: [['pression', 'ession(', 'binding', 'behavio', 'url(', '@im']],
  },
  judge: judgeBareStyle,
  examples: [
    '" style="x:expression(alert(1))',
    'color:red;width:expr/**/ession(document.title)',
    'x;-moz-binding:url(http://evil.test/x.xml#a)',
    'background:url("javascript:go(1)")',
    "behavior: url('http://evil.test/x.htc')",
  ],
  lookalikes: [
    'Regular expression: a pattern (see the manual)',
    'overscroll-behavior: contain; background: url(/img/a.png)',
    'JSON binding: url (optional), expression (required)',
    'width: calc(100% - 2em); expression: none',
  ],
};

const longTextChars = 16_384;

function judgeBareStyle(subject: Subject): Match | undefined {
  const { text } = subject;
  const style = squeezeStyle(text, 0, longTextChars);
  const isBound = style.includes('-moz-binding:url(') || style.includes(';binding:url(');
  if (isBound) return matchAt(text, 'binding', confidence.certain);
  if (style.includes('url(javascript:') || hasQuotedScriptUrl(style))
    return matchAt(text, 'url', confidence.strong);
  const isBehavior = style.includes('behavior:url(') || style.includes('behaviour:url(');
  if (isBehavior && !style.includes('<')) return matchAt(text, 'behavio', confidence.strong);
  const at = style.indexOf(':expression(');
  if (at < 0) return undefined;
  const place = text.toLowerCase().lastIndexOf('ession');
  const evidence = strongestScript(subject.tokens(scriptPieces), place, text.length);
  const isStyle = evidence.strength >= 1 || style.includes('style=');
  return matchAt(
    text,
    'expression',
    isStyle
      ? confidence.strong
      : text.includes(': expression (')
        ? confidence.trace
        : confidence.hint,
  );
}

function hasQuotedScriptUrl(style: string): boolean {
  return style.includes('url("javascript:') || style.includes("url('javascript:");
}

/** The line around the first occurrence of a word; the whole text where it is in disguise. */
function matchAt(text: string, word: string, score: number): Match {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  return { start: at, end: Math.min(text.length, at + 80), score };
}
