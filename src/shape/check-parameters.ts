import type { DeclaredParameter, ParameterPlace, ShapeViolation } from '../contract/shape.ts';
import type { Declared, DeclaredEntry, ParameterBook } from './declared.ts';
import type { GivenText, RequestParts } from './request-parts.ts';
import { cut, violationsIn } from './violations.ts';

/** Headers of which a usual or secret value is not handed over: they are never missing. */
const mayBeLeftOut =
  /^(?:authorization|proxy-authorization|cookie|accept.*|x-request-id|traceparent|if-.*|cache-control|.*(?:key|token).*)$/;

/** Holds the parameters of a request against those of its route. */
export function checkParameters(
  parts: RequestParts,
  book: ParameterBook,
  inPath: readonly string[],
  violations: ShapeViolation[],
): void {
  for (let at = 0; at < inPath.length; at++) {
    const entry = book.inPath[at];
    const text = inPath[at] ?? '';
    if (entry === undefined) continue;
    const { path, where } = parts.target;
    const given = { name: entry.parameter.name, text, path, where };
    if (!entry.takes(text)) violations.push(...valueViolations([given], entry.declared, text));
  }
  for (const place of checkedPlaces) {
    if (book[place].size === 0 && !(place === 'query' && book.refusesUnknown)) continue;
    checkPlace(parts, place, book, violations);
  }
}

const checkedPlaces = ['query', 'header', 'cookie'] as const;

function checkPlace(
  parts: RequestParts,
  place: (typeof checkedPlaces)[number],
  book: ParameterBook,
  violations: ShapeViolation[],
): void {
  const given = groupsOf(parts.given(place), book[place]);
  for (const [name, entry] of book[place]) {
    const values = given.get(name);
    given.delete(name);
    if (values !== undefined) violations.push(...parameterViolations(values, entry));
    else if (entry.parameter.required === true && isKnownMissing(parts, place, name)) {
      const path = [`${place}.${name}`];
      const message = 'is missing where it is declared as required';
      violations.push({ rule: 'required', path, where: 'value', evidence: '', message });
    }
  }
  if (place !== 'query' || !book.refusesUnknown) return;
  for (const [name, [first]] of given) {
    if (first === undefined) continue;
    const { path } = first;
    const where = first.where === 'value' ? 'name' : first.where;
    const evidence = where === 'name' ? cut(`query.${name}`) : '';
    const message = 'is no declared parameter';
    violations.push({ rule: 'unknown-member', path, where, evidence, message });
  }
}

function isKnownMissing(parts: RequestParts, place: ParameterPlace, name: string): boolean {
  return place === 'query' || (parts.hasHeaders && isHandedOver(place, name));
}

/** Whether our clients always send a parameter that their own client has sent. */
function isHandedOver(place: ParameterPlace, name: string): boolean {
  return place !== 'header' || !mayBeLeftOut.test(name);
}

/** Whether a request as our clients write it lacks a parameter where it is not there. */
export function isNeeded({ in: place, name, required }: DeclaredParameter): boolean {
  return required === true && place !== 'path' && isHandedOver(place, name);
}

/** The values of each parameter: our clients number a name that comes again, `q` and `q[1]`. */
export function groupsOf(
  values: readonly GivenText[],
  declared: ReadonlyMap<string, unknown>,
): Map<string, GivenText[]> {
  const groups = new Map<string, GivenText[]>();
  for (const one of values) {
    const name = parameterName(one.name, declared);
    // The values of a repeated name as one text, which our clients add.
    if (name.endsWith('[]') && !declared.has(name) && groups.has(name.slice(0, -2))) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
}

/** The name that a parameter is declared under, or the one that it has. */
export function parameterName(name: string, declared: ReadonlyMap<string, unknown>): string {
  if (declared.has(name)) return name;
  const plain = name.replace(numbered, '');
  if (declared.has(plain)) return plain;
  // `filter[price]=10`: an object in the name of its parameter.
  const bracket = plain.indexOf('[');
  const outer = bracket < 0 ? plain : plain.slice(0, bracket);
  return outer !== plain && plain !== `${outer}[]` && declared.has(outer) ? outer : plain;
}

const numbered = /\[\d{1,9}\]$/;

function parameterViolations(
  values: readonly GivenText[],
  entry: DeclaredEntry,
): readonly ShapeViolation[] {
  const { parameter, declared } = entry;
  const { roles } = declared;
  const [first] = values;
  if (first !== undefined && values.length === 1 && first.name === parameter.name) {
    if (!roles.mayBeList) return oneViolations(first, values, entry);
  }
  if (first === undefined || values.some(({ name }) => isObjectName(name, parameter.name))) {
    return [];
  }
  if (roles.mayBeList) {
    const isCut = parameter.explode === false && values.length === 1;
    const items = isCut ? first.text.split(',') : values.map(({ text }) => text);
    return valueViolations(values, declared, items);
  }
  const all = values.flatMap((one) => oneViolations(one, [one], entry));
  if (values.length === 1) return all;
  const { path, where, text } = values[1] ?? first;
  const message = `comes ${values.length} times where one value is declared`;
  const evidence = where === 'value' ? cut(text) : '';
  return [...all, { rule: 'repeated', path, where, evidence, message }];
}

function oneViolations(
  { text }: GivenText,
  given: readonly GivenText[],
  { declared, takes }: DeclaredEntry,
): readonly ShapeViolation[] {
  return takes(text) ? [] : valueViolations(given, declared, text);
}

function isObjectName(name: string, declared: string): boolean {
  return (
    name.startsWith(`${declared}[`) && !/^\[\d*\](?:\[\d+\])?$/.test(name.slice(declared.length))
  );
}

function valueViolations(
  given: readonly GivenText[],
  declared: Declared,
  value: unknown,
): readonly ShapeViolation[] {
  const [first] = given;
  if (first === undefined || declared.takes(value, true)) return [];
  const { where, text } = first;
  const path = ([item]: readonly (string | number)[]) =>
    given[typeof item === 'number' ? item : 0]?.path ?? first.path;
  return violationsIn(declared.errorsIn(value, true), value, {
    path,
    where,
    ...(Array.isArray(value) ? {} : { text }),
  });
}
