import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { compileSequences, findSequence } from './sequence.ts';

/** Ruby, Lua, Groovy, .NET: `IO.popen("id")`, `os.execute("id")`, `"id".execute().text` */
export const scriptCall: ValueRule = {
  id: 'code.script-call',
  category: 'code',
  cwe: 'CWE-94',
  severity: 'critical',
  score: 86,
  message: 'runs a command from Ruby, Lua, Groovy or .NET code',
  trigger: {
    classes: charClass.paren,
    literals: [
      [
        'io.popen',
        'io.read',
        'io.binread',
        'kernel.',
        'os.execute',
        '.execute(',
        'execute(',
        'execute (',
        'executeglobal',
        'execute request',
        'eval request',
        'eval(request',
        'eval (request',
        'instance_eval',
        'class_eval',
        'module_eval',
        'constantize',
        'open3.',
        'process.start',
        'createobject',
        'wscript',
        'activexobject',
        'response.write',
        'loadstring',
        'dofile',
        'file.read',
        'file.open',
      ],
    ],
  },
  judge,
  examples: [
    'IO.popen("id").read',
    'Kernel.exec("id")',
    'os.execute("id")',
    'x = "id".execute()',
    '"id".execute().text',
    'System.Diagnostics.Process.Start("cmd.exe","/c id")',
    'Response.Write(12*34)',
    'CreateObject("WScript.Shell").Run("calc")',
  ],
  lookalikes: [
    'Lua has os.execute() and io.popen()',
    'the stored procedure is run with query.execute()',
    'db.select("a").execute()',
    'cursor.execute("see the manual")',
    'The kernel (5.10) is old',
    'new Date("2020").execute',
  ],
};

const sequences = compileSequences([
  { pattern: "io . popen|read|readlines|binread|sysopen ( '", score: 86, inProse: 60 },
  { pattern: 'io . popen ( [', score: 86 },
  { pattern: "kernel . exec|system|open|spawn|fork|eval|load|require ( '", score: 88, inProse: 60 },
  { pattern: "open3 . capture2|capture2e|capture3|popen2|popen3 ( '", score: 86, inProse: 60 },
  { pattern: "os . execute ( '", score: 88, inProse: 60 },
  { pattern: "loadstring|dofile ( '", score: 76, inProse: 50 },
  { pattern: "instance_eval|class_eval|module_eval|constantize ( '", score: 80, inProse: 55 },
  { pattern: "file . read|open|readlines ( ' /", score: 78, inProse: 50 },
  { pattern: 'execute ( ) . text', score: 90 },
  { pattern: 'execute ( ) . gettext', score: 90 },
  { pattern: 'system . diagnostics . process . start (', score: 92 },
  { pattern: "process . start ( '", score: 82, inProse: 55 },
  { pattern: "createobject ( ' wscript . shell", score: 92 },
  { pattern: "createobject ( ' shell . application", score: 92 },
  { pattern: "createobject ( ' scripting . filesystemobject", score: 85 },
  { pattern: "activexobject ( ' wscript . shell", score: 92 },
  { pattern: 'response . write ( # * # )', score: 85 },
  { pattern: "response . write ( '", score: 74, inProse: 45 },
  { pattern: 'response . write ( request', score: 85 },
  { pattern: 'execute|executeglobal|eval ( request (', score: 92 },
  { pattern: 'execute|eval request (', score: 92 },
  { pattern: 'eval ( request . item', score: 92 },
]);

function judge(subject: Subject): Match | undefined {
  return findSequence(subject, sequences) ?? groovyCommand(subject.text);
}

/** Groovy's `"id".execute()`: a method that no other language gives to a string. */
function groovyCommand(text: string): Match | undefined {
  const match = executedString.exec(text);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}

const executedString = /["'\]] {0,2}\.execute\(\)/;
