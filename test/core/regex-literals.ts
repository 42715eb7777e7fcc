/** A regular expression literal in a source text. */
export interface RegexLiteral {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
  /**
   * True in a `const` of the module, itself or in a list: compiled once, and to be found by its
   * name.
   */
  readonly isModuleConstant: boolean;
}

/**
 * Finds the regular expression literals of a TypeScript text. Reads strings, templates and comments
 * as such; a slash begins a literal where no value stands before it.
 */
export function findRegexLiterals(text: string): RegexLiteral[] {
  const found: RegexLiteral[] = [];
  let lastToken = '';
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    if (/\s/.test(character)) at++;
    else if (text.startsWith('//', at)) at = endOf(text, '\n', at);
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at);
    else if (character === '"' || character === "'") {
      at = quotedEnd(text, at);
      lastToken = 'value';
    } else if (character === '`') {
      at = templateEnd(text, at, found);
      lastToken = 'value';
    } else if (character === '/' && !endsValue(lastToken)) {
      const literal = readLiteral(text, at);
      found.push(literal);
      at += literal.source.length + literal.flags.length + 2;
      lastToken = 'value';
    } else {
      lastToken = /^[\w$]+/.exec(text.slice(at, at + 256))?.[0] ?? character;
      at += lastToken.length;
    }
  }
  return found;
}

/** True when a slash after the token divides. */
function endsValue(token: string): boolean {
  if (keywordsBeforeValue.has(token)) return false;
  return /^[\w$)\]}]/.test(token);
}

const keywordsBeforeValue = new Set(['return', 'typeof', 'case', 'in', 'of', 'void', 'yield']);

function readLiteral(text: string, start: number): RegexLiteral {
  let inClass = false;
  let end = start + 1;
  for (; end < text.length; end++) {
    const character = text.charAt(end);
    if (character === '\\') end++;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) break;
    else if (character === '\n')
      throw new Error(`no end of the literal: ${text.slice(start, end)}`);
  }
  const flags = /^[a-z]*/.exec(text.slice(end + 1, end + 16))?.[0] ?? '';
  return {
    source: text.slice(start + 1, end),
    flags,
    line: text.slice(0, start).split('\n').length,
    isModuleConstant: isModuleConstant(text.slice(0, start)),
  };
}

/**
 * True when the last line that begins at the margin opens a `const`, and nothing since a function.
 */
function isModuleConstant(before: string): boolean {
  const lines = before.split('\n');
  const first = lines.findLastIndex((line) => /^[\w}/]/.test(line));
  const statement = lines.slice(first).join('\n');
  if (!/^(?:export )?const \w/.test(statement)) return false;
  return !/=>|\bfunction\b|\)(?:: [^;\n]*)? \{\n/.test(statement);
}

function quotedEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== text.charAt(start)) {
    at += text.charAt(at) === '\\' ? 2 : 1;
  }
  return at + 1;
}

/** Reads a template; what stands in `${…}` is source text again. */
function templateEnd(text: string, start: number, found: RegexLiteral[]): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '`') {
    if (text.startsWith('${', at)) {
      const end = substitutionEnd(text, at + 2);
      found.push(...findRegexLiterals(text.slice(at + 2, end)));
      at = end;
    } else at += text.charAt(at) === '\\' ? 2 : 1;
  }
  return at + 1;
}

function substitutionEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '{') depth++;
    else if (character === '}' && depth-- === 0) return at;
    else if (character === '`') at = templateEnd(text, at, []) - 1;
    else if (character === '"' || character === "'") at = quotedEnd(text, at) - 1;
  }
  return text.length;
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
