import { Expressions } from '../../grammars/template/expressions.ts';
import {
  computesKey,
  holdsSecret,
  keyAt,
  listsMembers,
} from '../../grammars/template/freemarker.ts';
import { bareTemplate, templateToken } from '../../grammars/template/template.ts';
import { pythonAttributes, secretMembers } from '../../knowledge/template-objects.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { ratedIf } from '../../placement/template-evidence.ts';
import { firstQuote } from '../../text/closing-quote.ts';
import { wordList, wordMap, wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';
import { arithmetic } from './arithmetic.ts';
import { builtInScore, handedScore } from './dangerous-call.ts';
import { holdsClassMember, isClassMember } from './java-reference.ts';

/** `config.secret_key`, `"~(1.__class__.__mro__)~"`: the value stands inside of an expression already. */
export const bareExpression: ValueRule = {
  id: 'ssti.bare-expression',
  score: confidence.likely,
  message: 'is an expression by which a template engine shows what it was not given to show',
  trigger: {
    isOfValues: true,
    literals: [
      [
        ...wordList(
          'require __ config constructor _context constant | process. process[ .ancestors',
        ),
        ...[
          ...wordList('?new freemarker. eval lower_abc upper_abc class [("', "[('"),
          ...['? new'],
        ],
        ...['"~', '"+', "'~", "'+", '" ~', '" +', "' ~", "' +", '= ', '!='],
      ],
    ],
  },
  examples: [
    ...['config.secret_key', "config['secr'~'et_key']", 'config|dump', '_context|json_encode'],
    ...["['id',0]|sort('system')|join", "['id',0] | sort ('system') | join", "constant ('PHP_OS')"],
    "config['yek_terces'.split('').reverse().join('')]",
    ...["constant('PHP_OS')", '1.__class__.__mro__', "lipsum['__glo'~'bals__']['os']"],
    ...['[].constructor.constructor', '[]["constructor"].constructor'],
    "[]['constr'+'uctor']['constructo'+'r']",
    "JSON.stringify(process['env'])+process['version']",
    'self.class.ancestors',
    'JSON.stringify(process.env)+process.version',
    '"~(config)~"',
    `${'It came too late, and so on. '.repeat(40)}"~(config)~" it's so`,
    ...['"+(2_786*0x234d)+"', '\n!= config.secret_key', '\n- var a1=(1076*5214)\np= a1'],
    '"freemarker.template.utility.Execute"?new()("id")',
    ...['"config"?eval.secret_key', '15?lower_abc+2?lower_abc+18?lower_abc'],
    ...['user.class.getMethods()[0]', 'user \n.\n class .getMethods ( )[0]'],
    ...["user['class'].getMethods()[0]", '"+(user<#---->.getClass())+"'],
    ...["config[(('secr'+r'et_ke')+'y')]", '.vars["config"].secret_key'],
    ...["config[('secret_ke'+'y')]", "config['zzsecret_key'[2..]]"],
    '"+(config?values?join(","))+"',
    '<#list 1..1 as i>" + (9261 * 8909) + "</#list>',
    ...['"<#-- x -->+(user.class.name)[#----]+"', 'user[("cla"+"ss")].getMethods()[0]'],
    ...['user[r"class"][r"getMethods"]()[0]', "user['class']['zzprotectionDomain'[2..]]"],
    ...['.vars[("config"?trim)].secret_key', "constant('PHP'~'_OS')", "'3144*9666' \n? eval"],
    `'freemarker.template.utility.Execute' \t?\nnew()\n("id")`,
    ...["[429,config['secret']]", '(config.secret)', '(83)+(JSON.stringify(config))'],
    ...['Object.values(config)', '( (/**/367 )+(/*x*/config.secret//\n) )'],
    ...['(77)+(JSON.stringify( /* x */ config//\n))', "require('./config.json').password"],
    "require('../settings').db['password']",
    ...['_context.app', "process.env+''", '"+process.env+"', '"+config.to_a+"'],
    ...['.globals.config.secret_key', 'config[:secret_key]', '[429,config.secret]'],
  ],
  lookalikes: [
    ...['app.config.name', 'config.secret', 'const text = JSON.stringify(config);'],
    ...['JSON.stringify(config.theme)', 'hook.config.secret', 'app/config.secret'],
    ...['config.read,config.secret', 'config.secret.name', 'the [config.secret] of a hook'],
    ...["row['class']", "user['class'].name", "table[('class')].rows", 'config.site_name'],
    ...['MyClass.__init__', 'self.__class__.__name__', 'item.constructor.name'],
    ...["items|sort('price')|map('name')", "items | sort ('price') | map ('name')"],
    "config['nav'][page].title",
    "the rule: require ('./password') | sort ('system')",
    'config',
    'the config.secret_key of the server is in the manual',
    ...['process.env.NODE_ENV', '"+1"', "constant('x') is a function of Twig", 'area\n= 12*13'],
    ...['config|docs', 'isOpen?new:old', 'x.class.name', 'user.class.methods', 'a?eval:b'],
    ...['config?values:keys', 'He wrote "+(a * b)+" there'],
    `${'It came too late, and so on. '.repeat(40)}"+(a * b)+" it's so`,
    ...['config.theme // see config.secret\n', 'https://www.example.com/config/*'],
    "require('./package.json').version",
    ...['page.ancestors', "page.constant('A')", "constant('A')+1"],
    "const { token } = require('./config.json');",
    "require('./config.json').token goes into login()",
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    const score =
      strongestOf(subject, text) ||
      (text.length > wholeCharsMax ? 0 : strongestOf(subject, withoutComments(text)));
    return score > 0 ? { start: 0, end: text.length, score } : undefined;
  },
};

function strongestOf(subject: Subject, text: string): number {
  if (text === '') return 0;
  for (const { inner, isInside } of expressionsOf(text)) {
    const score = scoreOf(subject, inner, isInside);
    if (score > 0) return score;
  }
  return 0;
}

/** Less the comments of ECMAScript (12.4), on one line; `''` where there is none. */
function withoutComments(text: string): string {
  let plain = '';
  let copied = 0;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', Math.max(copied, at + 1))) {
    const next = text.charAt(at + 1);
    if (next !== '/' && next !== '*') continue;
    const close = text.indexOf(next === '/' ? '\n' : '*/', at + 2);
    plain += `${text.slice(copied, at)} `;
    copied = close < 0 ? text.length : close + (next === '/' ? 1 : 2);
  }
  return copied === 0 ? '' : (plain + text.slice(copied)).replace(blanks, ' ').trim();
}

const blanks = /\s+/g;
const linesMax = 8;

interface Piece {
  readonly inner: string;
  /** The value leads into an expression: behind a string that it closes, or on a line of code. */
  readonly isInside: boolean;
}

/** The value itself; without the string around it; lines of code of Pug behind a line break. */
function expressionsOf(text: string): Piece[] {
  const joined = joinedTo(text);
  if (joined !== undefined) return [{ inner: joined, isInside: true }];
  if (text.length > wholeCharsMax) return [];
  const whole = { inner: text.trim(), isInside: false };
  if (!text.includes('\n')) return [whole];
  const [first = '', ...lines] = text.split('\n', linesMax);
  if (!oneWord.test(first)) return [whole];
  const code = lines.flatMap((line) => codeLine.exec(line)?.[1] ?? []);
  return [whole, ...code.map((inner) => ({ inner: inner.trim(), isInside: true }))];
}

const wholeCharsMax = 300;

/** What is joined to the string that the first quote ends and the last one begins again; any text may stand around it. */
function joinedTo(text: string): string | undefined {
  const start = firstQuote(text);
  if (start < 0) return undefined;
  const [all = '', quote = '', , inner] = outOfString.exec(text.slice(start, start + 300)) ?? [];
  return all !== '' && !text.includes(quote, start + all.length) ? inner : undefined;
}

const outOfString = /^(["'])\s{0,4}([~+])([\s\S]{1,280})\2\s{0,4}\1/;
const oneWord = /^\w{0,40}\s{0,4}$/;
/** https://pugjs.org/language/code.html: buffered, unescaped, and a variable. */
const codeLine =
  /^[ \t]{0,20}(?:(?:(?:p|b|i|a|div|span|h[1-6]|li|td|pre|em)=|[a-z\d]{0,10}!=)|-[ \t]{0,4}(?:var|let|const)[ \t]{1,4}\w{1,40}[ \t]{0,4}=)[ \t]{0,4}(\S.{0,280})$/;

function scoreOf(subject: Subject, inner: string, isInside: boolean): number {
  const tokens = bareTemplate.read(inner);
  const text = `{{${inner}}}`;
  const alone: Subject = { ...subject, text, tokens: () => tokens as never, incomplete: () => {} };
  const expressions = new Expressions(alone);
  if (!isExpression(expressions)) return 0;
  let walks = 0;
  for (let i = 1; i < tokens.count - 1; i++) {
    if (pythonAttributes.has(expressions.folded(i))) walks++;
    const score = evidenceAt(expressions, i, isInside);
    if (score > 0) return score;
  }
  if (walks > (isInside ? 0 : 1) && !expressions.text.includes('__name__')) {
    return confidence.strong;
  }
  return isInside && arithmetic.judge(alone) !== undefined ? confidence.likely : 0;
}

/** One expression to the end: no word stands beside another, as in a sentence. */
function isExpression({ tokens, text }: Expressions): boolean {
  const { count, kinds, ends } = tokens;
  if (ends[count - 1] !== text.length) return false;
  for (let i = 1; i < count; i++) {
    const isPair = kinds[i] === templateToken.name && kinds[i - 1] === templateToken.name;
    if (isPair || kinds[i] === templateToken.open) return false;
  }
  return true;
}

function evidenceAt(expressions: Expressions, index: number, isInside: boolean): number {
  const name = expressions.folded(index);
  const judge = judges.get(name);
  if (judge !== undefined) return judge(expressions, index, isInside);
  const builtIn = builtIns.has(name) ? builtInScore(expressions, index, name) : 0;
  if (builtIn > 0) return builtIn;
  return isCallback(expressions, index) ? confidence.strong : 0;
}

type Judge = (expressions: Expressions, index: number, isInside: boolean) => number;

const judges: ReadonlyMap<string, Judge> = wordMap<Judge>(
  [ratedIf(confidence.strong, (tokens, i) => memberOf(tokens, i) === 'constructor'), 'constructor'],
  // Jinja's `lipsum.__globals__`
  [ratedIf(confidence.strong, (tokens, i) => memberOf(tokens, i).startsWith('__')), 'lipsum'],
  [
    ratedIf(confidence.strong, (tokens, i) => tokens.member(i) > 0 || tokens.isMark(i + 1, '|')),
    '_context',
  ],
  [ratedIf(confidence.likely, isWholeCall), 'constant'],
  [ratedIf(confidence.likely, (tokens, i) => tokens.content(i - 2) === 'class'), 'ancestors'],
  [configScore, 'config'],
  [processScore, 'process'],
  [classMemberScore, 'class getClass'],
  [keyScore, '['],
  [moduleScore, 'require'],
);

/** Not `?api`, which is the start of a query as well. */
const builtIns: ReadonlySet<string> = wordSet('new eval lower_abc upper_abc');

/** The name of the member that is asked of a name, `''` where none is. */
function memberOf(expressions: Expressions, index: number): string {
  const member = expressions.member(index);
  return member > 0 ? expressions.folded(member) : '';
}

/** `process.env` as an argument, or joined to something; not `process.env.NODE_ENV`. */
function processScore(expressions: Expressions, index: number, isInside: boolean): number {
  const member = expressions.member(index);
  if (member < 0 || !hostMembers.has(expressions.folded(member))) return 0;
  const next = expressions.memberEnd(member) + 1;
  const isEnd = expressions.isMark(next, ')') || expressions.isMark(next, '+');
  const isLast = isInside && expressions.kind(next) === templateToken.close;
  return isEnd || isLast ? confidence.likely : 0;
}

const hostMembers: ReadonlySet<string> = new Set(['env', 'version', 'pid', 'mainModule']);

/** The call of a name with one string, and nothing else. */
function isWholeCall(expressions: Expressions, index: number): boolean {
  if (!expressions.isMark(index + 1, '(') || !expressions.isFirst(index)) return false;
  const isString = expressions.kind(index + 2) === templateToken.string;
  const end = expressions.foldedEnd(index + 2) + 1;
  return isString && expressions.isMark(end, ')') && expressions.tokens.count === end + 2;
}

/** A member by a key that may be put together: `user[("cla"+"ss")]`, `.vars[("config"?trim)]`. */
function keyScore(expressions: Expressions, index: number, isInside: boolean): number {
  const { text, end } = keyAt(expressions, index);
  if (isSpecial(expressions, index - 1) && text.includes('config')) {
    const member = expressions.folded(end + 1).toLowerCase();
    const isSecret = secretMembers.has(member) || holdsSecret(expressions, end);
    return isSecret ? confidence.strong : 0;
  }
  return classKey.test(text) ? classScore(expressions, end, isInside) : 0;
}

const classKey = /class(?![a-z])/i;

function classMemberScore(expressions: Expressions, index: number, isInside: boolean): number {
  return expressions.isMark(index - 1, '.') ? classScore(expressions, index + 1, isInside) : 0;
}

/** Behind the class of an object: `user.class.protectionDomain`, `x.getClass().forName(…)` */
function classScore(expressions: Expressions, end: number, isInside: boolean): number {
  const next = expressions.isMark(end, '(') ? end + 2 : end;
  const isFurther = expressions.isMark(next, '.')
    ? isClassMember(expressions.folded(next + 1))
    : expressions.isMark(next, '[') && holdsClassMember(keyAt(expressions, next).text);
  if (isFurther) return confidence.strong;
  return isInside ? confidence.likely : 0;
}

/** `require('./config.json').password`: a secret in a file beside the program. */
function moduleScore(expressions: Expressions, index: number): number {
  const { count } = expressions.tokens;
  if (!expressions.isFirst(index) || !callsFile(expressions, index)) return 0;
  const last = expressions.isMark(count - 2, ']') ? count - 3 : count - 2;
  return plainSecrets.has(expressions.content(last).toLowerCase()) ? confidence.likely : 0;
}

function callsFile(expressions: Expressions, index: number): boolean {
  const isCall = expressions.isMark(index + 1, '(');
  const isFile = isCall && programFile.test(expressions.content(index + 2));
  return isFile && expressions.isMark(expressions.foldedEnd(index + 2) + 1, ')');
}

const programFile = /^\.{0,2}\//;

const plainSecrets: ReadonlySet<string> = wordSet(
  'password passwd secret secret_key secretkey token api_key apikey private_key privatekey',
);

/** The settings of the application: one that is secret, or all of them. */
function configScore(expressions: Expressions, index: number, isInside: boolean): number {
  if (expressions.isMark(index - 1, '.') && !isSpecial(expressions, index - 2)) return 0;
  const isSymbol = expressions.isMark(index + 2, ':');
  const member = expressions.folded(isSymbol ? index + 3 : index + 2).toLowerCase();
  const behind = expressions.kind(index) === templateToken.string ? index + 2 : index + 1;
  if (expressions.isMark(behind, '.') || expressions.isMark(behind, '[')) {
    if (secretMembers.has(member) || holdsSecret(expressions, behind)) return confidence.strong;
    const isList = isInside && member === 'to_a';
    const isShown = isList || showsPlainSecret(expressions, behind);
    return isShown || computesKey(expressions, behind) ? confidence.likely : 0;
  }
  if (expressions.isMark(index + 1, '|')) return dumps.has(member) ? confidence.likely : 0;
  return showsAll(expressions, index, isInside) ? confidence.likely : 0;
}

function showsAll(expressions: Expressions, index: number, isInside: boolean): boolean {
  if (listsMembers(expressions, index) || isListed(expressions, index)) return true;
  const isAlone = expressions.isMark(index + 1, ')') || expressions.tokens.count === index + 2;
  return isInside && isAlone;
}

/** `config['secret']`, `[1,config.secret]`: without brackets it is a path as in forms and scopes. */
function showsPlainSecret(expressions: Expressions, behind: number): boolean {
  if (expressions.isMark(behind, '[')) return keyAt(expressions, behind).text === 'secret';
  const isInBrackets = expressions.isMark(behind + 2, ')') || expressions.isMark(behind + 2, ']');
  return isInBrackets && expressions.content(behind + 1) === 'secret';
}

/** `JSON.stringify(config)`, `Object.values(config)` */
function isListed(expressions: Expressions, index: number): boolean {
  const isArgument = expressions.isMark(index - 1, '(') && expressions.isMark(index + 1, ')');
  const owner = owners.get(expressions.content(index - 2));
  return isArgument && owner !== undefined && expressions.content(index - 4) === owner;
}

const owners: ReadonlyMap<string, string> = new Map([
  ['stringify', 'JSON'],
  ['values', 'Object'],
  ['entries', 'Object'],
]);

/** FreeMarker's `.vars["config"]`, `.globals.config`: a variable of the engine, and not of a program. */
function isSpecial(expressions: Expressions, index: number): boolean {
  const isOwn = specialVariables.has(expressions.content(index));
  return isOwn && expressions.isMark(index - 1, '.') && expressions.isFirst(index);
}

const specialVariables: ReadonlySet<string> = wordSet('vars globals main data_model');

const dumps: ReadonlySet<string> = new Set(['dump', 'tojson', 'json_encode', 'pprint']);

/** `|map('system')` */
function isCallback(expressions: Expressions, index: number): boolean {
  if (expressions.kind(index) !== templateToken.string) return false;
  const isFilter = expressions.isMark(index - 1, '(') && expressions.isMark(index - 3, '|');
  return isFilter && handedScore(expressions, index) > 0;
}
