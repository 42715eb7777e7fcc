import { charClass } from '../../text/char-class.ts';
import { type HtmlAttribute, html } from '../../tokenise/html.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { scriptPieces, strongestScript } from './script-pieces.ts';

/** `<a @click="…">`, `<x ng-init=…>`: attributes that a client-side framework runs as script. */
export const clientDirective: ValueRule = {
  id: 'xss.client-directive',
  category: 'xss',
  cwe: 'CWE-79',
  severity: 'high',
  score: 85,
  message: 'gives a client-side framework an attribute that it runs as script',
  trigger: {
    classes: charClass.less | charClass.equals,
    literals: [['ng-', 'ng:', 'v-', ' @', '/@', '"@', ' :', 'x-', 'hx-on', 'data-bind', '(click']],
  },
  judge: judgeDirective,
  examples: [
    '<div ng-app><input ng-focus=$event.view.alert(1)></div>',
    `<x @click="_c.constructor('go()')()">hi</x>`,
    '<div x-data x-init="alert(1)"></div>',
    '<p v-on:click="eval(name)">',
  ],
  lookalikes: [
    '<li v-for="item in items" :key="item.id">{{ item.name }}</li>',
    '<button @click="save(item)" :disabled="busy">Save</button>',
    '<div x-data="{ open: false }" ng-class="{active: on}">x</div>',
    '<p data-x-ray="alert">mail x @home = office</p>',
  ],
};

const prefixes = ['ng-', 'ng:', 'data-ng', 'x-ng', 'v-', '@', ':', 'x-', 'hx-on', 'data-bind', '('];

function judgeDirective(subject: Subject): Match | undefined {
  for (const tag of subject.tokens(html).tags) {
    for (const attribute of tag.attributes) {
      if (attribute.valueEnd <= attribute.valueStart || !isDirective(attribute)) continue;
      const tokens = subject.tokens(scriptPieces);
      const evidence = strongestScript(tokens, attribute.valueStart, attribute.valueEnd);
      if (evidence.strength < 3) continue;
      return { start: attribute.start, end: attribute.valueEnd, score: 88 };
    }
  }
  return undefined;
}

function isDirective(attribute: HtmlAttribute): boolean {
  return prefixes.some((prefix) => attribute.name.startsWith(prefix));
}
