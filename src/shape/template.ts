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

/** The values of the parameters in a segment of a path, undefined where it does not fit. */
export function matchSegment(
  { literals, names }: TemplateSegment,
  text: string,
): readonly string[] | undefined {
  const [first = '', ...rest] = literals;
  const last = rest.pop();
  if (last === undefined) return text === first ? [] : undefined;
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  const end = text.length - last.length;
  let at = first.length;
  for (const literal of rest) {
    // The shortest value: a parameter ends where the text behind it begins.
    const found = text.indexOf(literal, at + 1);
    if (found < 0 || found + literal.length > end) return undefined;
    values.push(text.slice(at, found));
    at = found + literal.length;
  }
  if (at >= end) return undefined;
  values.push(text.slice(at, end));
  return values.length === names.length ? values : undefined;
}
