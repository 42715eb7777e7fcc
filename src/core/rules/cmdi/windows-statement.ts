import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { createFinder } from '../../text/char-finder.ts';
import { endsValue, followsValue } from '../../text/place.ts';
import type { Match, ValueRule } from '../rule.ts';
import { callsWith } from './windows-shell.ts';

const drives: readonly string[] = [...'abcdefghijklmnopqrstuvwxyz'];
/** With what is compared: base64 ends in `==`. */
const equalities = [...drives, ...'0123456789_%"\' '].map((next) => `==${next}`);

/** `x; Get-WmiObject a`, `x; [IO.File]::ReadAllText('a')`, `x & if exist a whoami`, `x&format c:`. */
export const windowsStatement: ValueRule = {
  id: 'cmdi.windows-statement',
  category: 'cmdi',
  cwe: 'CWE-78',
  severity: 'critical',
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
        ...['env:', 'hklm:', 'hkcu:', 'variable:', 'cert:'],
      ],
    ],
  },
  judge,
  examples: [
    '10.0.0.1; Get-WmiObject Win32_Process',
    '; Get-ChildItem C:\\',
    'x | Out-File a.txt',
    'x; Set-ExecutionPolicy Bypass -Scope Process',
    'x; [System.IO.File]::ReadAllText("C:\\a")',
    'x; [Environment]::UserName',
    'x; [Ref].Assembly.GetType("a")',
    'x; $env:USERNAME',
    'x; IEX([Text.Encoding]::ASCII.GetString($a))',
    'x; iex $a',
    'x; &("who"+"ami")',
    "x; . ('ca'+'lc')",
    'x; & "calc.exe"',
    'x $(Invoke-Expression calc)',
    'x & if exist c:\\a whoami',
    'x&if 1==1 whoami',
    'x & start "" /b calc.exe',
    'x&format c: /y',
    'x & wmic process call create calc',
    'x&vssadmin delete shadows /all',
    'x&rundll32 url.dll,OpenURL http://203.0.113.5',
    'x & findstr /si pass c:\\a.txt',
    'x & bcdedit',
    'x & gpresult /r',
    'x; dir env:',
    'x; gci C:\\Users',
    'x&calc',
    'x&attrib',
    'x; cipher /w:c',
    'x & start https://203.0.113.5/',
    'x & if "a"=="a" dir',
    'x; ri -r a',
    'x\nGet-Process',
    'x; Copy-Item aa bb',
    'x; Get-Content \u0434\u0430\u043d\u043d\u044b\u0435.txt',
    'x & start calc a b c',
  ],
  lookalikes: [
    'coffee; get-together at noon',
    'Tea & start-up news; set-top boxes',
    'Get-Process | Stop-Process is what I ran in PowerShell',
    'In PowerShell you write $a = Get-Item x; Get-Content $a',
    'Excel & Calc',
    'Excel & start menu',
    'a=1&calc',
    'red; if you like, blue',
    'sound & format c:5.1',
    'the first; [the second](https://www.example.com/a)',
    'bold & "calc" in quotes',
    'sum; &(g, b)',
    'page; $psversions and $path',
    'x; std::vector[0]::size',
    'Notes; new-items & test-drives',
    'Home & calculator',
    'chkdsk C: /f; sfc /scannow',
    'Hi team; Get-Process hangs on SRV02',
    'Ошибка; Get-Process не работает',
    'Run this:\nGet-Service spooler\nStop-Service spooler',
    'Guten Tag,\n\nGet-Process | Sort-Object CPU is slow; what else?\n\nViele Grüße, Jörg',
    'Install:\n\n```\nnpm i\n```\n\nif exist node_modules whoami',
    'Caesar; cipher',
    'api {\nget-item: 1}',
  ],
};

/** A cmdlet: a verb and a noun that no word of a language with a hyphen ends in. */
const cmdlet =
  /(?:(?:get|set|remove|add|start|stop|restart|invoke|out|write|copy|move|rename|test|resolve|import|enter|disable|enable|read|clear|uninstall|foreach)-(?:item(?:property(?:value)?)?|childitem|content|wmi(?:object|method)|cim(?:instance|method|session)|executionpolicy|command|expression|computer(?:info)?|local(?:user|group(?:member)?)|ad(?:user|group|computer|domain)\w{0,20}|acl|eventlog|winevent|object|clipboard|credential|variable|host|output|net(?:ip|tcp|firewall|adapter)\w{0,20}|netconnection|connection|webrequest|restmethod|module|file|psdrive|pssession|dnsname|sleep|job|process|service|securestring|scheduledtask\w{0,10}|mp(?:preference|computerstatus|threat\w{0,12})|smbshare|bitstransfer|hotfix|location|alias)|add-type|new-(?:object|item|itemproperty|localuser|aduser|ps(?:drive|session)|cimsession|scheduledtask))(?![\w-]|\s?:)/iy;
/** Other statements of PowerShell, where they begin. */
const powershell: readonly RegExp[] = [
  // A type of .NET, of which a member is asked.
  /\[(?:(?:system|microsoft|io|net|text|diagnostics|reflection|runtime|management|security|windows)\.[\w.]{2,80}|convert|environment|activator|appdomain|console)\]::\w|\[ref\]\.\w/iy,
  /\$(?:env:\w|psversiontable\b|executioncontext\b|pshome\b)/iy,
  /(?:iex|icm|saps)(?:\s{0,2}[("'$[{]|\s{1,2}calc\b)/iy,
  /(?:gci|gwmi|gcim|tnc)\s{1,2}(?:-[a-z]|[a-z]:\\|win32_|\d)|ri\s{1,2}(?:-[a-z]|[a-z]:\\)|(?:dir|ls|gci|gi)\s{1,2}(?:env|variable|cert|hklm|hkcu):/iy,
];

/** The call operator, and a command whose name is put together or quoted. */
const call =
  /[&.]\s{0,2}(?:\(\s{0,2}(?:["'][^"'\n]{1,40}["']\s{0,2}\+|gcm\b|get-(?:command|alias)\b|\$env:)|["'][\w.:\\/-]{1,80}\.exe["'])/iy;

/** Statements of cmd.exe. */
const batch: readonly RegExp[] = [
  /@?if (?:\/i )?(?:not )?(?:exist \S{1,80}|defined \w{1,40}|errorlevel \d{1,3}|[\w%"']{1,40} ?(?:==|equ|neq|lss|gtr) ?[\w%"']{1,40}) {1,3}["'(@]{0,2}(?:(?:whoami|dir|type|ping|net|cmd|powershell|calc|echo|start|del|copy|curl|certutil|ipconfig|set|ver)\b|[\w:\\]{1,60}\.exe\b)/iy,
  /start {1,3}(?:"[^"\n]{0,20}" {1,3}|\/\w{1,12} {1,3}){0,4}["']?(?:(?:calc|notepad|cmd|powershell|mspaint)\b|https?:\/\/|[\w.:\\/%-]{1,80}\.(?:exe|bat|cmd|ps1|vbs|hta)\b)/iy,
  /format {1,3}[a-z]:(?:\s|$)/iy,
  /wmic {1,3}(?:\/\S{1,60} {1,3}){0,2}(?:process|os|service|useraccount|computersystem|bios|logicaldisk|product|startup|share|qfe|cpu|nic\w{0,10}|group) {1,3}(?:call|get|list|where)\b/iy,
  /vssadmin(?:\.exe)? {1,3}(?:delete|list|create|resize) {1,3}(?:shadow|volume|writer)/iy,
  /rundll32(?:\.exe)? {1,3}[\w.:\\/-]{1,80},\w/iy,
  /findstr(?: {1,3}\/[\w:]{1,20}){0,4} {1,3}\S{1,60} {1,3}(?:[a-z]:\\|\*\.|%)\S/iy,
  /(?:attrib|ftype|klist|quser|bcdedit|diskpart|auditpol|powercfg|eventvwr|mspaint|regedit|taskmgr|msconfig|gpresult)(?:\.exe)?(?= {0,3}(?:$|[&|;#"'])| {1,3}\/[a-z])/iy,
  // A word of English without its switch.
  /cipher(?:\.exe)? {1,3}\/[a-z]/iy,
  /(?:calc|notepad)\.exe\b/iy,
];
/** Tight, as no title is: `Writer & Calc`. */
const tight = /(?:calc|notepad)(?= {0,3}(?:$|[&|#"']))/iy;

function judge(subject: Subject): Match | undefined {
  const { text } = subject;
  const last = Math.min(text.length, headCharsMax);
  let count = 0;
  for (let at = nextSeparator(text, 0); at < last; at = nextSeparator(text, at + 1)) {
    if (++count > separatorsMax) break;
    // Cheaper than the patterns: in a text of several lines it is seldom so.
    if (!followsValue(text, at)) continue;
    const end = statementEnd(text, at);
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
function statementEnd(text: string, separator: number): number {
  const code = text.charCodeAt(separator);
  // `(` and `{` begin a statement in PowerShell only.
  const isBracket = code === 40 || code === 123;
  if (code === 40 && text.charCodeAt(separator - 1) !== 36) return 0;
  let at = separator + 1;
  while (at < separator + blanksMax && text.charCodeAt(at) <= 32) at++;
  const found =
    cmdletEnd(text, at) ||
    endOf(powershell, text, at) ||
    (code === ampersand ? 0 : endAt(call, text, at));
  if (found > 0 || isBracket) return found;
  const isTight = at === separator + 1 && (code === ampersand || code === 124);
  return endOf(batch, text, at) || (isTight ? endAt(tight, text, at) : 0);
}

const blanksMax = 4;

/**
 * None where a sentence goes on, `Get-Process hangs on SRV02`: of words that no name of a parameter
 * introduces a cmdlet takes two, and refuses to start with more.
 */
function cmdletEnd(text: string, at: number): number {
  const end = endAt(cmdlet, text, at);
  return end > 0 && endAt(sentence, text, end) > 0 ? 0 : end;
}

const sentence =
  /(?: {1,2}\w{1,30}){3}(?=[\s.,!?]|$)|(?: {1,2}[\u00c0-\u1fff\u3040-\uffee]{1,30}){2}/y;

function endOf(patterns: readonly RegExp[], text: string, at: number): number {
  for (const pattern of patterns) {
    const end = endAt(pattern, text, at);
    if (end > 0) return end;
  }
  return 0;
}

function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

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
  return script.test(text.slice(Math.max(0, start - beforeCharsMax), start));
}

const beforeCharsMax = 120;
const script = /(?:^|[\s({|])(?:[a-z]{2,10}-[a-z]{3,20}\b|\$\w)|^\s{0,4}[$[#]|\w=\w{0,60}$/i;
