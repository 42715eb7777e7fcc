import { use, usesOf } from '../../knowledge/commands.ts';
import { longAliases, shortAliases, splatTakers } from '../../knowledge/powershell-aliases.ts';
import { isListedWord } from './listed-word.ts';

/**
 * Statements of PowerShell (https://learn.microsoft.com/powershell/scripting/lang-spec, chapters 2 and
 * 8): cmdlets and their aliases, the call operators, types of .NET, blocks of commands. A backtick
 * within a word means the character behind it.
 */

/** What a statement may be behind. */
interface StatementPlace {
  /** Behind a pipe: its input is the text in front. */
  readonly isPiped: boolean;
  /** Behind a pipe, and a command may stand in that text. */
  readonly isFed: boolean;
  /** `&` and `.` may call: no separator of a shell stands right in front. */
  readonly mayCall: boolean;
  /** The text holds a backtick. */
  readonly mayEscape: boolean;
}

/** Where a statement of PowerShell ends that begins at an offset and does something; 0 for none. */
export function powershellEnd(text: string, at: number, place: StatementPlace): number {
  const written = text.slice(at, at + statementCharsMax);
  const plain = place.mayEscape ? written.replace(tick, '') : written;
  const isListed = isListedWord(text, at);
  const end = plainEnd(plain, place, isListed) || (plain === written ? 0 : hiddenEnd(plain));
  return end === 0 ? 0 : at + writtenLength(written, end);
}

const statementCharsMax = 400;
const tick = /(?<=[A-Za-z])`(?=[A-Za-z-])/g;

/** How much was written for so many characters of the plain text. */
function writtenLength(written: string, end: number): number {
  let length = end;
  for (const { index } of written.matchAll(tick)) {
    if (index >= length) break;
    length++;
  }
  return length;
}

function plainEnd(text: string, place: StatementPlace, isListed: boolean): number {
  const { isPiped, isFed, mayCall } = place;
  const lead = endAt(leading, text, 0);
  return (
    cmdletEnd(text, lead, isListed) ||
    endOf(statements, text, lead) ||
    (isListed ? 0 : endAt(plainScript, text, lead)) ||
    aliasEnd(text, lead, isListed) ||
    blockEnd(text, lead) ||
    endOfNamed(run, text, lead) ||
    (mayCall ? callEnd(text, lead) : 0) ||
    (isFed && !isListed ? endAt(runsInput, text, lead) : 0) ||
    (isPiped && !isListed ? endAt(writesInput, text, lead) : 0) ||
    endAt(invokedBlock, text, 0)
  );
}

/** An opening parenthesis, a variable that takes the result, a cast to nothing. */
const leading = /[\s(]{0,16}(?:(?:\$[a-z_]\w{0,30}\s{0,2}=|\[void\])[\s(]{0,16}){0,4}/iy;

/** A name that is written with escapes within: PowerShell alone reads it as one. */
function hiddenEnd(text: string): number {
  hidden.lastIndex = 0;
  const name = hidden.exec(text)?.[1] ?? '';
  return usesOf(name.toLowerCase()) === 0 ? 0 : hidden.lastIndex;
}

const hidden = /[\s(&.]{0,4}([a-z][\w-]{1,30})(?:\.exe)?(?=[\s;|&)}"'(]|$)/iy;

/** A cmdlet: a verb and a noun that no word of a language with a hyphen ends in. */
const cmdlet =
  /(?:(?:get|set|remove|add|start|stop|restart|invoke|out|write|copy|move|rename|test|resolve|import|enter|disable|enable|read|clear|uninstall|foreach)-(?:item(?:property(?:value)?)?|childitem|content|wmi(?:object|method)|cim(?:instance|method|session)|executionpolicy|command|expression|computer(?:info)?|local(?:user|group(?:member)?)|ad(?:user|group|computer|domain)\w{0,20}|acl|eventlog|winevent|object|clipboard|credential|variable|host|output|net(?:ip|tcp|firewall|adapter)\w{0,20}|netconnection|connection|webrequest|restmethod|module|file|psdrive|pssession|dnsname|sleep|job|process|service|securestring|scheduledtask\w{0,10}|mp(?:preference|computerstatus|threat\w{0,12})|smbshare|bitstransfer|hotfix|location|alias)|add-type|new-(?:object|item|itemproperty|localuser|aduser|ps(?:drive|session)|cimsession|scheduledtask|service|module|alias|variable)|(?:un)?register-scheduled\w{3,10}|(?:expand|compress)-archive|convert(?:to|from)-(?:securestring|json|csv|xml|html)|format-(?:list|table|custom)|select-(?:object|string)|(?:push|pop)-location|unblock-file|export-(?:csv|clixml)|install-module)(?![\w-]|\s?:)/iy;

/**
 * None where a sentence goes on, `Get-Process hangs on SRV02`: of words that no name of a parameter
 * introduces a cmdlet takes two, and refuses to start with more.
 */
function cmdletEnd(text: string, at: number, isListed: boolean): number {
  const end = endAt(cmdlet, text, at);
  if (end === 0 || endAt(sentence, text, end) > 0) return 0;
  // `Checked; Test-Connection fails`: it only asks, and for nothing that there is.
  if (isListed && endAt(asker, text, at) > 0 && endAt(words, text, end) > 0) return 0;
  // It takes one such word at most.
  return endAt(taker, text, at) > 0 && endAt(report, text, end) > 0 ? 0 : end;
}

const sentence =
  /(?: {1,2}-\w{2,20} {1,2}[\w.-]{1,30}){0,2}(?: {1,2}\w{1,30}){3}(?=[\s.,!?]|$)|(?: {1,2}[\u00c0-\u1fff\u3040-\uffee]{1,30}){2}/y;
const taker =
  /get-(?:content|process|service|item|ad\w{2,30}|local\w{2,20}|acl|job|hotfix|module)/iy;
const asker = /test-|resolve-|restart-computer|get-(?!content|childitem)/iy;
const words = /(?: (?!localhost\b)[a-z]{2,15}){1,2}[.!?]?\s{0,4}$/y;
/** `returns nothing`, `fails again`. */
const report = / [a-z]{3,12}s [a-z]{2,15}[.!?]?\s{0,4}$/y;

/** Other statements, where they begin. */
const statements: readonly RegExp[] = [
  // A type of .NET, of which a member is asked; casts that make a text or an object.
  /\[[a-z][\w.]{2,80}(?:\[\])?\]::[a-z]\w|\[ref\]\.\w|\[(?:wmiclass|wmisearcher|wmi|adsi|adsisearcher)\]\s{0,2}["']|\[char\](?:0x)?\d|-join\s{0,2}\(\[char|\[(?:string|char\[\])\]\s{0,2}[[(]/iy,
  /\$(?:env:\w|psversiontable\b|executioncontext\b|pshome\b)/iy,
  /(?:iex|icm|saps)(?:\s{0,2}[("'$[{]|\s{1,2}(?:calc\b|-[a-z]{3}))/iy,
  // A script that is called.
  /[&.]\s{0,2}["']?(?:\.{1,2}\\|[a-z]:\\|\\\\[\w.-]{1,60}\\)[\w.\\-]{0,80}\.(?:ps1|psm1|bat|cmd|vbs|hta)\b/iy,
  // A script of another machine, which no network of one's own has under such a name.
  /["']?\\\\(?:[\w-]{1,60}\.){1,8}[\w-]{1,60}(?:@\w{1,5}){0,2}\\[\w.\\-]{0,80}\.(?:exe|ps1|psm1|bat|cmd|vbs|hta)\b/iy,
  // A new name for a command.
  /(?:sal|nal|set-alias|new-alias)\s{1,2}(?:-name\s{1,2})?[\w-]{1,30}\s{1,2}(?:-value\s{1,2})?(?:iex|icm|saps|cmd|powershell|whoami|ipconfig|net|gci|iwr|irm|invoke-\w{3,20}|start-process)\b/iy,
  /["'][^"'\n]{0,80}["']\s{0,2}>{1,2}\s{0,2}["']?(?:[a-z]:\\|\\\\\w|\.{1,2}\\\w)/iy,
  /(?:dir|ls|gci|gi|gp|cd|sl|ni|ri|rm|del|cat|gc|type)\s{1,2}(?:env|variable|cert|hklm|hkcu|function|wsman):/iy,
];

/** A script by its path alone, where no record of a list or a log goes on. */
const plainScript =
  /["']?(?:\.{1,2}\\|[a-z]:\\|\\\\[\w-]{1,60}\\)[\w.\\-]{0,80}\.(?:ps1|psm1|bat|cmd|vbs|hta)\b(?!["']?\s?[;|:])/iy;

/** What stands behind a pipe and runs, or writes, what comes through it. */
const runsInput =
  /(?:iex|invoke-expression|cmd|powershell|pwsh)(?:\.exe)?(?=\s{0,3}(?:$|[;|&#"'})\n]))/iy;
const writesInput =
  /(?:sc|ac|out-file|set-content|tee)\s{1,2}["']?[\w.:\\-]{1,60}\.(?:txt|csv|log|out|tmp|dat|ini|config|json|xml|ps1|psm1|bat|cmd|vbs|js|hta|exe|dll|aspx?|ashx|php|jspx?|html?)\b/iy;

/** From the start of the statement on: a block that is called as a method. */
const invokedBlock = /\s{0,3}\(?\{[^{}\n]{1,80}\}\)?\.invoke(?:returnasis)?\s{0,2}\(/iy;

/** The call operator, and a command whose name is put together, quoted or in a variable. */
const call =
  /[&.]\s{0,2}(?:\(\s{0,2}(?:["'][^"'\n]{1,40}["']\s{0,2}(?:[+[,]|-(?:f|join|replace|split)\b|\.\w)|-join\b|\[(?:char|string|scriptblock|text\.|system\.|type)|gcm\b|gal\b|get-(?:command|alias)\b|\$env:|\$[a-z_]\w{0,30}\s{0,2}(?:[+[)]|-(?:f|join)\b))|["'][\w.:\\/ -]{1,80}\.exe["']|\$\{?(?:env:)?[a-z_]\w{0,30}\}?(?=\s{0,3}(?:$|[;|&#"'}\n]|[/-][a-z])))/iy;
/** The same with a name as it is. */
const calledName = /[&.](?:\s{0,2}["']|\s{1,2})([a-z][\w-]{1,30})(?=\s|[;|&#"'})]|$)/iy;

/** `iex whoami` */
const run =
  /(?:iex|invoke-expression|start-process|saps)\s{1,2}([a-z][\w-]{1,30})(?=\s|[;|&#"'})]|$)/iy;

function callEnd(text: string, at: number): number {
  return endAt(call, text, at) || endOfNamed(calledName, text, at);
}

/** Where a call of a known command by its name ends, 0 for none. */
function endOfNamed(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return isSureName(form.exec(text)?.[1] ?? '') ? form.lastIndex : 0;
}

/** `gci C:\`, `gps -id 4`, `ni a.txt`, `cmd @a`: an alias with what no sentence goes on with. */
function aliasEnd(text: string, at: number, isListed: boolean): number {
  aliasName.lastIndex = at;
  const name = aliasName.exec(text)?.[1]?.toLowerCase() ?? '';
  if (name === '') return 0;
  const end = aliasName.lastIndex;
  if (splatTakers.includes(name) && endAt(splat, text, end) > 0) return splat.lastIndex;
  if (isListed && isWordAlias(name)) return 0;
  if (longAliases.includes(name)) return endAt(longArgument, text, end);
  if (!shortAliases.includes(name)) return 0;
  return endAt(shortArgument, text, end) || (takesFile.test(name) ? endAt(file, text, end) : 0);
}

/** Abbreviations and short words of other fields, too: `Bluetooth; GPS`, `AC`. */
function isWordAlias(name: string): boolean {
  return name.length === 2 || wordAlias.test(name);
}

const wordAlias = /^(?:gps|gal|gdr|gmo|gsv|sls|scb)$/;
const aliasName = /([a-z][a-z-]{1,13})\s{1,2}/iy;
/** Needs nothing but a file; `ac` and `sc` take what they write, too. */
const takesFile = /^(?:gc|gi|ii|ni|ri)$/;
const file = /[\w-]{1,40}\.(?:txt|ps1|exe|aspx?|config|log|ini|bat|cmd|dll)\b/iy;
const splat = /@\w{1,20}(?=\s{0,3}(?:$|[;|&#"'}\n]))/y;
const longArgument =
  /-[a-z]|[a-z]:\\|win32_|(?:\d{1,3}\.){3}\d|\*|\.{0,2}\\|\w{1,30}\s{1,2}(?:[a-z]:\\|\*\.)/iy;
const shortArgument =
  /-(?:path|literalpath|name|recurse|force|itemtype|value|filter|include|r|fo?)\b|[a-z]:\\|\.{0,2}\\\w|[\w"'.-]{1,40}\s{1,2}(?:[a-z]:\\|["'{$])/iy;

/** `if(1){whoami}`, `1..3|%{whoami}`, `&{whoami}`, `function f{whoami}`: a block with a command. */
function blockEnd(text: string, at: number): number {
  block.lastIndex = at;
  const found = block.exec(text);
  if (found === null) return 0;
  const name = found[1] ?? '';
  const isCommand = isSureName(name) || endAt(cmdlet, text, block.lastIndex - name.length) > 0;
  return isCommand ? block.lastIndex : 0;
}

const block =
  /(?:[%?&.]|try|do|else|finally|foreach|where|(?:if|elseif|foreach|while|until|switch|for)\s{0,2}\([^(){}\n]{1,60}\)|function\s{1,3}[\w-]{1,30}(?:\s{0,2}\(\))?|(?:icm|sajb|start-job|foreach-object|invoke-command)(?:\s{1,2}-\w{2,12})?)\s{0,3}\{\s{0,4}(?:\w{1,4}\s{0,2}\{\s{0,4})?[&.@]?\s{0,2}([a-z][\w-]{1,30})(?:\.exe)?(?=[\s;|}])/iy;

/** A command whose name is no word, or a program that every Windows has. */
function isSureName(name: string): boolean {
  const uses = usesOf(name.toLowerCase());
  return uses === 0 ? programs.test(name) : (uses & use.english) === 0 && name.length > 2;
}

const programs = /^(?:calc|notepad|mspaint)$/i;

function endOf(patterns: readonly RegExp[], text: string, at: number): number {
  for (const pattern of patterns) {
    const end = endAt(pattern, text, at);
    if (end > 0) return end;
  }
  return 0;
}

/** Where a sticky pattern ends that begins at `at`, 0 where it does not. */
export function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}
