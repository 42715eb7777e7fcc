import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';
import { compileSequences, findSequence } from './sequence.ts';

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
  judge,
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
  ],
};

const sequences = compileSequences([
  {
    pattern: "io . popen|read|readlines|binread|sysopen ( '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: 'io . popen ( [', score: confidence.strong },
  // Lua, with what a request holds.
  { pattern: 'io . popen ( * . *', score: confidence.strong, inProse: confidence.hint },
  { pattern: 'io . popen ( * )', score: confidence.strong, inProse: confidence.hint },
  { pattern: 'assert|local ( io . popen ( *', score: confidence.strong },
  {
    pattern: "kernel . exec|system|open|spawn|fork|eval|load|require ( '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: "open3 . capture2|capture2e|capture3|popen2|popen3 ( '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: "os . execute ( '", score: confidence.strong, inProse: confidence.hint },
  { pattern: "loadstring|dofile ( '", score: confidence.likely, inProse: confidence.hint },
  {
    pattern: "instance_eval|class_eval|module_eval|constantize ( '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: "file . read|open|readlines ( ' /",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: 'execute ( ) . text', score: confidence.certain },
  { pattern: 'execute ( ) . gettext', score: confidence.certain },
  { pattern: 'system . diagnostics . process . start (', score: confidence.certain },
  { pattern: "process . start ( '", score: confidence.strong, inProse: confidence.hint },
  { pattern: "createobject ( ' wscript . shell", score: confidence.certain },
  { pattern: "createobject ( ' shell . application", score: confidence.certain },
  { pattern: "createobject ( ' scripting . filesystemobject", score: confidence.strong },
  { pattern: "activexobject ( ' wscript . shell", score: confidence.certain },
  { pattern: 'response . write ( # * # )', score: confidence.strong },
  { pattern: "response . write ( '", score: confidence.likely, inProse: confidence.trace },
  { pattern: 'response . write ( request', score: confidence.strong },
  { pattern: 'execute|executeglobal|eval ( request (', score: confidence.certain },
  { pattern: 'execute|eval request (', score: confidence.certain },
  { pattern: 'eval ( request . item', score: confidence.certain },
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
