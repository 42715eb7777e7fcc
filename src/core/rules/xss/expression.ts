import type { Capability } from '../../grammars/script/expression/capabilities.ts';
import {
  type ExpressionReading,
  expression,
  isInterpolation,
  type Passage,
  readProgram,
} from '../../grammars/script/expression/expression.ts';
import { isCutOff, timers, type Use } from '../../grammars/script/expression/scene.ts';
import { isScriptInProse } from '../../grammars/script/script-prose.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import { isNumberMember } from '../../placement/member.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass, isDigit } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `(1,alert)(1)`, `(z=>z(1))(self['al'+'ert'])`: script that hides what it calls. */
export const scriptExpression: ValueRule = {
  id: 'xss.expression',
  score: confidence.strong,
  message: 'is script that hides the name of what it calls in the page',
  trigger: { classes: charClass.paren },
  judge: judgeExpression,
  examples: [
    ...['(1,alert)(1)', "window['al'+'ert'](1)"],
    'Dear support team, my order never arrived: top[/al/.source+/ert/.source](1)',
    ...['top["ev"+"al"]("x")', 'self[/con/.source+/firm/.source](1)'],
    ...["''['constructor']['constructor']('x()')()", "';document.body.setHTMLUnsafe(name)//"],
    ...['`;fetch("//evil.test/")//', '1-document.write(name)'],
    "self['loca'+'tion']='//e.example';print()",
    'setTimeout(String.fromCharCode(97,108,101,114,116,40,49,41))',
    "['al'+'ert(1)'].forEach(setTimeout)",
    '<b onmousemove="(z=>z(localStorage.length))(prompt)">x</b>',
    ...['frames?.[(17795081..toString(36))]?.(881)', '(({alert:z})=>z(1))(self)'],
    ...['[1].find([confirm][0])', "'+((a=fetch('//evil.example.com/x'))=>1)()+'"],
    ...['var{print:p}=window;p(1)', "['<h1>x</h1>'].filter(document.write.bind(document))"],
    ...['0||({a:alert}).a(1)', '1;new Proxy({},{get:alert}).x', '1==new Proxy(alert,{})(1)'],
    ...["Object.defineProperty(self,'x',{get:confirm}).x", '({[Symbol.toPrimitive]:alert})+1'],
    '({"toString":alert,b:1})+1',
    `({['valueOf']:alert})+1`,
    ...['JSON.stringify({toJSON:alert})', 'Object.keys(new Proxy({},{ownKeys:alert}))'],
    ...["addEventListener('error',alert);throw 1", "__defineGetter__('x',alert);x"],
    ...["var f=addEventListener;f('load',alert)", "addEventListener(...['load',alert])"],
    ...['setTimeout(self.alert)', "document.querySelectorAll('b').forEach(alert)"],
    ...['new MutationObserver(alert).observe(document,{childList:1})', "JSON.parse('[1]',confirm)"],
    ...['for(x of{[Symbol.iterator]:()=>({next:alert})});', 'new Map([[1,alert]]).get(1)(1)'],
    ...['for(x of[alert])x(1)', 'Object.assign(new Image,{onerror:alert})'],
    ...['Object.assign(Array.prototype,{join:alert});[]+1', 'new ReadableStream({start:alert})'],
    ...['"-addEventListener("load",print)-"', '";setTimeout(print)//'],
    ...['x={get a(){return alert}};x.a(1)', '({set a(f){f(1)}}).a=alert'],
    ...['o={*g(){yield alert}};o.g().next().value(1)', '[f]=function*(){yield alert}();f(1)'],
    ...['new Proxy({},{get:()=>alert}).x(1)', 'Proxy.revocable(alert,{}).proxy(1)'],
    ...['Object.create(null,{x:{value:alert}}).x(1)', 'O=Object;O(alert)(1)'],
    ...['[].at.call([alert],0)(1)', '(function(){arguments[0](1)})(alert)'],
    ...['document.fonts.ready.then(alert)', "';import(name)//"],
    ...["';$('body').html(location.hash)//", "';$(location.hash)//", '";jQuery(window.name)//'],
    ...["'-setTimeout(name)-'", '";a=1;fetch(name)//', "';top[title](1)//"],
    ...['";document.forms[0].submit()//', "';with(location)reload()//", '1;import(name)'],
    ...['1&&localStorage.clear()', 'x${(class{static{open(name)}})}'],
    ...['(()=>1).constructor(name)()', '[].at.constructor(name)()'],
    ...["self['a_l_e_r_t'.replace(/_/g,'')](1)", 'self[Object.keys({alert:1})[0]](1)'],
    ...['[t,r,u,e]=!0+[];[f,a,l,s]=!1+[];self[a+l+e+r+t](1)', '[,,,,e]=[]+{};self[`al${e}rt`](1)'],
    ...['[,x]=[1,alert];x(1)', '({["x"]:alert}).x(1)', 'with({Alert:alert})Alert (1)'],
    ...['with({alert:1});(0,alert)(1)', 'x${open(name)}', '1;new Image().src=`//e.example`'],
    ...['";document.body.append(1);void"', "'-Reflect.set(document.body,`innerHTML`,1)-'"],
    ...['1;(new Image).src=`//e.example`', '((...a)=>a[0](1))(alert)', '[alert].find(x=>x)(1)'],
    ...['a=[];a[0]=alert;a[0](1)', 'a=[];a.push(alert);a[0](1)'],
    ...['a=new Map;a.set(1,alert);a.get(1)(1)', '(alert??0)(1)', '(alert,confirm)`1`'],
    ...['let{[`al`+`ert`]:a}=self;a(1)', "self[{toString:()=>'alert'}](1)"],
    ...['1;Object.getOwnPropertyNames(self).map(k=>self[k](1))', '1;queueMicrotask(()=>print())'],
    ...["';jQuery.globalEval(name);'", '1;jQuery.globalEval(name)'],
    ...["');document.location.assign('//e.example')//", "';document.write(name)\n'"],
    ...["'\n;print()\n'", '1;Promise.resolve(document.domain).then(print)'],
    ...["';q=self;x={a:q.alert};x.a(1)//", 'new class{q=alert}().q(1)'],
    ...['(class{static q=alert}).q(1)', 'Object.fromEntries([["q",alert]]).q(1)'],
    ...['Object.assign({},{q:alert}).q`1`', '[1].map([alert].slice()[0])'],
    ...['[1].some((function*(){yield alert})().next().value)', '(([q])=>q)([alert])(1)'],
    ...['[1,alert].at(-1)(1)', "'a'.replace(/a/,(class{static q=alert}).q)"],
    "';for(;;)document.body.innerHTML=name}//",
    '";switch(1){case 1:q=document.body;q.innerHTML=1};"',
    ...['";a:{document.body.remove();break a};void"', '";opener.postMessage(1,`*`)//'],
    ...["self['alert '.trimEnd()](1)", `self[JSON.parse('"alert"')](1)`],
    ...['self[new TextDecoder().decode(Uint8Array.of(97))](1)', 'Uint8Array.from([1],alert)'],
    ...['[1].values().map(alert).next()', 'WebAssembly.instantiate(a,{b:{c:alert}})'],
    ...['Array(1).fill(alert).map(f=>f(1))', "'-$el.ownerDocument.write(1)-'"],
    ...['document.writeln(1);//', "0||(prompt('Password'))", '${JSON.stringify(localStorage)}'],
    ...['${confirm()}', '";document[f(1)]=f(2);"', "';document[f(1)](f(2));'"],
    ...["';function f(){}if(a)document.title=1;else f(2);'"],
    { body: { id: 'document.body.append(1)' } },
    { body: { page: "location.assign('//e.example')" } },
    { body: { id: '[1].forEach(x=>alert(x))' } },
    { body: { id: 'JSON.stringify(localStorage)' } },
  ],
  lookalikes: [
    'See [alert](https://example.org/a) and (confirm) (optional)',
    'See [the manual](https://example.org/a) and ["quoted title"](/b)',
    ...["row['name'](s) of array['x'] (optional)", "items[0]['price'] = prices['low'](today)"],
    ...['$_POST[\'print\'] and $row["top"]', "It's 'ok', I will print (both) copies"],
    ...['set :rake, lambda { "#{fetch(:cmd, "bundle")} exec rake" }', '1) print(a) 2) open(b)'],
    ...['1;print(total)', "window['dataLayer'] = window['dataLayer'] || [];"],
    ...['He said "no", alert and confirm were "too much" (really)', 'promise.then(alert)'],
    ...["const ask = (prompt) => prompt('Name?');", 'items.map(open).filter(Boolean)'],
    ...['const { open } = props; open(1)', "$row['print'](1)"],
    ...['new Proxy(store, {get: read, set: write})', 'llm.invoke({input: prompt, get: prompt})'],
    ...['useModal({confirm: open, then: close})', "button.addEventListener('click', open);"],
    'Object.assign(state, { prompt: prompt, model })',
    'Object.assign(options, { error: alert, done: print })',
    'JSON.stringify({ model, prompt: prompt })',
    'const calls = new Map([[id, prompt]]); calls.get(id)',
    ...['for (const alert of alerts) show(alert)', 'JSON.stringify(alert, null, 2)'],
    ...["window.addEventListener('load', print);", 'setTimeout(print, 100)'],
    ...['setTimeout(names[String(5)], 100)', 'Object.assign(options, { onError: alert, prompt })'],
    "document.querySelector('#print').addEventListener('click', print)",
    "It's done; then close() the file and remove() it",
    ...["list.split(',').map((item) => item.remove())", "$('#' + id).remove(); // and so on"],
    ...["It's simple: $('#a').html(text); // then", "It's $(location.hash).show() here"],
    ...['$(location.hash).tab("show");', 'window[callback](data)'],
    "const page = await import('./page.js');",
    'Hello ${user.name}, your order ${order.id} is (nearly) ready',
    ...['The size is 5" - remove(d) or 6" - closed', 'this.constructor(name)'],
    ...['1,000 open(s), 1;print(x)', '3/open (closed 2-remove)', '12;open(tickets);5'],
    ...["Hose 5'-import(EU)", '12; location.id = 5'],
    'const m = new Map(); m.set("alert", alert); return m.size',
    ...['Object.assign(state, { location: place })', 'alerts.push(alert); save(alerts)'],
    ...['1-click(ordering)', '10;btn.click();20', '2*fetch(rows)'],
    'log.debug("Removed ${cache.remove(key)} of ${open(file)}")',
    ...['Authorization: Bearer ${localStorage.getItem("token")}', 'Hello ${fetch(name)}'],
    'class A { static open = open; run() { return this.open(1) } }',
    'Object.fromEntries(rows.map((r) => [r.id, prompt]))',
    ...['Object.assign({}, defaults, { prompt })', "It's simple: if (needed) remove(it)"],
    "The states are 'open'(12), 'alert'(3) and 'prompt' (0)",
    '=FILTER(A2:C100, B2:B100="open")',
    ...['document.title = name; // the name', "window['on' + 'Load'.toLowerCase()](1)"],
    ...[
      'Uint8Array.from(text, print)',
      'frame.contentWindow.print()',
      'see http://www.example.com//',
    ],
    ...["window[['scroll', 'move'].find((name) => name in window)](1)"],
    'say "document[i]" and "(x)"',
    'const cut = (text) => text.split()[0].normalize()',
    { body: { page: 'Image (1)', id: 'print(12)' } },
    { body: { id: 'localStorage.token' } },
    { body: { page: 'Number(localStorage.getItem("page")) || 1' } },
    { body: { page: '{{localStorage.page}}' } },
    "['a', 'b'].forEach(print)",
  ],
};

const page: ReadonlySet<Capability> = new Set<Capability>([
  'dialog',
  'page',
  'send',
  'touch',
  'evaluate',
]);

function judgeExpression(subject: Subject): Match | undefined {
  // `onerror=alert;throw 1`: what hides nothing is found by what it calls (xss.script-call).
  if ((subject.classes & charClass.paren) === 0) return undefined;
  return strongestUse(subject, subject.tokens(expression));
}

/** The strongest use of what is of the page. */
export function strongestUse(subject: Subject, reading: ExpressionReading): Match | undefined {
  if (!reading.isComplete) subject.incomplete('tokens');
  const { text, member } = subject;
  const isNumber = reading.passages.length > 0 && isNumberMember(member);
  if (isNumber && text.length <= programMax && actsOnPage(text, (use) => isActing(text, use)))
    return { start: 0, end: text.length, score: confidence.strong };
  const before: QuotesBefore = { at: 0, quotations: 0, others: 0 };
  return strongest(reading.uses, (use) =>
    isOfPage(use) ? scoreOf(subject, use, reading.passages[use.passage] as Passage, before) : 0,
  );
}

/** The text is a program as a whole, and does something to the page or reads what is kept for the visitor. */
export function actsOnPage(text: string, counts: (use: Use) => boolean = isOfPage): boolean {
  const { uses, passages } = readProgram(text);
  return passages[0]?.errors === 0 && uses.some((use) => isOfPage(use) && counts(use));
}

export const programMax = 2_000;

/** In the place of a number: no `Number(localStorage.page)`, no `image(1)`. */
function isActing(text: string, use: Use): boolean {
  if (keptItem.test(text)) return false;
  return use.how === 'read' ? computes.test(text) : !isOrdinary(text, use, 0);
}

const computes = /[(={]/;
/** One item of what is kept, as a number of itself or by a default. */
const keptItem =
  /^[({$\s]{0,8}(?:(?:Number|parseInt|parseFloat)\()?(?:window\.)?(?:local|session)Storage(?:\.\w{1,40}|\[["']\w{1,40}["']\])(?:\(["'][\w.-]{1,40}["']\))?[)}\s]{0,8}(?:,\s?10\))?(?:(?:\|\||\?\?|\+|-)\s?\d{1,9}\)?)?$/;

/** `open` is a function of both, of a window and of files. */
function isOfPage({ capability, path }: Use): boolean {
  return page.has(capability) || path === 'open';
}

function scoreOf(subject: Subject, use: Use, passage: Passage, before: QuotesBefore): number {
  const isBreakOut = breaksOut(subject.text, use, passage);
  if (use.capability === 'touch') return isBreakOut && passage.isClosed ? confidence.strong : 0;
  const written = subject.text.slice(use.start, use.end);
  if (remarks.test(written)) return 0;
  if (!isBreakOut && isPrinting(subject.text, use, before)) return confidence.hint;
  if (use.veil === 0 && !runsHidden(use, written))
    return isBreakOut ? scoreOutside(use, passage) : 0;
  if (use.how === 'called' && use.count === 0 && use.capability !== 'dialog') return 0;
  if (!isScriptInProse(subject)) return confidence.certain;
  return isComputed(use, written) ? confidence.strong : confidence.hint;
}

/** `top[/al/.source+/ert/.source](1)`: no prose has it. */
function isComputed({ veil, capability }: Use, written: string): boolean {
  return veil === 2 && capability === 'dialog' && written.includes('[');
}

function scoreOutside({ path }: Use, { isClosed }: Passage): number {
  return isClosed && probes.has(path) ? confidence.certain : confidence.strong;
}

/** What nothing but a script calls where it leaves a literal. */
const probes: ReadonlySet<string> = new Set(['alert', 'confirm', 'prompt', 'eval']);

/** The value ends a literal, a number or a template of the application, and goes on as a program or an expression. */
function breaksOut(text: string, use: Use, passage: Passage): boolean {
  const { start, errors, statements, lines, isOpen, isClosed } = passage;
  if (errors > lines) return false;
  if (start === 0) return errors === 0 && isCutOff(text);
  // No operator of script begins with `#`, as selectors do.
  const isLeft = !isOpen && text.charCodeAt(start) !== 35;
  if (!isLeft && !isInterpolation(text, start)) return false;
  if (isInterpolation(text, start) || isDigit(text.charCodeAt(start - 1))) {
    if (isOrdinary(text, use, start)) return false;
  }
  if (isClosed) return true;
  // `Hose 5'-import(EU)`: the mark of a foot.
  const isMeasure = isDigit(text.charCodeAt(start - 2)) && isOrdinary(text, use, start);
  return statements + lines === 0 && use.count > 0 && !isMeasure;
}

/**
 * `1;cart.remove(id)`, `"${open(file)}"`: what behind a number and in strings of many languages may be
 * written. Not where it is given something of the page, which alone a sender fills: `1;open(name)`.
 */
function isOrdinary(text: string, use: Use, from: number): boolean {
  const { start, end, how, path, count } = use;
  // `${JSON.stringify(localStorage)}`: all of it, and no item.
  if (how === 'read') return text.charCodeAt(end) !== 41;
  if (onlyScript.test(text.slice(from, end))) return false;
  const written = text.slice(start, end);
  if (path === 'print' && how === 'called') return true;
  // `1;confirm()`
  if (use.capability === 'dialog' && count === 0 && start <= from + 1) return false;
  if (!plain.test(written) || ofPage.test(written)) return false;
  const isOfString = isInterpolation(text, from) && !oneWord.test(text.slice(0, from - 2));
  return isOfString || !takesFromPage.test(written);
}

/** What neither a list of numbers nor the string of another language has in front of a call. */
const onlyScript = /=>|[[{`]|\bnew\b|\|\||&&/;
const plain = /^[A-Za-z_$][\w$.]{0,80}\s?(?:\([\w$.,\s'"-]{0,80}\)|=\s?[\w$]{1,40})$/;
const ofPage =
  /^(?:document|location\.|history|(?:local|session)Storage(?!\.getItem)|navigator|window|top|opener|frames|globalThis|jQuery)\b|\bdocument\.body\b|\.(?:inner|outer)HTML\b/;
const takesFromPage =
  /^(?:(?:self|this|parent)\.)?\w{1,40}\s?[(=]\s?(?:name|title|location|document|cookie|self|top|window|parent|opener)\b/;
const oneWord = /^[\w.-]{0,24}$/;

/** `setTimeout(String.fromCharCode(97,…))`: a program that is not written out. */
function runsHidden({ capability, path, argument }: Use, written: string): boolean {
  const isProgram = capability === 'evaluate' || timers.has(path);
  return isProgram && argument !== undefined && !written.includes(argument);
}

/** `addEventListener('load', print)`: without a way out of a literal, a line of a program that prints. */
function isPrinting(text: string, { how, path, start, end }: Use, before: QuotesBefore): boolean {
  if (how !== 'handed' || path !== 'print' || !plainPrint.test(text.slice(start, end)))
    return false;
  countQuotes(text, start, before);
  return before.others === 0 && before.quotations % 2 === 0;
}

/** How many quotation marks, and how many apostrophes and backticks, stand before an offset. */
interface QuotesBefore {
  at: number;
  quotations: number;
  others: number;
}

/** Goes on from the last use: to count from the start of the text for each is quadratic. */
function countQuotes(text: string, to: number, before: QuotesBefore): void {
  const step = before.at < to ? 1 : -1;
  const shift = step > 0 ? 0 : -1;
  for (; before.at !== to; before.at += step) {
    const code = text.charCodeAt(before.at + shift);
    if (code === 34) before.quotations += step;
    else if (code === 39 || code === 96) before.others += step;
  }
}

/** Also `['a', 'b'].forEach(print)`, as Dart has it. */
const plainPrint =
  /^(?:\[(?!\d)[^[\]{}`]{0,120}\])?[^[\]{}`]{0,200}[(,=]\s{0,4}print\s{0,4}(?:[,);]|$)/;

/** `(print) (optional)`, `'open'(12)`: as prose has them. No text is a function to script. */
const remarks = /^(?:\(\w+\)\s+\(\w+\)$|(?:'\w+'|"\w+"|`\w+`)\s{0,8}\()/;
