import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expression } from '../../../../src/core/grammars/script/expression/expression.ts';

/** What a text reaches where it is read from its begin: `path(first argument)`. */
function reached(text: string): string[] {
  return expression
    .read(text)
    .uses.filter(({ passage }) => passage === 0)
    .map(({ path, argument }) => `${path}(${argument ?? ''})`);
}

const readings: readonly (readonly [text: string, ...uses: string[]])[] = [
  // Constants.
  ["('sys'.'tem')('i'.'d')", 'system(id)'],
  ["(__import__)(('so'[::-1])).system(chr(105)+chr(100))", '__import__(os)', 'os.system(id)'],
  ['(hex2bin("73797374656d"))(base64_decode(\'aWQ=\'))', 'system(id)'],
  ['implode(array_map("chr",[115,121,115,116,101,109]))("id")', 'system(id)'],
  ["self['\\x61lert'](1)", 'alert(1)'],
  ['top[/al/.source+`ert`](1)', '`(ert)', 'alert(1)'],
  ['self[`al${[]}ert`](1)', '`(al${[]}ert)', 'alert(1)'],
  ['self[String.fromCharCode(97,108,101,114,116)](1)', 'alert(1)'],
  ['self[[...`trela`].reverse().join(``)](1)', '`(trela)', 'alert(1)'],
  ['self[(17795081).toString(36)](1)', 'alert(1)'],
  ["[]['f'+([!1]+[][[]])[10]+'lter']['constructor']('1')()", 'function(1)'],
  ['(()=>1).constructor(name)()', 'function()'],
  ["self['a_l_e_r_t'.replace(/_/g,'')](1)", 'alert(1)'],
  ['self[Object.keys({alert:1})[0]](1)', 'alert(1)'],
  ["[,,,,e]=[]+{};self['al'+e+'rt'](1)", 'alert(1)'],
  ['({["x"]:alert}).x(1)', 'alert(1)'],
  ["system((['id'].pack('C*'),'di'.reverse))", 'system(id)'],
  ['Kernel.send(:system, %q(id))', 'system(id)'],
  ['\\u0061lert(1)', 'alert(1)'],
  // Repeated prefixes are not nested: `| ----- |` of a table.
  [`${'-'.repeat(700)}alert(1)`, 'alert(1)'],
  [`${'!'.repeat(301)}alert(1)`, 'alert(1)'],
  ["__impo𝐫t__('os').𝐬ystem('id')", 'os.system(id)'],
  // Ways to a function.
  ['(1,alert)(1)', 'alert(1)'],
  ["[__import__][0]('os').listdir('/a')", '__import__(os)', 'os.listdir(/a)'],
  ["(lambda:__import__)()('os')", '__import__(os)'],
  ["__import__('os')"],
  ["(lambda:getattr)()(__import__('os'),'system')('id')", 'os.system(id)'],
  ['(z=>z(1))(alert)', 'alert(1)'],
  ['(({alert:z})=>z.call(self,1))(self)', 'alert(1)'],
  ['Reflect.apply(alert,self,[1])', 'alert(1)'],
  ['call_user_func_array("system",["id"])', 'system(id)'],
  ["(new ReflectionFunction('system'))->invoke('id')", 'system(id)'],
  ["method(:system).call('id')", 'system(id)'],
  ["globals()['__builtins__']['__import__']('os').system('id')", '__import__(os)', 'os.system(id)'],
  ['(()=>{try{throw alert}catch(z){z(1)}})()', 'alert(1)'],
  [
    "a.constructor.constructor('return process')().exit(1)",
    'a.constructor.constructor(return process)',
    'process.exit(1)',
  ],
  ['title="<img onerror="(z=>z(1))(alert)">"', 'alert(1)'],
  // Handed to the engine, which calls it.
  ["addEventListener('error',alert)", 'alert()'],
  ['Array.from`1${alert}`', 'alert()'],
  ["x.__defineGetter__('a',alert)", 'alert()'],
  ['[...{[Symbol.iterator]:alert}]', 'alert()'],
  ['for(a of{[Symbol.iterator]:_=>({return:alert})})break', 'alert()'],
  ['({next:alert})'],
  ["let{addEventListener:l}=window;l('load',alert)", 'alert()'],
  ['setTimeout(...[alert])', 'alert()', 'alert()'],
  ['a=[];a.valueOf=alert;+a', 'alert()'],
  ['Array.prototype.join=alert', 'alert()'],
  ['class A{static[Symbol.hasInstance]=alert}', 'alert()'],
  ['new ResizeObserver(alert)', 'alert()'],
  ["button.addEventListener('click',confirm)"],
  ['new ReadableStream({start:alert})', 'alert()'],
  ['Object.assign(a,{alert})'],
  ['JSON.stringify({},alert)', 'alert()'],
  ['JSON.stringify(alert,null,2)'],
  ['Hash.new(&method(:system))', 'system()'],
  ["Kernel.instance_method(:system).bind_call(self,'id')", 'system(id)'],
  ["Kernel.method(:system)['id']", 'system(id)'],
  ['list.each(&method(:puts))'],
  // Taken out of where it was put.
  ['Object.values({a:alert})[0](1)', 'alert(1)'],
  ['Object.entries({a:alert}).map(([k,v])=>v(1))', 'alert()'],
  ["Reflect.getOwnPropertyDescriptor(window,'alert').value(1)", 'alert(1)'],
  ['for(a of[alert])a(1)', 'alert(1)'],
  ['for(a in{alert:1})self[a](1)', 'alert(1)'],
  ['for(a in self)self[a](1)', 'alert(1)'],
  ['new Map([[1,alert]]).get(2)'],
  // Comments and blanks.
  ["( system/**/)(#x\n'id' //\n)", 'system(id)'],
  ['[1,`id`]', '`(id)'],
  ['[1,ENV.keys]', 'env.keys()'],
  ['x#{ENV.keys}', 'env.keys()'],
  // What calls nothing that is known.
  ["db.exec('select 1')"],
  ['system, exec and eval'],
  ['f(g(x))[0]()'],
];

describe('expression', () => {
  for (const [text, ...uses] of readings) {
    it(text, () => {
      assert.deepEqual(reached(text), uses);
    });
  }

  it('ends a passage behind a literal at the quote that the application closes', () => {
    const passageOf = (text: string) => expression.read(text).passages.at(-1);
    assert.equal(passageOf("I do not' + system('a') + ' know how it is done")?.errors, 0);
    assert.notEqual(passageOf("I do not' + system('a') + \" know how it is done")?.errors, 0);
    const escaped = passageOf("It\\'s so'+system('id')+'");
    assert.deepEqual([escaped?.start, escaped?.errors], ["It\\'s so'".length, 0]);
  });

  it('reads from behind a quote, and says whether it closed a literal', () => {
    const { uses, passages } = expression.read("a'+(0,alert)(1)+'");
    assert.equal(uses.find(({ passage }) => passage === 1)?.path, 'alert');
    assert.deepEqual(passages[1], {
      start: 2,
      errors: 0,
      statements: 0,
      lines: 0,
      isOpen: false,
      isClosed: true,
    });
    const [, ended] = expression.read("';document.write(name)\n'").passages;
    assert.deepEqual([ended?.errors, ended?.lines], [1, 1]);
    assert.equal(expression.read("(0,f)('say (x) it')").passages[1]?.isOpen, true);
  });

  it('reads from behind a number and the first interpolation, where the page is changed as well', () => {
    const touched = (text: string) =>
      expression.read(text).uses.map(({ path, passage }) => `${passage} ${path}`);
    assert.deepEqual(touched("';top[title](1);x.remove()//x"), ['1 [?]']);
    assert.deepEqual(touched('location.reload();//'), ['0 location.reload']);
    assert.deepEqual(touched('location.reload();// now'), []);
    assert.deepEqual(touched('1;location.reload()'), ['1 location.reload']);
    assert.deepEqual(touched('x${document.forms[0].submit()}'), ['1 document.forms.0.submit']);
    assert.deepEqual(touched('with(location)reload();x.remove()'), []);
    const { passages } = expression.read('x${a.remove(1)} is not (read)');
    assert.deepEqual([passages[1]?.errors, passages[1]?.isClosed], [0, true]);
  });

  it('tells prose from code by words side by side', () => {
    const { passages } = expression.read("call ('system')('id') in the shell of a server");
    assert.ok((passages[0]?.errors ?? 0) > 0);
  });

  it('reads on where brackets stay open in what is no program', () => {
    const links = '- it is [a](https://a.test/b) here\n'.repeat(300);
    const { uses, isComplete } = expression.read(`${links}top['al'+'ert'](1)`);
    assert.deepEqual([uses.map(({ path }) => path), isComplete], [['alert'], true]);
    assert.equal(expression.read(`'-${'('.repeat(300)}top['al'+'ert'](1)`).isComplete, false);
  });

  it('ends on what never closes', () => {
    for (const part of [
      '(',
      '[',
      '{',
      '`${',
      'a=>',
      'lambda:',
      "'",
      '%q(',
      '/*',
      'eval(',
      '?',
      '->{',
    ]) {
      expression.read(`alert)(${part.repeat(5_000)}`);
    }
  });
});
