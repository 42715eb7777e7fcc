/**
 * What parameters and quoted strings expand to: POSIX.1-2017, Shell Command Language 2.2.4, 2.6.2,
 * 2.13 and 2.14, with the slices, replacements, indirections and `$'…'` of bash and zsh.
 */

/** `${name<operator>word}`, taken apart. */
export interface Parameter {
  readonly name: string;
  /** `:-`, `##`, `/` …; empty without. */
  readonly operator: string;
  readonly word: string;
  /** `!` reads a name out of the parameter, `#` its length. */
  readonly mark: string;
}

/** Longest value that is remembered or folded. */
export const valueMax = 400;
const patternMax = 24;

/** Undefined for what is no parameter. */
export function readParameter(inner: string): Parameter | undefined {
  const parts = parameterForm.exec(inner);
  if (parts === null) return undefined;
  const [whole, mark = '', name = '', index = '', operator = ''] = parts;
  // Only zsh reads no name, and only with a word for the default.
  if (name === '' && !operator.startsWith(':')) return undefined;
  const isWhole = index === '' || index === '[@]' || index === '[*]';
  return {
    mark,
    name: isWhole ? name : name + index,
    operator,
    word: inner.slice(whole.length),
  };
}

const parameterForm =
  /^(?:\([@A-Za-z]{1,8}\))?([!#]?)([A-Za-z_][A-Za-z0-9_]{0,31}|[@*?$!0-9#-]|(?=:[-=]))(\[[@*0-9]{1,3}\])?(:{1,2}=|:[-+?]|##|%%|\/\/|,,|\^\^|~~|@[A-Za-z]$|[-=+?#%:/,^~]|$)/;

/** Values that every process has, as far as text is cut out of them. */
export const environment: ReadonlyMap<string, string> = new Map([
  ['HOME', '/root'],
  ['PWD', '/var/www'],
  ['OLDPWD', '/var/www'],
  ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
  ['SHELL', '/bin/sh'],
]);

/** Parameters that name the shell itself, whatever is cut from it. */
export function namesShell({ name, operator }: Parameter): boolean {
  return shellNames.test(name) && !operator.includes('+');
}

const shellNames = /^(?:0|SHELL|BASH)$/;

/** Special parameters that always have a value (2.5.2): which one does not matter. */
const special: ReadonlySet<string> = new Set('0#?$-');

/** What a parameter holds that the text has not set: undefined where that is not known. */
export function givenTo(name: string): string | undefined {
  return environment.get(name) ?? (special.has(name) ? '1' : undefined);
}

/**
 * An option of a shell or a here-document stands behind a parameter, or a text is piped into it: the
 * parameter is a shell. `next` is the word behind it.
 */
export function isShellCall(text: string, from: number, end: number, next: string): boolean {
  const rest = text.slice(end, end + 32);
  if (shellOption.test(next) || shellCall.test(rest)) return true;
  return commandEnd.test(rest) && pipedText.test(text.slice(Math.max(0, from - pipedMax), from));
}

const pipedMax = 240;
/** `;echo id|`, also through other commands. */
const pipedText =
  /[;&|`(\n]\s{0,4}(?:echo|printf)\s[^;&|`(\n]{1,200}\|(?:[^;&|`(\n]{1,80}\|){0,2}[ \t]{0,4}(?:(?:exec|command|env|nohup|time|busybox)[ \t]{1,4}){0,2}"?$/;
const commandEnd = /^"?(?:[ \t]{1,4}-)?[ \t]{0,4}(?:$|[;&|)#`\r\n])/;

/** `-c`, `-ec` */
const shellOption = /^-[a-z]{0,3}[cs]$/;
/** An option in a variable or a substitution, a here-document; not `$0 -$25`, `$0 << $5`. */
const shellCall =
  /^(?:[ \t]{1,4}["']?-["'\\]{0,2}(?:\$[A-Za-z_{('"]|`)|<<|[ \t]{1,4}<<(?:[\w'"<-]|[ \t]{1,4}\w{1,12}\n))/;

/** What an operator makes of a value; `word` expands what stands behind it. */
export function operate(
  { operator, word: written }: Parameter,
  value: string | undefined,
  word: () => string,
): string {
  const given = value ?? '';
  // `:-` is `-` where empty is as good as unset; a doubled operator takes more.
  const isDoubled = operator.length > 1;
  switch (operator.at(-1)) {
    case '-':
    case '=':
      return given === '' ? word() : given;
    case '+':
      return given === '' ? '' : word();
    case '#':
      return withoutPrefix(given, word(), isDoubled);
    case '%':
      return withoutSuffix(given, word(), isDoubled);
    case ':':
      return sliced(given, written);
    case '/':
      return replaced(given, word(), isDoubled);
    case ',':
    case 'L':
      return given.toLowerCase();
    default:
      return given;
  }
}

function withoutPrefix(value: string, pattern: string, isLongest: boolean): string {
  if (pattern.length > patternMax) return value;
  let found = -1;
  for (let end = 0; end <= value.length; end++) {
    if (!matchesPattern(pattern, value.slice(0, end))) continue;
    found = end;
    if (!isLongest) break;
  }
  return found < 0 ? value : value.slice(found);
}

function withoutSuffix(value: string, pattern: string, isLongest: boolean): string {
  if (pattern.length > patternMax) return value;
  let found = -1;
  for (let start = value.length; start >= 0; start--) {
    if (!matchesPattern(pattern, value.slice(start))) continue;
    found = start;
    if (!isLongest) break;
  }
  return found < 0 ? value : value.slice(0, found);
}

/** `:1`, `::1`, `:0:3`, `: -2` */
function sliced(value: string, written: string): string {
  const parts = sliceForm.exec(written);
  if (parts === null) return value;
  const from = Number(parts[1] || 0);
  const length = parts[2] === undefined ? undefined : Number(parts[2] || 0);
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  if (length === undefined) return value.slice(start);
  return length < 0 ? value.slice(start, length) : value.slice(start, start + length);
}

const sliceForm = /^ ?\(?(-?[0-9]{0,3})\)?(?::(-?[0-9]{0,3}))?$/;

/** `mark/other`, `mark/`, `mark` */
function replaced(value: string, word: string, isAll: boolean): string {
  const slash = word.indexOf('/');
  const mark = slash < 0 ? word : word.slice(0, slash);
  if (mark === '') return value;
  const other = slash < 0 ? '' : word.slice(slash + 1);
  return (isAll ? value.split(mark).join(other) : value.replace(mark, () => other)).slice(
    0,
    valueMax,
  );
}

/** Pattern matching notation: `?`, `*`, `[…]`; the whole text. */
export function matchesPattern(pattern: string, text: string): boolean {
  let at = 0;
  let i = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    const length = i < pattern.length ? matchOne(pattern, i, text.charCodeAt(at)) : 0;
    if (pattern.charCodeAt(i) === 42) {
      star = i++;
      starAt = at;
    } else if (length > 0) {
      i += length;
      at++;
    } else if (star >= 0) {
      i = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (pattern.charCodeAt(i) === 42) i++;
  return i >= pattern.length;
}

/** Length of the element of a pattern that takes the character; 0 when it does not. */
function matchOne(pattern: string, i: number, code: number): number {
  const element = pattern.charCodeAt(i);
  if (element === 63) return 1;
  const close = element === 91 ? pattern.indexOf(']', i + 2) : -1;
  if (close < 0) return element === code ? 1 : 0;
  const isNegated = pattern.charCodeAt(i + 1) === 33 || pattern.charCodeAt(i + 1) === 94;
  let holds = false;
  for (let at = i + (isNegated ? 2 : 1); at < close; at++) {
    const from = pattern.charCodeAt(at);
    const isRange = pattern.charCodeAt(at + 1) === 45 && at + 2 < close;
    const to = isRange ? pattern.charCodeAt(at + 2) : from;
    holds ||= code >= from && code <= to;
    if (isRange) at += 2;
  }
  return holds === isNegated ? 0 : close - i + 1;
}

/** Undoes the escapes of `$'…'`, `printf` and `echo -e`. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(escapes, (whole, octal: string, hex: string, letter: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return letters[letter] ?? whole;
  });
}

const escapes = /\\(?:(0?[0-7]{1,3})|[xu]([0-9A-Fa-f]{1,4})|([abefnrtv'"\\?]))/g;
const letters: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ "'": "'", '"': '"', '\\': '\\', '?': '?' },
};
