import type { ValueRule } from '../rule.ts';
import { compileSequences, findSequence, type Sequence } from './sequence.ts';

/**
 * `require('child_process').exec('id')`, `process.mainModule…`,
 * `this.constructor.constructor('…')()`
 */
export const node: ValueRule = {
  id: 'code.node',
  category: 'code',
  cwe: 'CWE-95',
  severity: 'critical',
  score: 90,
  message: 'is server-side JavaScript that runs commands or leaves its sandbox',
  trigger: {
    literals: [
      [
        'child_process',
        'mainmodule',
        'process.main',
        'process.b',
        'process.dl',
        'process.e',
        'process.k',
        'process.c',
        'process.u',
        'process.p',
        'process.v',
        'process.a',
        'process._',
        '.process',
        'constructor.',
        'constructor(',
        'constructor"',
        "constructor'",
        'import(',
        'reflect.',
        "this['",
        'this["',
        "global['",
        'global["',
        "require('",
        'require("',
        'while(',
        'while (',
        'for(;',
        'for (;',
        'readfile',
        'getbuiltinmodule',
        'return process',
        'readdirsync',
        'res.end(',
        'res.send(',
        'response.end(',
        'response.send(',
        'writefile',
      ],
    ],
  },
  judge: (subject) => findSequence(subject, sequences),
  examples: [
    "require('child_process').exec('id')",
    "process.mainModule.require('fs')",
    "this.constructor.constructor('return process')()",
    "require('fs').readFileSync('/etc/hosts')",
    'process.exit()',
    "import('node:fs').then(f => f)",
    "'+require('os').hostname()+'",
    "Reflect.get(process, 'mainModule')",
    "global.process.binding('spawn_sync')",
    'setTimeout(function () { while (1); }, 0)',
    'x;for(;;){}',
    'function(){while(true){}}',
    "const {exec} = require('child_process'); exec('id')",
    "const c=require('child_process');c.execSync('cat /etc/hosts')",
    "';res.end(1);//",
  ],
  lookalikes: [
    "const fastify = require('fastify')({ logger: true })",
    'Node has a module child_process; see the docs',
    'set process.env.PORT first',
    'this.constructor.name is the class',
    'require.main replaces process.mainModule in new versions.',
    "const cpus = require('os').cpus().length",
    'for (;;) { while (1) ; }',
    "const page = await import('./page.js')",
    'call process.exit() only at the end of the program and never in a handler',
    "const fs = require('fs'); fs.readFileSync('./data.json')",
    'setTimeout(function () { while (1) { step(); } }, 0)',
    'for (;;) { poll(); }',
    "const { exec: run } = require('child_process'); run('npm test', done);",
    "res.setHeader('x', 'y'); res.end('ok');",
    'int main(void) { setup(); for (;;) {} }',
    'The [`child_process.spawn()`][] method starts a process.',
    '### `child_process.exec(command[, options][, callback])`',
    'const env = global.process && global.process.env;',
  ],
};

const runs = 'exec|execsync|execfile|execfilesync|spawn|spawnsync|fork';

const modules =
  'child_process|fs|os|net|vm|dns|http|https|tls|dgram|worker_threads|v8|cluster|inspector|repl';

/** Loops that never end and do nothing: they stop the server that runs them. */
const endless: readonly string[] = [
  'while ( 1|true ) ;',
  'while ( 1|true ) { }',
  'while ( ! 0 ) ;',
  'while ( ! 0 ) { }',
  'for ( ; ; ) ;',
  'for ( ; ; ) { }',
];
/** What an intruder runs first; scripts of a project start other programs. */
const probes =
  'id|whoami|uname|cat|ls|pwd|curl|wget|nc|ncat|bash|sh|touch|rm|sleep|ping|nslookup|calc|hostname|ifconfig|ipconfig|dir|type|powershell|env';
const timers = 'settimeout|setinterval|setimmediate';

const loops: readonly Sequence[] = endless.flatMap((loop) => [
  { pattern: `${timers} ( function ( ) { ${loop}`, score: 86, inProse: 55 },
  { pattern: `${timers} ( ( ) = > { ${loop}`, score: 86, inProse: 55 },
  { pattern: `function ( ) { ${loop}`, score: 76, isWhole: true },
  { pattern: `; ${loop}`, score: 76, isWhole: true },
  { pattern: loop, score: 60, isWhole: true },
]);

const sequences = compileSequences([
  ...loops,
  { pattern: `child_process ' ) . ${runs}`, score: 94 },
  { pattern: `child_process ' ) [`, score: 92 },
  { pattern: "require ( ' child_process '", score: 80, inProse: 55, isExpression: true },
  { pattern: "require ( ' node : child_process '", score: 80, inProse: 55, isExpression: true },
  { pattern: "require ( ' child_process '", score: 60, inProse: 40 },
  { pattern: "require ( ' node : child_process '", score: 60, inProse: 40 },
  { pattern: `child_process . ${runs} (`, score: 88, inProse: 55 },
  { pattern: `_load ( ' child_process`, score: 94 },
  { pattern: `child_process ' ) ; ${runs} ( ' ${probes}`, score: 88, inProse: 60 },
  { pattern: `child_process ' ) ; * . ${runs} ( ' ${probes}`, score: 88, inProse: 60 },
  { pattern: "' ; res|response . end|send|json|redirect|writehead (", score: 84, inProse: 60 },
  { pattern: 'process . mainmodule . require|children|constructor|exports|paths|_load', score: 92 },
  { pattern: 'process . mainmodule [ *', score: 90 },
  { pattern: 'process . mainmodule', score: 90, isWhole: true },
  { pattern: 'process . mainmodule', score: 60, inProse: 45 },
  { pattern: "import ( ' node : *", score: 88, inProse: 55 },
  { pattern: `import ( ' ${modules} '`, score: 84, inProse: 50 },
  { pattern: `require ( ' ${modules} ' ) . * (`, score: 84, inProse: 50, isExpression: true },
  {
    pattern: `require ( ' node : ${modules} ' ) . * (`,
    score: 84,
    inProse: 50,
    isExpression: true,
  },
  {
    pattern:
      'reflect . get|apply|construct|getownpropertydescriptor|ownkeys ( process|global|globalthis|function|require',
    score: 90,
    inProse: 60,
  },
  {
    pattern: "global|globalthis|this|window [ ' process|require|eval|function|constructor '",
    score: 86,
    inProse: 60,
  },
  { pattern: "constructor ' ] [ ' constructor", score: 92 },
  { pattern: '; while ( 1|true ) ; / /', score: 80 },
  { pattern: "' ; while ( 1|true )", score: 80, inProse: 50 },
  {
    pattern:
      'global|globalthis|root . process . mainmodule|binding|_linkedbinding|dlopen|kill|exit|abort|getbuiltinmodule|constructor',
    score: 88,
    inProse: 60,
  },
  { pattern: '= root . process', score: 80, inProse: 55 },
  { pattern: 'global|globalthis|root . process', score: 80, isWhole: true },
  { pattern: 'global|globalthis|root . process', score: 55, inProse: 40 },
  { pattern: "process . binding|dlopen|_linkedbinding|getbuiltinmodule ( '", score: 90 },
  { pattern: 'process . dlopen ( module', score: 88 },
  { pattern: 'process . exit|abort ( )', score: 76, isWhole: true },
  { pattern: 'process . exit|abort ( # )', score: 76, isWhole: true },
  {
    pattern: 'return process . env|mainmodule|cwd|version|platform|binding',
    score: 84,
    inProse: 50,
  },
  { pattern: 'process . kill ( process . pid', score: 85 },
  { pattern: 'process . cwd|uptime|platform|version|argv|pid ( ) ;', score: 60, inProse: 30 },
  { pattern: "constructor . constructor ( '", score: 94 },
  { pattern: 'constructor . constructor (', score: 88 },
  { pattern: "constructor ( ' return *", score: 92 },
  { pattern: "function ( ' return process|this|global", score: 92 },
  { pattern: "eval|function ( ' require (", score: 92 },
  {
    pattern:
      "fs ' ) . readfile|readfilesync|readdir|readdirsync|writefile|writefilesync|unlink|unlinksync|createreadstream|createwritestream ( ' / *",
    score: 88,
  },
  {
    pattern:
      "fs ' ) . readfile|readfilesync|readdir|readdirsync|writefile|writefilesync|unlink|unlinksync ( '",
    score: 82,
    inProse: 50,
  },
]);
