import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingTools } from '../../bench/lib/installed.ts';
import type { Effect } from '../../bench/redteam/contract.ts';
import { templateGrammars } from '../../bench/redteam/grammar/template.ts';
import { javaTemplateGrammars } from '../../bench/redteam/grammar/template-java.ts';
import { templateOracles } from '../../bench/redteam/oracle/code/templates.ts';
import { templateRewriters } from '../../bench/redteam/rewrite/template.ts';
import { javaTemplateRewriters } from '../../bench/redteam/rewrite/template-java.ts';
import { requireInstalled } from '../support/require-tool.ts';
import { type Exploits, testOracle, testRewriters } from './laws.ts';

const sum = '1234*5678';
const curly: Exploits = {
  text: [[`{{${sum}}}`], ['{{config.secret_key}}']],
  attribute: [[`{{${sum}}}`]],
  expression: [[sum], ['config.secret_key']],
  'expression string': [[`"~(${sum})~"`]],
};
const percent: Exploits = {
  text: [[`<%=${sum}%>`], ['<%= config %>']],
  attribute: [[`<%=${sum}%>`]],
  expression: [[sum]],
  'expression string': [[`"+(${sum}).to_s+"`]],
};

const exploits: Readonly<Record<string, Exploits>> = {
  jinja: { ...curly, attribute: [["{{lipsum.__globals__.os.popen('id').read()}}"]] },
  twig: { ...curly, attribute: [["{{['id']|map('system')|join}}"]] },
  erb: { ...percent, attribute: [['<%=`id`%>']] },
  nunjucks: {
    ...curly,
    attribute: [
      [
        `{{range.constructor("return process.mainModule.require('child_process').execSync('id')")()}}`,
      ],
    ],
  },
  ejs: {
    text: [[`<%=${sum}%>`], ['<%= config.secret_key %>']],
    attribute: [["<%= process.mainModule.require('child_process').execSync('id') %>"]],
    expression: [[sum]],
    'expression string': [[`"+(${sum})+"`]],
  },
  handlebars: {
    text: [['{{config.secret_key}}'], ['{{#each config}}{{this}}{{/each}}']],
    attribute: [['{{lookup config "secret_key"}}']],
  },
  pug: {
    text: [[`#{${sum}}`], [`\np= ${sum}`]],
    attribute: [[`"+(${sum})+"`]],
    expression: [["process.mainModule.require('child_process').execSync('id')"], [sum]],
  },
  freemarker: {
    text: [
      [`\${${sum}}`],
      ['${"freemarker.template.utility.Execute"?new()("id")}'],
      ['<#include "settings.ftl">'],
      [`[#assign x=${sum}]\${x}`],
    ],
    attribute: [['${config.secret_key}']],
    expression: [['"freemarker.template.utility.Execute"?new()("id")']],
    'expression string': [[`\${${sum}}`]],
  },
  velocity: {
    text: [
      [`#set($x=${sum})$x`],
      ['$config.secret_key'],
      ["#set($x='')$x.class.forName('java.lang.Runtime').getRuntime().exec('id')"],
      ['#include("settings.vm")'],
    ],
    attribute: [["$class.inspect('java.lang.Runtime').type"]],
    expression: [['$user.class.classLoader.class']],
    'expression string': [['$config.secret_key']],
  },
};

/** In text: what the application gave, an instance, a literal written otherwise; an effect in front. */
const shown: Readonly<Record<string, readonly (readonly [Effect, string])[]>> = {
  jinja: [
    ['inert', '{{ 0x40c1 }} {{ 2_168 }} {{ "\\x61bcd" }} {{ undefined_name }}'],
    ['inert', 'tea {#- note -#} pot {{ self }}'],
    ['effective', "{{ ''.__class__ }}"],
    ['effective', '{{ "tea"|upper ~ "pot" }}'],
    ['effective', '{{ "tea" * 2 }}'],
  ],
  twig: [
    ['inert', '{{ _self }} {{ [1] }} {{ "tea pot" }}'],
    ['effective', "{{ constant('PHP_OS') }}"],
  ],
  erb: [
    ['inert', '<%= self %> <%= 2_168 %> <%= 017777 %>'],
    ['effective', '<%= self.class %>'],
  ],
  nunjucks: [
    ['inert', '{{ config }} {{ 4711 }}'],
    ['effective', '{{ range }}'],
  ],
  ejs: [
    ['inert', `<%= 'a"b' %> <%= config %> <%= 0x40c1 %>`],
    ['effective', '<%= process.version + process.pid + process.platform %>'],
  ],
  handlebars: [
    ['inert', '{{this}} {{config}} {{@root}}'],
    ['inert', '{{#each this}}{{@key}}={{this}}{{/each}} {{"tea pot"}}'],
    ['effective', '{{lookup config "secret_key"}}'],
  ],
  pug: [
    ['inert', `#{'a"b'} #{[1]} #{0x40c1}`],
    ['effective', '#{[].constructor}'],
  ],
  freemarker: [
    ['inert', '${4711} ${"tea pot"} ${user} ${user.name} tea<#-- note -->pot'],
    ['inert', '<#if true>tea pot</#if> <#list [] as x>a</#list>'],
    ['effective', '${user.class}'],
    ['effective', '${config?values?first}'],
    [
      'effective',
      '${"freemarker.template.utility.ObjectConstructor"?new()("java.io.FileReader", "/x")}',
    ],
  ],
  velocity: [
    ['inert', '$none $user $user.name ${x.y} #set($t = "tea pot")$t $5 #1'],
    ['inert', '#if(true)tea#{end}pot ## note'],
    ['effective', '$user.class'],
    ['effective', '$config'],
  ],
};

for (const { name, start, tools, contexts } of templateOracles) {
  test(`${name}: what is given or written is no effect, what is computed is one`, async (t) => {
    if (!requireInstalled(t, tools.join(', '), missingTools({ tools }).length === 0)) return;
    const [text] = contexts;
    assert.equal(text?.name, 'text');
    const running = await start();
    try {
      for (const [effect, value] of shown[name] ?? []) {
        assert.equal(text && (await running.judge(text, [value])), effect, value);
      }
    } finally {
      await running.close();
    }
  });
}

for (const oracle of templateOracles) {
  testOracle(oracle, exploits[oracle.name] ?? {});
  const grammar = [...templateGrammars, ...javaTemplateGrammars].find(
    ({ language }) => language === oracle.language,
  );
  if (grammar === undefined) throw new Error(`No grammar for ${oracle.name}.`);
  const fitting = [...templateRewriters, ...javaTemplateRewriters].filter(
    ({ language }) => language === oracle.language,
  );
  testRewriters(oracle, grammar, fitting);
}
