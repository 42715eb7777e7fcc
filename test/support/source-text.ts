/** One source file of the repository, read once. */
export interface SourceFile {
  /** Path from the repository root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text with the insides of comments, strings, templates and regular expressions blanked. */
  readonly code: string;
}

/** One import or re-export of a file. */
export interface ImportOf {
  readonly from: string;
  readonly line: number;
  readonly isTypeOnly: boolean;
}

/** Makes a source file of its path and text. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, code: blankLiterals(text) };
}

/** The line, from 1, in which an offset stands. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}

const importStatement = /^[ \t]*(?:import|export)\b(?:[^;'"]*?\bfrom)?[ \t\n]*'/gm;
const dynamicImport = /\bimport\('/g;

/** All static imports, re-exports and dynamic imports with a fixed name. */
export function importsOf(file: SourceFile): ImportOf[] {
  const imports: ImportOf[] = [];
  for (const pattern of [importStatement, dynamicImport]) {
    for (const match of file.code.matchAll(pattern)) {
      const start = match.index + match[0].length;
      const from = file.text.slice(start, file.text.indexOf("'", start));
      const line = lineAt(file.text, match.index + match[0].length);
      imports.push({ from, line, isTypeOnly: isTypeOnly(match[0]) });
    }
  }
  return imports;
}

function isTypeOnly(statement: string): boolean {
  if (/^\s*(?:import|export) type\b/.test(statement)) return true;
  const named = /^\s*(?:import|export)\s*\{([^}]*)\}/.exec(statement)?.[1];
  if (named === undefined) return false;
  const names = named.split(',').filter((name) => name.trim() !== '');
  return names.length > 0 && names.every((name) => name.trim().startsWith('type '));
}

const wordBeforeRegex =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|void|delete|throw|do|else|await)$/;

/**
 * Blanks what is not code, with the length and the line ends kept, so that offsets stay true.
 * Delimiters stay as they are. Code inside `${}` of a template is kept.
 */
export function blankLiterals(text: string): string {
  const out = text.split('');
  const templates: number[] = [];
  let braces = 0;
  let at = 0;
  const blank = (from: number, to: number) => {
    for (let index = from; index < to; index++) if (out[index] !== '\n') out[index] = ' ';
  };
  const readTemplate = () => {
    const end = templateEnd(text, at);
    blank(at, end);
    if (text[end] === '`') {
      at = end + 1;
    } else {
      templates.push(braces);
      at = end + 2;
    }
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    const end = literalEnd(text, at, out);
    if (end > at) {
      const isComment = text.startsWith('//', at) || text.startsWith('/*', at);
      blank(isComment ? at : at + 1, isComment ? end : end - 1);
      at = end;
    } else if (char === '`') {
      at += 1;
      readTemplate();
    } else if (char === '}' && templates.at(-1) === braces) {
      templates.pop();
      at += 1;
      readTemplate();
    } else {
      if (char === '{') braces += 1;
      if (char === '}') braces -= 1;
      at += 1;
    }
  }
  return out.join('');
}

/** Where the comment, string or regular expression ends that starts here; `at` if none does. */
function literalEnd(text: string, at: number, blanked: readonly string[]): number {
  const char = text[at];
  if (char === "'" || char === '"') return stringEnd(text, at);
  if (char !== '/') return at;
  if (text[at + 1] === '/') return endOr(text.indexOf('\n', at), text.length);
  if (text[at + 1] === '*') return endOr(text.indexOf('*/', at + 2) + 2, text.length, 1);
  return startsRegex(blanked, at) ? regexEnd(text, at) : at;
}

function endOr(found: number, otherwise: number, none = -1): number {
  return found === none ? otherwise : found;
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== text[from] && text[at] !== '\n') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}

function templateEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '`' && !text.startsWith('${', at)) {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at;
}

// A slash divides after a value and starts a regular expression elsewhere.
function startsRegex(blanked: readonly string[], at: number): boolean {
  const before = blanked
    .slice(Math.max(0, at - 200), at)
    .join('')
    .trimEnd();
  return before === '' || /[(,=:[!&|?{};+\-*%<>~^]$/.test(before) || wordBeforeRegex.test(before);
}

function regexEnd(text: string, from: number): number {
  let isInClass = false;
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at++) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '[') isInClass = true;
    else if (char === ']') isInClass = false;
    else if (char === '/' && !isInClass) return at + 1;
  }
  return from;
}

/** A function with its place. */
export interface FunctionOf {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
  /** Cyclomatic complexity (McCabe, 1976): 1 and one for each place where the way forks. */
  readonly complexity: number;
}

const notMethods = /^(?:if|for|while|switch|catch|return|await|do|else|with|describe\w*)\b/;
const functionStart = /^(?:export )?(?:async )?function\b\*? ?([\w$]*)/;
const methodStart =
  /^(?:(?:private|protected|public|static|override|async|get|set) |\*)*(#?[\w$]+)(?:<[^(]*>)?\(/;
const arrowStart = /^(?:export )?(?:const|readonly)?\s*(#?[\w$]+)\b.*=> \{$/;
// A `?` between blanks is that of `a ? b : c`: the formatter writes none behind an optional name.
const fork = /\b(?:if|for|while|case|catch)\b|&&|\|\||\?\?|(?<=\s)\?(?=\s)/g;

/**
 * The functions, methods and block-bodied arrow functions of a file. It relies on the formatter: a
 * body ends at the next line that closes a brace at the indentation of the line that began it.
 */
export function functionsOf(file: SourceFile): FunctionOf[] {
  const lines = file.code.split('\n');
  const forks = lines.map((line) => line.match(fork)?.length ?? 0);
  const functions: FunctionOf[] = [];
  // From the last line, so that a function within another one has taken its forks first.
  for (const [index, line] of [...lines.entries()].reverse()) {
    const indent = line.length - line.trimStart().length;
    const code = line.trim();
    const name = functionName(code);
    if (name === undefined) continue;
    const end = bodyEnd(lines, index, indent);
    if (end === undefined) continue;
    const complexity = 1 + forks.slice(index, end + 1).reduce((sum, count) => sum + count, 0);
    forks.fill(0, index, end + 1);
    functions.push({ name, line: index + 1, lines: end - index + 1, complexity });
  }
  return functions.reverse();
}

function functionName(code: string): string | undefined {
  if (notMethods.test(code)) return undefined;
  const match = functionStart.exec(code) ?? arrowStart.exec(code) ?? methodStart.exec(code);
  if (match === null) return undefined;
  return /[{(<]$/.test(code) ? match[1] || 'function' : undefined;
}

function bodyEnd(lines: readonly string[], start: number, indent: number): number | undefined {
  let hasBody = lines[start]?.endsWith('{') === true;
  for (let index = start + 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.trim() === '' || line.length - line.trimStart().length > indent) continue;
    const code = line.trim();
    if (!hasBody) {
      // The end of a signature over several lines, or else of a call, which is no function.
      if (!/^[)}\]>]/.test(code) || !code.endsWith('{')) return undefined;
      hasBody = true;
    } else if (code.startsWith('}') && !code.endsWith('{')) {
      return index;
    } else if (!/^[)}\]]/.test(code)) {
      return undefined;
    }
  }
  return undefined;
}
