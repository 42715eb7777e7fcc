/** What a segment of a path template stands for: texts, and names of parameters between them. */
export interface TemplateSegment {
  /** One more than there are names. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

const segmentsMax = 64;
const charsMax = 2_000;

/** What is wrong with a path template such as `/users/{id}/files/{name}.json`. */
export function templateFault(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must begin with a slash';
  if (path.length > charsMax || path.split('/').length > segmentsMax) return 'is too long';
  const [clean = ''] = path.split('?', 1);
  if (clean !== path || path.includes('#')) return 'must be a path, without a query';
  const names: string[] = [];
  for (const segment of segmentsOf(path)) {
    const parts = readSegment(segment);
    if (parts === undefined) return 'has a { without its }, or a parameter without a name';
    if (parts.literals.slice(1, -1).includes('')) return 'has two parameters without text between';
    names.push(...parts.names);
  }
  return new Set(names).size < names.length ? 'has two parameters of one name' : undefined;
}

/** The segments of a path, without the empty one behind a slash at the end. */
export function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1);
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments;
}

/** Longer paths are those of no route. */
export const pathCharsMax = 8_192;

/** A segment of a path without its escapes; undefined where they are malformed. */
export function decodedText(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The parts of a segment; undefined for one that is malformed. */
export function readSegment(segment: string): TemplateSegment | undefined {
  const literals: string[] = [];
  const names: string[] = [];
  let at = 0;
  for (let open = segment.indexOf('{'); open >= 0; open = segment.indexOf('{', at)) {
    const close = segment.indexOf('}', open);
    const name = segment.slice(open + 1, close);
    if (close < 0 || name === '' || name.includes('{')) return undefined;
    literals.push(segment.slice(at, open));
    names.push(name);
    at = close + 1;
  }
  literals.push(segment.slice(at));
  return literals.some((text) => text.includes('}')) ? undefined : { literals, names };
}

/** Names of the parameters in a path, in their order. */
export function namesIn(path: string): readonly string[] {
  return segmentsOf(path).flatMap((segment) => readSegment(segment)?.names ?? []);
}

/** Adds the values of the parameters in a segment of a path; false where it does not fit. */
export function matchSegment(
  { literals }: TemplateSegment,
  text: string,
  values: string[],
): boolean {
  const last = literals.length - 1;
  const [first = ''] = literals;
  if (last === 0) return text === first;
  const behind = literals[last] ?? '';
  if (!text.startsWith(first) || !text.endsWith(behind)) return false;
  const end = text.length - behind.length;
  let at = first.length;
  for (let index = 1; index < last; index++) {
    const literal = literals[index] ?? '';
    // The shortest value: a parameter ends where the text behind it begins.
    const found = text.indexOf(literal, at + 1);
    if (found < 0 || found + literal.length > end) return false;
    values.push(text.slice(at, found));
    at = found + literal.length;
  }
  if (at >= end) return false;
  values.push(text.slice(at, end));
  return true;
}
