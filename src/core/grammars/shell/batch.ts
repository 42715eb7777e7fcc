/**
 * Statements of cmd.exe (https://learn.microsoft.com/windows-server/administration/windows-commands),
 * each with the argument that no sentence has.
 */
const statements: readonly RegExp[] = [
  /@?if (?:\/i )?(?:not )?(?:exist \S{1,80}|defined \w{1,40}|errorlevel \d{1,3}|[\w%"']{1,40} ?(?:==|equ|neq|lss|gtr) ?[\w%"']{1,40}) {1,3}["'(@]{0,2}(?:(?:whoami|dir|type|ping|net|cmd|powershell|calc|echo|start|del|copy|curl|certutil|ipconfig|set|ver)\b|[\w:\\]{1,60}\.exe\b)/iy,
  /@?for {1,3}(?:\/[dflr] {1,3}(?:"[^"\n]{0,60}" {1,3}|[^\s%"]{1,60} {1,3})?)?%{1,2}[a-z] {1,3}in {0,3}\([^()\n]{1,80}\) {0,3}do {1,3}[@("]{0,3}[a-z]/iy,
  /start {1,3}(?:"[^"\n]{0,20}" {1,3}|\/\w{1,12} {1,3}){0,4}["']?(?:(?:calc|notepad|cmd|powershell|mspaint)\b|https?:\/\/|[\w.:\\/%-]{1,80}\.(?:exe|bat|cmd|ps1|vbs|hta)\b)/iy,
  /format {1,3}[a-z]:(?:\s|$)/iy,
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
  /(?:notepad|i?explorer?)(?:\.exe)? {1,3}["']?(?:[a-z]:\\|\\\\\w|https?:)/iy,
  /pushd {1,3}\\\\\w|vol {1,3}[a-z]:|cd {1,3}(?:\/d {1,3}[a-z]:)?\\(?=\s{0,3}(?:$|[&|"'\n]))|subst {1,3}[a-z]: {1,3}[a-z]:\\/iy,
  /mklink(?: {1,3}\/[djh])? {1,3}\S{1,60} {1,3}\S|setx {1,3}\w{1,40} {1,3}\S|(?:extrac32|makecab)(?:\.exe)? {1,3}\S|tskill {1,3}[\da-z]/iy,
  /query {1,3}(?:user|session|process|termserver)(?= {0,3}(?:$|[&|"'\n]))|winrm {1,3}(?:quickconfig|qc|get|set|enumerate|invoke)\b|fsutil {1,3}(?:fsinfo|behavior|volume|usn|file|hardlink|reparsepoint) {1,3}\w/iy,
  /clip {0,3}<|[\w.:\\-]{2,40} {0,3}\| {0,3}clip(?= {0,3}(?:$|[&"'\n]))/iy,
  /(?:sdclt|fodhelper)(?:\.exe)?(?= {0,3}(?:$|[&|"'\n]))/iy,
];

/** Programs with a window or a prompt: they show nothing to a client, and people name them in lists. */
const windowed =
  /(?:diskpart|powercfg|eventvwr|mspaint|regedit|taskmgr|msconfig)(?:\.exe)?(?= {0,3}(?:$|[&|;#"'\n])| {1,3}\/[a-z])/iy;
/** A word and a separator with a blank behind it: `Help; regedit`. */
const listed = /[a-z]{3}\s{0,2}[;&|]{1,2}\s{1,4}$/i;
const beforeCharsMax = 12;

/**
 * Where a statement of cmd.exe ends that begins at an offset and does something; 0 for none.
 * `isBehindSemicolon`: another shell has to run it.
 */
export function batchEnd(text: string, at: number, isBehindSemicolon = false): number {
  const found =
    endOf(statements, text, at) || (isBehindSemicolon ? 0 : endOf(ownStatements, text, at));
  if (found > 0) return found;
  if (listed.test(text.slice(Math.max(0, at - beforeCharsMax), at))) return 0;
  windowed.lastIndex = at;
  return windowed.test(text) ? windowed.lastIndex : 0;
}

function endOf(patterns: readonly RegExp[], text: string, at: number): number {
  for (const pattern of patterns) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return 0;
}
