import { delimiters, Expressions } from '../../grammars/template/expressions.ts';
import { family, templateToken } from '../../grammars/template/template.ts';
import { pythonAttributes } from '../../knowledge/template-objects.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `{{ ''.__class__.__mro__[1].__subclasses__() }}`, `{{ x|attr('__globals__') }}` */
export const objectWalk: ValueRule = {
  id: 'ssti.object-walk',
  severity: 'critical',
  score: confidence.certain,
  message: 'walks from a template variable to the inside of the interpreter',
  trigger: {
    literals: [
      delimiters,
      [
        ...wordList(
          '__ func_globals gi_frame f_globals attr gi_code im_func _nsattr mro constructor',
          '%{# %{(#',
        ),
        '%{ #',
      ],
    ],
  },
  judge,
  examples: [
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    '{{ x.__init__.__globals__ }}',
    "{{ request|attr('__class__') }}",
    '{% if g.__dict__ %}a{% endif %}',
    "{{ ()['__class__']['__base__'] }}",
    '${x.__globals__.os}',
    "{{''.constructor}}",
    ...["{{ x['__cla'] }}", "{{''['__ssalc__'[::-1]]}}"],
    '{{ [].constructor }}',
    "%{(#_='multipart/form-data')}",
    '%{#a=7}',
  ],
  lookalikes: [
    'def f(self, test: Callable[[Exception], bool]) -> None:\n    def __call__(self):',
    'Hello {{ first_name }}, see __init__.py',
    'return f"<{self.__class__.__name__} {self.id}>"',
    "return '<%s: %s>' % (self.__class__.__name__, self.name)",
    '{{ user.__html__ }} is what Jinja calls',
    'Python has __class__ and {placeholders}',
    '<input data-attr="{{ attr }}">',
    '%{count} of %{#} items',
    '{{ item().constructor.name }} and {{ race().constructor.title }}',
    '{{ race.constructor }} won {{ constructor.points }} points',
  ],
};

function judge(subject: Subject): Match | undefined {
  const expressions = new Expressions(subject);
  for (let i = 0; i < expressions.tokens.count; i++) {
    const kind = expressions.kind(i);
    const isName = kind === templateToken.name;
    if (isName && pythonAttributes.has(expressions.content(i)) && !expressions.isTypeName(i))
      return expressions.evidence(i);
    if (kind === templateToken.string && namesAttribute(expressions.folded(i)))
      return expressions.evidence(i);
    // `%{#a=…}`: a name of the context, which OGNL marks so.
    const isContext = isName && expressions.isMark(i - 1, '#');
    if (isContext && expressions.family(i) === family.percent) return expressions.evidence(i);
    if (isName && isConstructor(expressions, i))
      return { ...expressions.evidence(i), score: confidence.strong };
    if (isName && isAttrFilter(expressions, i))
      return { ...expressions.evidence(i), score: confidence.strong };
  }
  return undefined;
}

/** `'__class__'`, and strings that are built on: `'__cla'`. */
function namesAttribute(text: string): boolean {
  if (pythonAttributes.has(text)) return true;
  // `'__ssalc__'[::-1]`
  if (backwards.test(text) && pythonAttributes.has([...text].reverse().join(''))) return true;
  return attributePart.test(text) && walkStarts.some((one) => one.startsWith(text));
}

const backwards = /^__[a-z_]{3,16}__$/;
const attributePart = /^__[a-z]{2,10}_{0,2}$/;

const walkStarts: readonly string[] = wordList(
  '__class__ __mro__ __base__ __subclasses__ __globals__ __builtins__ __init__ __import__',
  '__getitem__ __dict__',
);

/** `{{''.constructor}}`: of a constant, by which a template of script comes to its functions. */
function isConstructor(expressions: Expressions, index: number): boolean {
  if (expressions.content(index) !== 'constructor' || !expressions.isMark(index - 1, '.')) {
    return false;
  }
  const isText = expressions.kind(index - 2) === templateToken.string;
  const isList = expressions.isMark(index - 2, ']') && expressions.isMark(index - 3, '[');
  return isText || isList;
}

/** Jinja's `|attr(`, which nobody needs but to write an attribute as a string. */
function isAttrFilter(expressions: Expressions, index: number): boolean {
  return (
    expressions.content(index) === 'attr' &&
    expressions.isMark(index - 1, '|') &&
    expressions.isMark(index + 1, '(')
  );
}
