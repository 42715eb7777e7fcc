import { isListedWord } from './listed-word.ts';

/**
 * Statements of cmd.exe (https://learn.microsoft.com/windows-server/administration/windows-commands),
 * each with the argument that no sentence has.
 */
const statements: readonly RegExp[] = [
  /@?if (?:\/i )?(?:not )?(?:exist \S{1,80}|defined \w{1,40}|errorlevel \d{1,3}|[\w%"']{1,40} ?(?:==|equ|neq|lss|gtr) ?[\w%"']{1,40}) {1,3}["'(@]{0,2}(?:(?:whoami|dir|type|ping|net|cmd|powershell|calc|echo|start|del|copy|curl|certutil|ipconfig|set|ver)\b|[\w:\\]{1,60}\.exe\b)/iy,
  /@?for {1,3}(?:\/[dflr] {1,3}(?:"[^"\n]{0,60}" {1,3}|[^\s%"]{1,60} {1,3})?)?%{1,2}[a-z] {1,3}in {0,3}\([^()\n]{1,80}\) {0,3}do {1,3}[@("]{0,3}[a-z]/iy,
  /start {1,3}(?:"[^"\n]{0,20}" {1,3}|\/\w{1,12} {1,3}){0,4}["']?(?:(?:calc|notepad|cmd|powershell|mspaint)\b|https?:\/\/|[\w.:\\/%-]{1,80}\.(?:exe|bat|cmd|ps1|vbs|hta)\b)/iy,
  // It refuses what is no switch, such as the next word of a sentence.
  /format {1,3}[a-z]:(?= {0,3}(?:$|[&|;"'#\n/<]))/iy,
  /wmic {1,3}(?:\/\S{1,60} {1,3}){0,2}(?:process|os|service|useraccount|computersystem|bios|logicaldisk|product|startup|share|qfe|cpu|nic\w{0,10}|group) {1,3}(?:call|get|list|where)\b/iy,
  /vssadmin(?:\.exe)? {1,3}(?:delete|list|create|resize) {1,3}(?:shadow|volume|writer)/iy,
  /rundll32(?:\.exe)? {1,3}[\w.:\\/-]{1,80},\w/iy,
  /findstr(?: {1,3}\/[\w:]{1,20}){0,4} {1,3}\S{1,60} {1,3}(?:[a-z]:\\|\*\.|%)\S/iy,
  /(?:attrib|ftype|klist|quser|bcdedit|auditpol|gpresult)(?:\.exe)?(?= {0,3}(?:$|[&|;#"'\n])| {1,3}\/[a-z])/iy,
  /attrib(?:\.exe)? {1,3}[+-][rhsa]\b/iy,
  // A word of English without its switch.
  /cipher(?:\.exe)? {1,3}\/[a-z]/iy,
  /(?:calc|notepad)\.exe\b/iy,
];
/** Behind what separates statements to cmd.exe alone: to it a semicolon is a blank. */
const ownStatements: readonly RegExp[] = [
  /find {1,3}(?:\/[a-z] {1,3}){0,3}"[^"\n]{0,60}" {1,3}(?:[a-z]:\\|\*\.|%)/iy,
  /(?:choice|tree|nltest|doskey|esentutl|wusa|winrs|pcalua|cscript|wscript)(?:\.exe)? {1,3}(?:[\w.:\\/"-]{1,60} {1,3}){0,2}(?:\/\/?[a-z]|-[ar](?: |:))/iy,
  /(?:notepad|i?explorer?)(?:\.exe)? {1,3}["']?\\\\\w/iy,
  /pushd {1,3}\\\\\w|subst {1,3}[a-z]: {1,3}[a-z]:\\|mklink {1,3}\/[djh] {1,3}\S{1,60} {1,3}\S|tskill {1,3}[\da-z]/iy,
  /(?:sdclt|fodhelper)(?:\.exe)?(?= {0,3}(?:$|[&|"'\n]))/iy,
];

/** Programs with a window or a prompt: they show nothing to a client, and people name them in lists. */
const windowed: readonly RegExp[] = [
  /(?:diskpart|powercfg|eventvwr|mspaint|regedit|taskmgr|msconfig)(?:\.exe)?(?= {0,3}(?:$|[&|;#"'\n])| {1,3}\/[a-z])/iy,
];
/** Statements of cmd.exe that are words in a list, too: `Sound & vol a:`, `SQL & query process`. */
const ownWords: readonly RegExp[] = [
  /(?:notepad|i?explorer?)(?:\.exe)? {1,3}["']?(?:[a-z]:\\|https?:)/iy,
  /vol {1,3}[a-z]:|cd {1,3}(?:\/d {1,3}[a-z]:)?\\(?=\s{0,3}(?:$|[&|"'\n]))/iy,
  /setx {1,3}\w{1,40} {1,3}\S|(?:extrac32|makecab)(?:\.exe)? {1,3}\S|mklink {1,3}\S{1,60} {1,3}\S/iy,
  /query {1,3}(?:user|session|process|termserver)(?= {0,3}(?:$|[&|"'\n]))|winrm {1,3}(?:quickconfig|qc|get|set|enumerate|invoke)\b|fsutil {1,3}(?:fsinfo|behavior|volume|usn|file|hardlink|reparsepoint) {1,3}\w/iy,
  // Of a switch cmd.exe needs no blank in front.
  /(?:dir|del|erase|rd|md|ipconfig|systeminfo|tasklist|taskkill|whoami|netstat|schtasks|shutdown|xcopy|robocopy|arp|ver|vol)\/[a-z?](?=[\s&|"'/:]|$)/iy,
  /(?:ipconfig|whoami|tasklist|netstat)\/[a-z]{2,8}(?=[\s&|"']|$)/iy,
  // A variable of the same text.
  /set {1,3}"?([a-z_]\w{0,20})=[^&|"\n]{1,60}"?&{1,2} {0,2}(?:call {1,3})?%\1%/iy,
  /clip {0,3}<|[\w.:\\-]{2,40} {0,3}\| {0,3}clip(?= {0,3}(?:$|[&"'\n]))/iy,
];

/**
 * Where a statement of cmd.exe ends that begins at an offset and does something; 0 for none.
 * `isBehindSemicolon`: another shell has to run it.
 */
export function batchEnd(text: string, at: number, isBehindSemicolon = false): number {
  const found =
    endOf(statements, text, at) || (isBehindSemicolon ? 0 : endOf(ownStatements, text, at));
  if (found > 0 || isListedWord(text, at)) return found;
  return endOf(windowed, text, at) || (isBehindSemicolon ? 0 : endOf(ownWords, text, at));
}

function endOf(patterns: readonly RegExp[], text: string, at: number): number {
  for (const pattern of patterns) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return 0;
}
