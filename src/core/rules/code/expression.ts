import { type Capability, shellCommand } from '../../grammars/script/expression/capabilities.ts';
import { expression, type Passage } from '../../grammars/script/expression/expression.ts';
import type { Use } from '../../grammars/script/expression/scene.ts';
import type { Veil } from '../../grammars/script/expression/value.ts';
import { compileSequences, findSequence } from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy, strongest } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * `(__import__)('o'+'s').system('id')`, `'.(opendir('/x')).'`, `[7,File.read('/x')]`: an
 * expression of PHP, Python, Ruby or Node that reaches out of the program that evaluates it.
 */
export const codeExpression: ValueRule = {
  id: 'code.expression',
  cwe: 'CWE-95',
  score: confidence.strong,
  message: 'is an expression that runs code, reads files or shows the settings of a server',
  trigger: { classes: charClass.paren },
  judge: judgeExpression,
  examples: [
    "'system' (strrev ('di'))",
    "[__import__][0]('o'+'s').listdir('/srv')",
    "(lambda:__import__)()('socket')",
    "(__import__ or 1)('os')",
    "(lambda:getattr)()(__import__(('so'[::-1])),'sys'+'tem')('id')",
    "'+str((open)(chr(47)+'etc/hosts').read())+'",
    "array_udiff(['id'],['x'],'system');",
    "'id'.then(&method(:system))",
    "Kernel.method(:system)['id']",
    `global["pr"+"ocess"].mainModule.require('child_p'+'rocess').execSync('whoami')`,
    '(fn()=>(345).(["phpinfo"][0]()))()',
    '".(implode(array_map("chr",[115,121,115,116,101,109])))("id")."',
    "[152,Dir.glob('/srv')]",
    "['ls /srv'].each{|x|system(x)}",
    "open('whoami')",
    "x#{open('curl http://x.test/a')}",
    'process.kill(6)',
    '[8, process.exit(2)]',
    "fetch('//files.example.net/x')",
    "''+(method(:system).call('id')).to_s+''",
    "How do I write it? I do not know' + system('id') + ' and would like to learn it, thanks",
    "x'+File.open('/etc/hosts').read+p(https://x).to_s+'",
    "Hello my friends'.unlink('/srv/a.php').'and all the best to you",
    '(function(){return process})().exit()',
    "It\\'s here'+open('/etc/hosts').read()+'",
    "config.constructor[`con`+'structor'](decodeURIComponent('%72eturn process'))().exit(1)",
  ],
  lookalikes: [
    'the (process).exit () of Node',
    "text = open('notes.txt').read()",
    "(lambda name: name.title())('os')",
    "import glob\nfor name in glob.glob('/srv/*.log'): print(open(name).read())",
    'db.exec("select 1")',
    'names.each(&method(:puts)) and list.map(&:to_s)',
    "array_search('system', $names)",
    "routes[method(:index)]['id']",
    'f(x) = sin(x) + exec(0)',
    'open(door) and close(door)',
    "open('notes.txt')",
    "open('identity')",
    "Use `ls` and 'system' (the old one)",
    "The type is 'system' (internal) or 'exec' (external)",
    "typeof cb === 'function' (5 ms)",
    'exec(), eval() and system()',
    "fetch('/api/items')",
    "const response = await fetch('https://api.example.org/items');",
    'call process.exit(1) at the end',
    "How do I join 'a' + system(\"id\") + 'b', as it is written there?",
    "I'm not sure about system('id') + 'x', and would like to learn it",
  ],
};

const server: readonly Capability[] = [
  ...(['run', 'evaluate', 'file', 'folder', 'write'] as const),
  ...(['process', 'network', 'send', 'information', 'environment'] as const),
];

function judgeExpression(subject: Subject): Match | undefined {
  // What needs no bracket has rules of its own: `%x|id|`, `ENV.to_h`.
  if ((subject.classes & charClass.paren) === 0) return undefined;
  return expressionMatch(subject, server);
}

/** The strongest use of one of the capabilities by an expression that is all of the value. */
export function expressionMatch(
  subject: Subject,
  capabilities: readonly Capability[],
): Match | undefined {
  const reading = subject.tokens(expression);
  if (!reading.isComplete) subject.incomplete('tokens');
  return strongest(reading.uses, (use) => {
    const passage = reading.passages[use.passage] as Passage;
    if (passage.isOpen || !capabilities.includes(use.capability) || !isReached(use)) return 0;
    return scoreOf(use, passage);
  });
}

function scoreOf(use: Use, { errors, statements }: Passage): number {
  if (errors === 0 && statements === 0)
    return use.veil === 2 ? confidence.certain : confidence.strong;
  if (use.veil < 2) return 0;
  return errors === 0 ? confidence.strong : confidence.hint;
}

/** The call is made with what its capability needs; without, it is only named. */
function isReached({ capability, argument, count, veil, path: name }: Use): boolean {
  if (capability === 'information' || capability === 'environment') return true;
  // `(()=>process)().exit()`: no program comes to it that way.
  if (count === 0) return capability === 'process' && veil > 0;
  // `process.kill(6)`: a number is what it needs.
  if (capability === 'network' || capability === 'process') return true;
  if (capability === 'send') return argument !== undefined && foreign.test(argument);
  if (argument === undefined) return veil > 0 || (capability === 'run' && name !== 'exec');
  if (capability === 'file' || name === 'glob') return isPath(argument.trim(), veil);
  if (capability === 'evaluate' && name === 'assert' && !code.test(argument)) return false;
  return !benignArgument.test(argument);
}

/** Another host without a scheme: programs that call one name it whole. */
const foreign = /^\/\/\w/;

/** A path of the machine, or a command of Ruby's `open`. */
function isPath(argument: string, veil: Veil): boolean {
  if (veil > 0 && !digits.test(argument)) return true;
  return path.test(argument) || shellCommand.test(argument);
}

const digits = /^\d*$/;

/** SQL in the `exec` of a driver, a C program that waits at its end, numbers. */
const benignArgument =
  /^(?:[\d.\s]{0,60}|pause|cls|clear)$|^(?:create|select|insert|update|delete|drop|alter|vacuum|pragma|begin|commit|rollback|set|use)\b/i;

const path = /^(?:[/|~]|\.\.?\/|[a-z]:[\\/]|php:|data:|file:|\w{1,40}\/)/i;
/** `assert` of PHP runs a text. */
const code = /[(`]/;

/** `[59,ENV.keys]`, `'+(ENV.to_h).to_s+'`: Ruby's settings of the process, as a whole. */
export const environment: ValueRule = {
  id: 'code.environment',
  cwe: 'CWE-95',
  severity: 'high',
  score: confidence.strong,
  message: 'is an expression of Ruby that shows the environment of the server',
  trigger: { literals: [['env']] },
  judge: (subject) => expressionMatch(subject, ['environment']),
  examples: ['ENV.to_h', '[59,ENV.keys]', "'+(ENV.to_h).to_s+'", 'x#{ENV.inspect}'],
  lookalikes: [
    'ENV.keys shows all names',
    'ENV.fetch("HOME")',
    'env.example',
    'set ENV.to_h aside',
  ],
};

/** Ruby's `%x(id)` as the value or after a separator. */
export const rubyLiteral: ValueRule = {
  id: 'code.ruby-literal',
  cwe: 'CWE-78',
  score: confidence.strong,
  message: 'runs a command in a literal of Ruby',
  trigger: { classes: charClass.percent, literals: [['%x(', '%x{', '%x[', '%x|', '%x!']] },
  judge: judgeLiteral,
  examples: ['%x(id)', "';%x{ls -la}", '"#{%x(id)}"', '= %x[uname]', '[1,%x|id|]'],
  lookalikes: [
    'strftime: %x (the date) and %X (the time)',
    'printf("%x|%x", a, b)',
    '100%x(2) is not a formula',
    'hex: %x! dec: %d',
  ],
};

function judgeLiteral(subject: Subject): Match | undefined {
  const { text } = subject;
  const found = foundBy(percentX.exec(text));
  return found ?? (percentXStart.test(text) ? expressionMatch(subject, ['run']) : undefined);
}

const percentX =
  /(?:^|[;'={] {0,2})%x(?:\([^)\n]{1,120}\)|\{[^}\n]{1,120}\}|\[[^\]\n]{1,120}\]|[|!][^|!\n]{1,120}[|!])/;

const percentXStart = /%x[([{|!]/i;

/** `` print `id`; ``, `` @{[`id`]} ``: Perl, PHP and Ruby run what stands in backticks. */
export const backtick: ValueRule = {
  id: 'code.backtick',
  cwe: 'CWE-78',
  score: confidence.strong,
  message: 'runs a command in backticks as Perl, PHP and Ruby do',
  trigger: { literals: [['`', '@{', '@ {']] },
  judge: judgeBacktick,
  examples: [
    'print `id`;',
    'x@{[`uname -a`]}',
    '{7*7};`id`',
    'eval("`id`")',
    "';echo `ls`;//",
    '[442,`id`]',
    'typj${`whoami`}',
    '(1?`id`:0)',
  ],
  lookalikes: [
    'Please print `total` and then close the file',
    'return `name` if set',
    'The type is `{ a: string }`; `null` is not allowed here',
    '`eval` and `puts`',
    'Like `curl`, but for gRPC.',
    'the `id` of `name`',
    '[`id`, `name`]',
    '```\nconst a = { b: 1 };\n```\n\n2. Run it',
  ],
};

const backtickSequences = compileSequences([
  {
    pattern: 'print|echo|return|puts|die|eval ` * ` ;',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: 'print|echo|return|puts|die|eval ` * - * ` ;',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: "eval ( ' `", score: confidence.strong },
  { pattern: 'eval|print|echo|puts|die ( `', score: confidence.likely, inProse: confidence.trace },
  { pattern: '@ { [ `', score: confidence.strong },
  { pattern: '@ { [ system|exec|qx|open|print|eval', score: confidence.strong },
  { pattern: '} ; ` *', score: confidence.strong, inProse: confidence.hint },
]);

function judgeBacktick(subject: Subject): Match | undefined {
  const found = findSequence(subject, backtickSequences);
  return (found?.score ?? 0) >= confidence.strong ? found : (commandMatch(subject) ?? found);
}

/** The value is an expression, and a literal in it is a command of a shell. */
function commandMatch(subject: Subject): Match | undefined {
  const { uses, passages } = subject.tokens(expression);
  const commands = uses.filter(({ capability }) => capability === 'command');
  // `id`, `name`: names of a text about code.
  if (commands.some(({ argument }) => !shellCommand.test(argument ?? ''))) return undefined;
  for (const { start, end, passage } of commands) {
    const { errors, statements, isOpen } = passages[passage] as Passage;
    const isAlone = end - start === subject.text.trim().length;
    if (errors + statements === 0 && !isAlone && !isOpen) {
      return { start, end, score: confidence.strong };
    }
  }
  return undefined;
}
