import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** Parameters with which a framework calls any function or sets any property. */
export const frameworkCall: ValueRule = {
  id: 'other.framework-call',
  cwe: 'CWE-470',
  severity: 'critical',
  score: confidence.certain,
  message: 'uses a known hole of a web framework to call functions or set properties of its own',
  trigger: {
    literals: [
      wordList(
        'invokefunction think\\ __construct classloader element_parents #post_render #pre_render',
        '#lazy_builder #access_callback #submit widgetconfig call_user_func_array executesolution',
        'makeviewvariableoptional phpunit _ignition',
      ),
    ],
  },
  judge: (subject) => {
    const text = subject.text.slice(0, textCharsMax);
    const isName = subject.where === 'name';
    for (const [form, nameOnly] of forms) {
      if (nameOnly && !isName) continue;
      const found = form.exec(text);
      if (found === null || (found[0] === '__construct' && !methodMember.test(subject.member)))
        continue;
      // In running text it is talked about.
      const isWord = subject.text.length < textCharsMax && !text.includes(' ');
      return foundBy(found, isName || isWord ? confidence.certain : confidence.hint);
    }
    return undefined;
  },
  examples: [
    { body: { path: '/index.php?s=index/think\\app/invokefunction&function=phpinfo&vars[0]=1' } },
    { body: { s: 'index/\\think\\Container/invokefunction', function: 'call_user_func_array' } },
    { body: { 'class.module.classLoader.resources.context.parent.pipeline.first.suffix': '.jsp' } },
    { body: { 'mail[#post_render][]': 'exec' } },
    { body: { 'class[module][classLoader][resources]': 'x' } },
    { body: { _method: '__construct', 'filter[]': 'exec' } },
    { body: { raw: '_method=__construct&filter[]=system&method=get&get[]=id' } },
    { body: { solution: 'Facade\\Ignition\\Solutions\\MakeViewVariableOptionalSolution' } },
  ],
  lookalikes: [
    'the method __construct of a class is called by new',
    'ThinkPHP had a hole in invokefunction years ago',
    { body: { 'class.name': 'Physics 1' } },
    'tests/vendor/phpunit is not deployed',
    'how do I use call_user_func_array with names',
    'class Foo extends think\\Model {}',
    'this.classLoader.getResource(name)',
  ],
};

const methodMember = /(?:^|\.)_method$/;
const textCharsMax = 2_000;

/** A form, and whether it counts in the name of a member only. */
const forms: readonly (readonly [RegExp, boolean])[] = [
  [/\\?think\\\w{1,40}(?:\\\w{1,40}){0,4}\/\w{2,40}/i, false],
  [/[/=&?]invokefunction(?:[&/?]|$)/i, false],
  [/(?:^|[&?])_?method=__construct(?:&|$)/i, false],
  [/[&?=]call_user_func_array&/i, false],
  [/(?:^|[&?.])class(?:\.|\[)(?:module\]?[.[]{1,2})?classloader[.[\]]/i, false],
  [/[?&]element_parents=[\w/]{0,60}(?:%23|#)\w/i, false],
  [/^__construct$/, false],
  [
    /\[#(?:post_render|pre_render|lazy_builder|access_callback|submit|validate|type|markup)\]/i,
    true,
  ],
  [/^(?:\w{1,20}\.)?widgetconfig\[code\]/i, true],
  [/\\Solutions\\MakeViewVariableOptionalSolution/i, false],
];
