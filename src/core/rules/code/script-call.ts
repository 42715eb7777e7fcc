import { compileSequences, findSequence, rated } from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** Ruby, Lua, Groovy, .NET: `IO.popen("id")`, `os.execute("id")`, `"id".execute().text` */
export const scriptCall: ValueRule = {
  id: 'code.script-call',
  cwe: 'CWE-94',
  severity: 'critical',
  score: confidence.strong,
  message: 'runs a command from Ruby, Lua, Groovy or .NET code',
  trigger: {
    classes: charClass.paren,
    literals: [
      [
        ...wordList('io.popen io.read io.binread kernel. os.execute .execute( execute('),
        'execute (',
        'executeglobal',
        'execute request',
        'eval request',
        'eval(request',
        'eval (request',
        ...wordList(
          'instance_eval class_eval module_eval constantize open3. process.start',
          'createobject wscript activexobject response.write loadstring dofile file.read',
          'file.open',
        ),
      ],
    ],
  },
  judge: (subject) =>
    findSequence(subject, sequences) ?? foundBy(executedString.exec(subject.text)),
  examples: [
    'IO.popen("id").read',
    'Kernel.exec("id")',
    'os.execute("id")',
    "local f = assert(io.popen(args.cmd, 'r'))",
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
    'Win32Exception\n   at System.Diagnostics.Process.Start(ProcessStartInfo startInfo)\n   at A.B()',
  ],
};

/** `Start(ProcessStartInfo info)`: a line of a trace names the method with its parameters. */
const signature = /^(?!(?:New|Not|Await) )[A-Z]\w{0,60}(?:\[\])? [a-z]\w{0,40}[,)]/;

const sequences = compileSequences([
  {
    pattern: 'system . diagnostics . process . start (',
    score: confidence.certain,
    unless: signature,
  },
  ...rated(
    { score: confidence.certain },
    'execute ( ) . text',
    'execute ( ) . gettext',
    "createobject ( ' wscript . shell",
    "createobject ( ' shell . application",
    "activexobject ( ' wscript . shell",
    'execute|executeglobal|eval ( request (',
    'execute|eval request (',
    'eval ( request . item',
  ),
  ...rated(
    { score: confidence.strong },
    'io . popen ( [',
    'assert|local ( io . popen ( *',
    "createobject ( ' scripting . filesystemobject",
    'response . write ( # * # )',
    'response . write ( request',
  ),
  ...rated(
    { score: confidence.strong, inProse: confidence.hint },
    "io . popen|read|readlines|binread|sysopen ( '",
    // Lua, with what a request holds.
    'io . popen ( * . *',
    'io . popen ( * )',
    "kernel . exec|system|open|spawn|fork|eval|load|require ( '",
    "open3 . capture2|capture2e|capture3|popen2|popen3 ( '",
    "os . execute ( '",
    "instance_eval|class_eval|module_eval|constantize ( '",
    "file . read|open|readlines ( ' /",
    "process . start ( '",
  ),
  { pattern: "loadstring|dofile ( '", score: confidence.likely, inProse: confidence.hint },
  { pattern: "response . write ( '", score: confidence.likely, inProse: confidence.trace },
]);

/** Groovy's `"id".execute()`: a method that no other language gives to a string. */
const executedString = /["'\]] {0,2}\.execute\(\)/;
