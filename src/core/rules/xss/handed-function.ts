import { expression } from '../../grammars/script/expression/expression.ts';
import { dialogs, markupMembers, timers } from '../../knowledge/page.ts';
import { confidence } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';
import { strongestUse } from './expression.ts';

/** `''+{toString:alert}`, `[...{[Symbol.iterator]:alert}]`: a call that is written without brackets. */
export const handedFunction: ValueRule = {
  id: 'xss.handed-function',
  score: confidence.strong,
  message: 'hands a function of the page to the browser, which calls it by itself',
  trigger: {
    literals: [
      [
        ...dialogs,
        ...markupMembers,
        ...wordList(
          'print eval location document storage self[ window[ top[ parent[ opener[ frames[ globalthis[ fetch` open`',
        ),
        ...[...timers].map((name) => `${name}\``),
      ],
    ],
  },
  // With brackets it is read by xss.expression.
  judge: (subject) => {
    if ((subject.classes & charClass.paren) !== 0) return undefined;
    return strongestUse(subject, subject.tokens(expression));
  },
  examples: [
    "''+{toString:alert}",
    '[...{[Symbol.iterator]:alert}]',
    'a=[];a[Symbol.iterator]=confirm;[...a]',
    'toString=alert;self+``',
    'class A{static[Symbol.hasInstance]=alert}1 instanceof A',
    '{using x={[Symbol.dispose]:alert}}',
    "self['onload']=alert",
    'RegExp.prototype.exec=alert;/a/[Symbol.match]`b`',
    '[alert][0]`1`',
    "';onerror=print;throw 1//",
    "';x=document.body;x.innerHTML=name//",
    'Array.from`1${alert}`',
    '";setTimeout`${name}`//',
    '1;location=name',
    '1;x.outerHTML=name',
    '";document.title=1;void"',
    "'-localStorage.token-'",
    "';document['cookie']//",
    "this ['prompt'] `1`",
    "';self[name]=1;'",
    "';window['loc'+'ation']=name//",
    "';[location.href]=['//e.example'];'",
  ],
  lookalikes: [
    'const state = { alert: alert, prompt, confirm: null };',
    'toString = print, or so the manual says',
    'options: {prompt: prompt, print: print}',
    'this.alert = alert; this.prompt = prompt;',
    'The buttons are [alert], [confirm] and [print].',
    'export { alert, confirm };',
    'button.onclick = print;',
    '{get: print}',
    '{"get": alert}',
    "el.innerHTML = '';\nel.outerHTML = html;",
    "the user's location = 'Rome', // and more",
    '1;location=Rome',
    '"title": document.title, "size": 5',
    'Bearer ${localStorage.token}',
  ],
};
