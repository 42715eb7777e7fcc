import type { Capability } from '../../grammars/script/expression/capabilities.ts';
import { shellCommand } from '../../grammars/script/expression/capabilities.ts';
import { expression, type Passage } from '../../grammars/script/expression/expression.ts';
import type { Use } from '../../grammars/script/expression/scene.ts';
import type { Veil } from '../../grammars/script/expression/value.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
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
  severity: 'critical',
  score: confidence.strong,
  message: 'is an expression that runs code, reads files or shows the settings of a server',
  trigger: { classes: charClass.paren },
  judge: judgeExpression,
  examples: [
    "[__import__][0]('o'+'s').listdir('/srv')",
    "(lambda:__import__)()('socket')",
    "(__import__ or 1)('os')",
    "(lambda:getattr)()(__import__(('so'[::-1])),'sys'+'tem')('id')",
    "'+str((open)(chr(47)+'etc/hosts').read())+'",
    "array_udiff(['id'],['x'],'system');",
    "'id'.then(&method(:system))",
    "Kernel.method(:system)['id']",
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
    "Hello my friends'.unlink('/srv/a.php').'and all the best to you",
    "It\\'s here'+open('/etc/hosts').read()+'",
    "config.constructor[`con`+'structor'](decodeURIComponent('%72eturn process'))().exit(1)",
  ],
  lookalikes: [
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
    'exec(), eval() and system()',
    "fetch('/api/items')",
    "const response = await fetch('https://api.example.org/items');",
    'call process.exit(1) at the end',
    "How do I join 'a' + system(\"id\") + 'b', as it is written there?",
    "I'm not sure about system('id') + 'x', and would like to learn it",
  ],
};

const server: ReadonlySet<Capability> = new Set<Capability>([
  'run',
  'evaluate',
  'file',
  'folder',
  'write',
  'process',
  'network',
  'send',
  'information',
  'environment',
]);

function judgeExpression(subject: Subject): Match | undefined {
  // What needs no bracket has rules of its own: `%x|id|`, `ENV.to_h`.
  if ((subject.classes & charClass.paren) === 0) return undefined;
  return expressionMatch(subject, server);
}

/** The strongest use of one of the capabilities by an expression that is all of the value. */
export function expressionMatch(
  subject: Subject,
  capabilities: ReadonlySet<Capability>,
): Match | undefined {
  const reading = subject.tokens(expression);
  if (!reading.isComplete) subject.incomplete('tokens');
  return strongest(reading.uses, (use) => {
    const passage = reading.passages[use.passage] as Passage;
    if (passage.isOpen || !capabilities.has(use.capability) || !isReached(use)) return 0;
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
  if (count === 0) return false;
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
  if (veil > 0 && argument !== '') return true;
  return path.test(argument) || shellCommand.test(argument);
}

/** SQL in the `exec` of a driver, a C program that waits at its end, numbers. */
const benignArgument =
  /^(?:[\d.\s]{0,60}|pause|cls|clear)$|^(?:create|select|insert|update|delete|drop|alter|vacuum|pragma|begin|commit|rollback|set|use)\b/i;

const path = /^(?:[/|~]|\.\.?\/|[a-z]:[\\/]|php:|data:|file:|\w{1,40}\/)/i;
/** `assert` of PHP runs a text. */
const code = /[(`]/;
