import {
  compileSequences,
  findSequence,
  rated,
  type Sequence,
} from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** A parenthesis and what scripts may have in front of it. */
const openings: readonly string[] = ['(', ' (', '\t(', '\n(', '\r', '  ', '/*'];

/**
 * `require('child_process').exec('id')`, `process.mainModule…`,
 * `this.constructor.constructor('…')()`
 */
export const node: ValueRule = {
  id: 'code.node',
  cwe: 'CWE-95',
  score: confidence.certain,
  message: 'is server-side JavaScript that runs commands or leaves its sandbox',
  trigger: {
    literals: [
      [
        ...wordList(
          'child_process mainmodule process.main process.b process.dl process.e process.k',
          'process.c process.u process.p process.v process.a process._',
        ),
        ...wordList(
          'process[" .process constructor. constructor( constructor" reflect. this["',
          'global[" require(" import(',
          "process[' constructor' this[' global[' require('",
        ),
        ...['process .', 'process. '],
        ...['while', 'for'].flatMap((word) => openings.map((by) => word + by)),
        'readfile',
        'getbuiltinmodule',
        'return process',
        ...wordList('readdirsync res.end( res.send( response.end( response.send( writefile'),
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
    'process.binding(2)',
    "process['exit'](6)",
    "import('node:fs').then(f => f)",
    "'+require('os').hostname()+'",
    "Reflect.get(process, 'mainModule')",
    "global.process.binding('spawn_sync')",
    'setTimeout(function () { while (1); }, 0)',
    'x;for(;;){}',
    'setTimeout(function\t()\t{\twhile\t(1);\t},\t0)',
    'process .exit()',
    "import('os'\n).then(m => m.hostname())",
    'import("os"\n)//\n.then(m => m.hostname())',
    "global. process. binding('spawn_sync')",
    'function(){while(true){}}',
    "const {exec} = require('child_process'); exec('id')",
    "const c=require('child_process');c.execSync('cat /etc/hosts')",
    "';res.end(1);//",
  ],
  lookalikes: [
    "const fastify = require('fastify')({ logger: true })",
    'Node has a module child_process; see the docs',
    'set process.env.PORT first',
    'The docs of process.binding(name) say that it is internal',
    "const port = process['env'].PORT;",
    'this.constructor.name is the class',
    'require.main replaces process.mainModule in new versions.',
    "const cpus = require('os').cpus().length",
    'for (;;) { while (1) ; }',
    "const page = await import('./page.js')",
    'call process.exit() only at the end of the program and never in a handler',
    "const fs = require('fs'); fs.readFileSync('./data.json')",
    'setTimeout(function () { while (1) { step(); } }, 0)',
    'for (;;) { poll(); }',
    'import (\n\t"os"\n\t"fmt"\n)\n\nfunc f() { os.ReadFile(p) }',
    'wait for (;) in the process. Exit when done (1), import (fs) later',
    "const { exec: run } = require('child_process'); run('npm test', done);",
    "res.setHeader('x', 'y'); res.end('ok');",
    'int main(void) { setup(); for (;;) {} }',
    'The [`child_process.spawn()`][] method starts a process.',
    'The child_process.execSync() method is child_process.exec() that waits, and',
    '### `child_process.exec(command[, options][, callback])`',
    'const env = global.process && global.process.env;',
  ],
};

const runs = 'exec|execsync|execfile|execfilesync|spawn|spawnsync|fork';

/** Modules of Node that are packages of Go as well. */
const sharedModules = 'os|net';
const ownModules =
  'child_process|fs|vm|dns|http|https|tls|dgram|worker_threads|v8|cluster|inspector|repl';
const modules = `${ownModules}|${sharedModules}`;
/** The next line of Go's list of packages, or its end. */
const goImports = /^[ \t]{0,8}\r?\n\s{0,8}(?:[\w.]{0,20}\s{0,4}["`]|\)\s{0,8}(?:$|\w))/;

/** `child_process.exec()` names the method. */
const noArguments = /^\s{0,8}\)/;

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
  {
    pattern: `${timers} ( function ( ) { ${loop}`,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: `${timers} ( ( ) = > { ${loop}`, score: confidence.strong, inProse: confidence.hint },
  { pattern: `function ( ) { ${loop}`, score: confidence.likely, isWhole: true },
  { pattern: `; ${loop}`, score: confidence.likely, isWhole: true },
  { pattern: loop, score: confidence.hint, isWhole: true },
]);

const sequences = compileSequences([
  ...rated(
    { score: confidence.certain },
    `child_process ' ) . ${runs}`,
    `child_process ' ) [`,
    `_load ( ' child_process`,
    'process . mainmodule . require|children|constructor|exports|paths|_load',
    'process . mainmodule [ *',
    "constructor ' ] [ ' constructor",
    "process . binding|dlopen|_linkedbinding|getbuiltinmodule ( '",
    "constructor . constructor ( '",
    "constructor ( ' return *",
    "function ( ' return process|this|global",
    "eval|function ( ' require (",
  ),
  ...rated(
    { score: confidence.strong },
    '; while ( 1|true ) ; / /',
    'process . binding|dlopen|_linkedbinding ( # )',
    'process . dlopen ( module',
    'process . kill ( process . pid',
    'constructor . constructor (',
    "fs ' ) . readfile|readfilesync|readdir|readdirsync|writefile|writefilesync|unlink|unlinksync|createreadstream|createwritestream ( ' / *",
  ),
  ...rated(
    { score: confidence.strong, inProse: confidence.hint },
    `child_process ' ) ; ${runs} ( ' ${probes}`,
    `child_process ' ) ; * . ${runs} ( ' ${probes}`,
    "' ; res|response . end|send|json|redirect|writehead (",
    "import ( ' node : *",
    `import ( ' ${ownModules} '`,
    "global|globalthis|this|window [ ' process|require|eval|function|constructor '",
    "' ; while ( 1|true )",
    'global|globalthis|root . process . mainmodule|binding|_linkedbinding|dlopen|kill|exit|abort|getbuiltinmodule|constructor',
    '= root . process',
    "process [ ' exit|abort|kill|binding|dlopen|mainmodule|_linkedbinding ' ]",
    'return process . env|mainmodule|cwd|version|platform|binding',
    "fs ' ) . readfile|readfilesync|readdir|readdirsync|writefile|writefilesync|unlink|unlinksync ( '",
  ),
  ...rated(
    { score: confidence.hint, inProse: confidence.trace },
    "require ( ' child_process '",
    "require ( ' node : child_process '",
    'process . mainmodule',
    'global|globalthis|root . process',
    'process . cwd|uptime|platform|version|argv|pid ( ) ;',
  ),
  {
    pattern:
      'reflect . get|apply|construct|getownpropertydescriptor|ownkeys ( process|global|globalthis|function|require',
    score: confidence.certain,
    inProse: confidence.hint,
  },
  {
    pattern: `child_process . ${runs} (`,
    score: confidence.strong,
    inProse: confidence.hint,
    unless: noArguments,
  },
  {
    pattern: `import ( ' ${sharedModules} '`,
    score: confidence.strong,
    inProse: confidence.hint,
    unless: goImports,
  },
  ...loops,
  {
    pattern: "require ( ' child_process '",
    score: confidence.strong,
    inProse: confidence.hint,
    isExpression: true,
  },
  {
    pattern: "require ( ' node : child_process '",
    score: confidence.strong,
    inProse: confidence.hint,
    isExpression: true,
  },
  { pattern: 'process . mainmodule', score: confidence.certain, isWhole: true },
  {
    pattern: `require ( ' ${modules} ' ) . * (`,
    score: confidence.strong,
    inProse: confidence.hint,
    isExpression: true,
  },
  {
    pattern: `require ( ' node : ${modules} ' ) . * (`,
    score: confidence.strong,
    inProse: confidence.hint,
    isExpression: true,
  },
  { pattern: 'global|globalthis|root . process', score: confidence.strong, isWhole: true },
  { pattern: 'process . exit|abort ( )', score: confidence.likely, isWhole: true },
  { pattern: 'process . exit|abort ( # )', score: confidence.likely, isWhole: true },
]);
