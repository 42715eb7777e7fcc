import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * `{{constructor.constructor('…')()}}`: an expression of a client-side template with script in it.
 */
export const clientTemplate: ValueRule = {
  id: 'xss.client-template',
  score: confidence.certain,
  message: 'is a template expression that leaves its sandbox and runs script',
  trigger: {
    classes: charClass.brace,
    literals: [
      ['{{', '${', '[[', '#{'],
      ['constructor', 'alert', 'eval', 'prompt', 'confirm', 'proto'],
    ],
  },
  judge: judgeTemplate,
  examples: [
    "{{constructor.constructor('alert(1)')()}}",
    "{{$on.constructor('x()')()}}",
    "{{'a'.constructor.prototype.charAt=[].join;$eval('x=1')}}",
    '${alert(1)}',
  ],
  lookalikes: [
    'Hello {{ user.name }}, please confirm {{ count }} items',
    'The constructor of {{class}} takes ${n} arguments',
    '{{alert|Please note}} and {{prompt}}',
    'log(`value ${value} of ${prompt}`)',
  ],
};

const openers = ['{{', '${', '#{'];

/** Characters of one expression that are looked at. */
const expressionCharsMax = 400;

function judgeTemplate(subject: Subject): Match | undefined {
  const { text } = subject;
  const tokens = subject.tokens(scriptPieces);
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const opener = openers.find((one) => text.startsWith(one, one === '{{' ? at : at - 1));
    if (opener === undefined) continue;
    const start = opener === '{{' ? at : at - 1;
    const closer = text.indexOf('}', at + 2);
    if (closer < 0) break;
    const end = Math.min(closer, at + expressionCharsMax);
    const { strength } = strongestScript(tokens, at + 1, end);
    if (strength >= 3)
      return { start, end: Math.min(end + 1, text.length), score: confidence.certain };
    at = Math.max(at, end - 1);
  }
  return undefined;
}
