import { velocityMethods, velocityTools } from '../../knowledge/server-objects.ts';
import { secretMembers } from '../../knowledge/template-objects.ts';
import { confidence } from '../../placement/confidence.ts';
import { firstOf, offsetsOf } from '../../placement/evidence.ts';
import { isPersonMember } from '../../placement/member.ts';
import type { Subject } from '../../placement/subject.ts';
import { isDigit, isSpace, isWord } from '../../text/char-class.ts';
import { followsValue } from '../../text/place.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `$user.class.forName('…')`: to Velocity a reference in the middle of a text, without delimiters. */
export const javaReference: ValueRule = {
  id: 'ssti.java-reference',
  severity: 'critical',
  score: confidence.strong,
  message:
    'refers to the class of an object or to a secret, which a template engine of Java follows',
  trigger: {
    literals: [
      ['$'],
      [
        ...['class', '.values', '.entryset', 'config', '["', "['", '[(', ...secretMembers],
        ...[...velocityTools].map((name) => name.toLowerCase()),
      ],
    ],
  },
  judge,
  examples: [
    ...['$x.getClass().forName("java.lang.Runtime")', '$class.inspect("java.lang.Runtime").type'],
    ...['$!{class.inspect("java.io.File")}', 'Ann $user.class.protectionDomain'],
    ...['$config', 'Ann $user.class', '${ user.class }'].map((name) => ({ body: { name } })),
    ...['$!{user.getClass().getMethods()}', '${user["class"][\'getMethods\']()[0]}'],
    '${ user . class <#-- x --> .protectionDomain }',
    ...['")$user.class.classLoader.class#set($z="', '$config.get("secret_key")'],
    "hi ${config['secret_key']}",
    `\${user['zzclass'[2..]]["getMethods"]()[0]}`,
    ...['$config.entrySet()', '${((user.class.protectionDomain))}'],
    '#set($s=\'secr\')a b c #set($v = $config["${s}et_key"])$v',
    'tea for two #foreach($x in [$config["secret_key"]])$x#end',
    ...['${user[("cla"+"ss")].protectionDomain}', '${user.class["protec"+"tionDomain"]}'],
    ...['$user.getClass()', 'Ann $!{user.class.name}', '$!{config}', '#if(true)$user.class#end'],
    ...['#set( $v = $config )${v}', 'Ann #foreach($x in [$class.type])$x#end'],
    ...['"}${ user.class }${"', '<#if 1==1>${(user.class.name)!}</#if>'],
    'Ann [#list [1] as x]${ user["class"].name }[/#list]',
    ...['${[user.class.protectionDomain][0]}', '$request.getSession().getServletContext()'],
    ...['$!{request.servletContext}', 'Ann $webwork.evaluate("x")'],
    ...['$xwiki.getDocument("XWiki.Admin")', '$!{ velocityEngine . getProperty("x")}'],
    '#set($s=\'se\')#if(true)$config.getOrDefault("${s}cret_key",1)#end',
  ],
  lookalikes: [
    ...['$user.class is the group of the pupil', '${row.class}', '$config'],
    ...['my ${item.class} and $node.class.name', '<p class="$row.class.even">'],
    ...['<p class="${row.class}">', 'the $user.class of this pupil', 'we take $order.class'],
    ...[{ body: { params: [{ name: '$config' }] } }, { body: { name: '$class of it' } }],
    ...[{ body: { name: '$class' } }, { body: { 'body.variable.name': '$config' } }],
    ...['$class', '$configuration', 'echo $config'],
    '#foreach($item in $items)<li class="$item.class">$item.name</li>#end',
    'in this manual $config.values() stands for all of them',
    'the plan: put $app.secret_key in the manual and not in the code',
    ...['$os.name costs $5.class.x', '$("#menu").class.methods', 'x.getClass().getName()'],
    ...['$request->getSession()', '$session.name', '$field.keys', '$doc.class', '$request'],
    '$request.get("id")',
    '$!request.getHeader("User-Agent") and $request.getParameter("q")',
    '$link.title',
  ],
};

function judge(subject: Subject): Match | undefined {
  const { text } = subject;
  let best: Match | undefined;
  for (const at of firstOf(subject, offsetsOf(text, '$'))) {
    const reference = referenceAt(text, at);
    if (reference === undefined) continue;
    const score = scoreAt(subject, at, reference);
    if (score > (best?.score ?? 0)) best = { start: at, end: reference.end, score };
  }
  return best;
}

function scoreAt(subject: Subject, at: number, reference: Reference): number {
  const { text } = subject;
  const sure = scoreOf(reference.members);
  if (sure === 0) return standsAlone(subject, at, reference) ? confidence.likely : 0;
  return followsValue(text, at) || followsDirective(text, at) ? sure : inProse(sure);
}

/** `#if(…)`, `#foreach(…)` before it: what looks like words are those of a template. */
function followsDirective(text: string, at: number): boolean {
  return directive.test(text.slice(Math.max(0, at - directiveCharsMax), at));
}

const directiveCharsMax = 80;
const directive = /#\{?(?:set|if|elseif|foreach|macro|define|evaluate)\}?\s{0,4}\(/;

/**
 * `$user.getClass()`, `#set($x = $config)$x`, `"}${user.class}${"`: what only shows an object is evidence
 * where no sentence, markup or program stands around it. `$class` alone is a variable of many programs.
 */
function standsAlone(subject: Subject, at: number, { members, end }: Reference): boolean {
  const { text } = subject;
  if (text.length > aloneCharsMax) return false;
  const isClass = showsClass(members);
  const isConfig = members.length === 1 && members[0] === 'config';
  const isTool = members.length === 1 && members[0] === 'class';
  const isAsked = asksTool(members) && asksByCall.test(text.slice(at, end));
  const isServer = isAsked && oneWord.test(text.slice(0, at));
  if (isServer && nothingBehind.test(text.slice(end))) return true;
  if (!isClass && !isConfig && !isTool) return false;
  if (!nothingBehind.test(text.slice(end))) return false;
  const before = text.slice(0, at);
  const isOwn = (isClass && members.at(-1) !== 'class') || isNoVariable(subject, at, isTool);
  return (isOwn && oneWord.test(before)) || breakOut.test(before) || followsDirective(text, at);
}

/**
 * `$!` is a quiet reference, and nothing to other languages, which have `${row.class}` and `$config`.
 * The name of a person is no variable of a program; it may well be `$class`.
 */
function isNoVariable({ text, member, depth }: Subject, at: number, isTool: boolean): boolean {
  if (text.charCodeAt(at + 1) === 33) return true;
  return !isTool && depth <= personDepthMax && isPersonMember(member);
}

const aloneCharsMax = 300;
/** `name`, `body.name`: not that of an item of a list. */
const personDepthMax = 2;
/** `$field.keys` and `$doc.class` are members of any object. */
const asksByCall = /\(|servletContext/;
/** Nothing, or a comment of Velocity, or a word such as `Ann`. */
const oneWord = /^(?:##[^\n]{0,80}\n)?(?:\w{1,40}\s{1,4})?$/;
/** The end of a string and of the brackets around it; a directive that ends. */
const breakOut =
  /["'][)}]\s{0,8}$|(?:^|[\s>\]])[<[]#[a-z][^<>]{0,80}[>\]]\s{0,8}(?:\w{1,40}\s{1,4})?$/;
/** Closing brackets, and then no text. */
const nothingBehind = /^[\s)\]}!]{0,40}(?:\[0\][\s)}]{0,20})?(?:$|[#$]|[<[]\/?#)/;

/** `request.getSession()`, `webwork.evaluate("x")`: a tool of Velocity that is asked for what it reaches. */
function asksTool([root = '', first = '']: readonly string[]): boolean {
  return velocityTools.has(root) && velocityMethods.has(first);
}

/** `user.class`, `user.getClass().getName()`, the class of Velocity's tool `$class.type`. */
function showsClass(members: readonly string[]): boolean {
  const [root = ''] = members;
  const last = members.at(-1) as string;
  const isName = last === 'name' || last === 'getName';
  const owner = isName ? members.at(-2) : last;
  if (root === 'class') return members.length === 2 && (last === 'type' || last === 'getType');
  return members.length > (isName ? 2 : 1) && isClass(owner ?? '');
}

function inProse(sure: number): number {
  return sure === confidence.strong ? confidence.likely : confidence.trace;
}

/** What a reference asks for, one after the other: names of members, and keys that are strings. */
interface Reference {
  readonly members: readonly string[];
  readonly end: number;
}

const charsMax = 320;
const membersMax = 16;

/**
 * `$name.member(…)["key"]`, `$!{name.member}`: the Velocity User Guide, "References". In braces also
 * FreeMarker's interpolation, which has space between the tokens.
 */
function referenceAt(text: string, at: number): Reference | undefined {
  let start = at + 1;
  if (text.charCodeAt(start) === 33) start++;
  const isFormal = text.charCodeAt(start) === 123;
  const reading = new Reading(text, Math.min(text.length, at + charsMax), isFormal);
  return reading.read(isFormal ? start + 1 : start);
}

class Reading {
  private readonly text: string;
  private readonly limit: number;
  private readonly hasGaps: boolean;
  private readonly members: string[] = [];

  constructor(text: string, limit: number, hasGaps: boolean) {
    this.text = text;
    this.limit = limit;
    this.hasGaps = hasGaps;
  }

  read(from: number): Reference | undefined {
    let start = this.gapEnd(from);
    while (this.hasGaps && isOpening(this.text.charCodeAt(start))) start = this.gapEnd(start + 1);
    let end = this.nameEnd(start);
    if (end === start || isDigit(this.text.charCodeAt(start))) return undefined;
    this.members.push(this.text.slice(start, end));
    while (this.members.length < membersMax) {
      const next = this.memberEnd(this.gapEnd(end));
      if (next < 0) break;
      end = next;
    }
    return { members: this.members, end };
  }

  /** End of a member, its arguments or a key; -1 where there is none. */
  private memberEnd(at: number): number {
    const code = this.text.charCodeAt(at);
    if (code === 40 || code === 91) return this.bracketEnd(at, code);
    if (code !== 46) return -1;
    const start = this.gapEnd(at + 1);
    const end = this.nameEnd(start);
    if (end === start) return -1;
    this.members.push(this.text.slice(start, end));
    return end;
  }

  /** Behind `(…)` or `[…]`; the first argument, or all strings of a key, may be the name of what is asked for. */
  private bracketEnd(at: number, open: number): number {
    const close = open === 40 ? 41 : 93;
    let depth = 0;
    let key: string | undefined;
    for (let i = at; i < this.limit; i++) {
      const code = this.text.charCodeAt(i);
      if (code === 34 || code === 39) {
        const end = this.text.slice(i + 1, this.limit).indexOf(this.text.charAt(i));
        if (end < 0) return -1;
        const isPart = key === undefined || open === 91;
        if (isPart) key = (key ?? '') + this.text.slice(i + 1, i + 1 + end);
        i += end + 1;
        // `['zzclass'[2..]]`
        key = key?.slice(Number(slice.exec(this.text.slice(i + 1, i + 9))?.[1] ?? 0));
      } else if (code === open) depth++;
      else if (code === close && --depth === 0) {
        if (key !== undefined) this.members.push(key);
        return i + 1;
      }
    }
    return -1;
  }

  private nameEnd(from: number): number {
    let end = from;
    while (end < this.limit && isWord(this.text.charCodeAt(end))) end++;
    return end;
  }

  private gapEnd(from: number): number {
    let at = from;
    // `(user).class`: what is open was passed by.
    while (this.hasGaps && at < this.limit && isGap(this.text.charCodeAt(at))) at++;
    return at;
  }
}

const slice = /^\[(\d{1,3})\.\./;

function isOpening(code: number): boolean {
  return code === 40 || code === 91;
}

function isGap(code: number): boolean {
  return isSpace(code) || code === 41;
}

function scoreOf(members: readonly string[]): number {
  const [root = '', first = ''] = members;
  if (root === 'class' && first === 'inspect') return confidence.strong;
  const asksAll = allMembers.has(first) || members.some((name) => name.includes('${'));
  if (root === 'config' && asksAll) return confidence.likely;
  for (let i = 1; i < members.length; i++) {
    const name = members[i] as string;
    if (isClass(name) && isFurther(members[i + 1] ?? '')) return confidence.strong;
    if (secretMembers.has(name.toLowerCase())) return confidence.likely;
  }
  return 0;
}

function isFurther(name: string): boolean {
  return isClassMember(name) || sharedMembers.has(name);
}

/** All settings, as a map of Java gives them. */
const allMembers: ReadonlySet<string> = new Set(['values', 'entrySet']);

/** `class`, `getClass`: what Java asks of any object. */
function isClass(name: string): boolean {
  return name === 'class' || name === 'getClass';
}

/** A member of `java.lang.Class` by which one gets further than to its name, and no language but Java has. */
export function isClassMember(name: string): boolean {
  if (javaMembers.has(name)) return true;
  if (!name.startsWith('get')) return false;
  const property = name.charAt(3).toLowerCase() + name.slice(4);
  return javaMembers.has(property) || sharedMembers.has(property);
}

const javaMembers: ReadonlySet<string> = wordSet(
  `forName classLoader protectionDomain newInstance resourceAsStream declaredMethod declaredMethods
     declaredField declaredFields declaredConstructor declaredConstructors inspect`,
);
/** The same in the strings of which a key is made: `"zzgetMethods"[2..]`. */
export function holdsClassMember(key: string): boolean {
  const folded = key.toLowerCase();
  return classMembers.some((name) => folded.includes(name));
}

/** Ruby and others have these too. */
const sharedMembers: ReadonlySet<string> = wordSet(
  'resource module superclass method methods field fields constructor constructors type',
);
const classMembers: readonly string[] = [
  ...javaMembers,
  ...[...sharedMembers].map((name) => `get${name}`),
].map((name) => name.toLowerCase());
