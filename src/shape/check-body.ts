import type { ShapeField, ShapeViolation } from '../contract/shape.ts';
import { treesOf } from './body-tree.ts';
import { parameterName } from './check-parameters.ts';
import type { DeclaredContent } from './compiled-route.ts';
import type { Declared } from './declared.ts';
import type { BodyMember, RequestParts } from './request-parts.ts';
import { cut, type Placed, violationsIn } from './violations.ts';

/** Holds the body of a request against what its route declares for its media type. */
export function checkBody(
  parts: RequestParts,
  content: readonly DeclaredContent[],
  chosen: DeclaredContent | undefined,
  fields: readonly ShapeField[],
): readonly ShapeViolation[] {
  if (chosen === undefined) return [mediaViolation(parts, content)];
  const { body } = parts;
  switch (body.kind) {
    case 'none':
      return [];
    case 'json':
      return [...jsonViolations(body, chosen), ...repeatedIn(body, fields)];
    case 'members':
      return formType.test(mediaOf(parts) ?? chosen.media)
        ? formViolations(body.members, chosen.declared)
        : memberViolations(body.members, parts, chosen);
  }
}

export const formType = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)$/;
export const jsonType = /[/+]json$/;

/** What is declared for the media type of a request; the most particular of its ranges. */
export function contentFor(
  parts: RequestParts,
  content: readonly DeclaredContent[],
): DeclaredContent | undefined {
  const [only] = content;
  if (only?.media === '') return only;
  return parts.contentTypes.length > 1 ? undefined : contentOf(mediaOf(parts), content);
}

function contentOf(
  media: string | undefined,
  content: readonly DeclaredContent[],
): DeclaredContent | undefined {
  if (media === undefined) return content.find((one) => jsonType.test(one.media)) ?? content[0];
  const exact = content.find((one) => one.media === media);
  if (exact !== undefined) return exact;
  const range = `${media.split('/', 1)[0]}/*`;
  return content.find((one) => one.media === range) ?? content.find((one) => one.media === '*/*');
}

/** The same for JSON and forms that our clients wrote member by member; undefined for any other. */
export function membersContentFor(
  type: string | undefined,
  all: readonly DeclaredContent[],
): { readonly content: DeclaredContent; readonly isForm: boolean } | undefined {
  const media = type === undefined ? undefined : mediaIn(type);
  const content = contentOf(media, all);
  if (content === undefined) return undefined;
  const isForm = formType.test(media ?? content.media);
  return isForm || media === undefined || jsonType.test(media) ? { content, isForm } : undefined;
}

/** The media type; undefined when there is none, or more than one. */
function mediaOf({ contentTypes }: RequestParts): string | undefined {
  const [type] = contentTypes;
  return type === undefined || contentTypes.length > 1 ? undefined : mediaIn(type);
}

/** The media type in a `content-type`, without its parameters. */
export function mediaIn(type: string): string {
  const end = type.indexOf(';');
  return (end < 0 ? type : type.slice(0, end)).trim().toLowerCase();
}

function mediaViolation(
  { contentTypes, hasHeaders }: RequestParts,
  content: readonly DeclaredContent[],
): ShapeViolation {
  const declared =
    content
      .slice(0, 8)
      .map(({ media }) => media)
      .join(', ') || 'none';
  const message =
    contentTypes.length > 1
      ? `comes ${contentTypes.length} times where one media type is declared`
      : `is no declared media type; declared is ${declared}`;
  const where = hasHeaders ? 'value' : 'context';
  const evidence = hasHeaders ? cut(contentTypes[0] ?? '') : '';
  return { rule: 'media-type', path: ['header.content-type'], where, evidence, message };
}

function jsonViolations(
  { value, path }: Extract<RequestParts['body'], { kind: 'json' }>,
  { declared, flat }: DeclaredContent,
): readonly ShapeViolation[] {
  if (flat.takesTree(value) || declared.takes(value, false)) return [];
  const placed: Placed = {
    path: (segments) => [...path, ...segments],
    declares: (segments) => declared.roles.at(segments) !== undefined,
    where: 'value',
  };
  return violationsIn(declared.errorsIn(value, false), value, placed);
}

/** `JSON.parse` has looked at the last of members of one name only. */
function repeatedIn(
  { value, path }: Extract<RequestParts['body'], { kind: 'json' }>,
  fields: readonly ShapeField[],
): readonly ShapeViolation[] {
  const isInside = (node: ShapeField['node']): boolean => {
    if (path.length === 0) return true;
    let top = node;
    while (top.parent !== undefined) top = top.parent;
    return top !== node && top.key === path[0];
  };
  const names = fields.filter(({ where, node }) => where === 'name' && isInside(node));
  if (names.length === countMembers(value)) return [];
  const seen = new Set<string>();
  for (const { node, text } of names) {
    const place = pathOf(node);
    const key = JSON.stringify(place);
    if (seen.has(key)) {
      const message = 'comes again in the same object: readers disagree about which one counts';
      return [{ rule: 'repeated', path: place, where: 'name', evidence: cut(text), message }];
    }
    seen.add(key);
  }
  return [];
}

function pathOf(node: ShapeField['node']): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: ShapeField['node'] | undefined = node; at !== undefined; at = at.parent) {
    path.unshift(at.key);
  }
  return path;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside: unknown[] = Object.values(value);
  return inside.reduce<number>(
    (sum, one) => sum + countMembers(one),
    Array.isArray(value) ? 0 : inside.length,
  );
}

/** A body that our client wrote member by member, in each of its readings. */
function memberViolations(
  members: readonly BodyMember[],
  parts: RequestParts,
  { declared, places }: DeclaredContent,
): readonly ShapeViolation[] {
  const given = mediaOf(parts);
  const isJson = given === undefined || jsonType.test(given);
  const trees = isJson ? treesOf(members, places) : [wholeText(members)];
  if (trees === undefined) {
    const message = 'has members that come again and again under one name';
    return [{ rule: 'repeated', path: ['body'], where: 'value', evidence: '', message }];
  }
  const found: ShapeViolation[] = [];
  for (const value of trees) {
    if (declared.takes(value, false)) continue;
    const placed: Placed = {
      path: (segments) => [memberName(segments)],
      declares: (segments) => declared.roles.at(segments) !== undefined,
      where: 'value',
    };
    found.push(...violationsIn(declared.errorsIn(value, false), value, placed));
  }
  return found;
}

/** A body that is no JSON: the text as a whole. */
function wholeText(members: readonly BodyMember[]): unknown {
  return members.find(({ key }) => key === 'body')?.value ?? '';
}

/** `body.a[0].b` for `['a', 0, 'b']`. */
function memberName(segments: readonly (string | number)[]): string {
  const rest = segments.map((one) => (typeof one === 'number' ? `[${one}]` : `.${one}`));
  return `body${rest.join('')}`;
}

/** Behind the name of a field of a form that is a file: what is known of it. */
export const fileFact = /\.(?:filename|type|encoding)$/;

/** The fields of a form: texts, which are read as what is declared. */
function formViolations(
  members: readonly BodyMember[],
  declared: Declared,
): readonly ShapeViolation[] {
  const { roles } = declared;
  const value = Object.fromEntries(
    [...fieldsOf(members, roles)].flatMap(([name, values]) => {
      const role = roles.member(name);
      const isAbsent = values.length === 1 && values[0] === '' && role?.mayBeText === false;
      return isAbsent ? [] : [[name, role?.mayBeList === true ? values : formValue(values)]];
    }),
  );
  if (declared.takes(value, true)) return [];
  const placed: Placed = {
    path: ([name, ...rest]) => [memberName([name ?? '']), ...rest.slice(1)],
    where: 'value',
  };
  return violationsIn(declared.errorsIn(value, true), value, placed);
}

/** The values of each field of a form; none for a file. */
function fieldsOf(
  members: readonly BodyMember[],
  roles: Declared['roles'],
): Map<string, unknown[]> {
  const isDeclared = { has: (name: string) => roles.member(name) !== undefined };
  const form = new Map<string, unknown[]>();
  for (const { key, value } of members) {
    const name = parameterName(
      key.slice('body.'.length),
      isDeclared as ReadonlyMap<string, unknown>,
    );
    const file = fileFact.exec(name);
    const field = file === null || isDeclared.has(name) ? name : name.slice(0, file.index);
    const isFile = field !== name;
    const known = form.get(field);
    if (isFile) {
      if (known === undefined) form.set(field, []);
      continue;
    }
    if (name.endsWith('[]') && !isDeclared.has(name) && form.has(name.slice(0, -2))) continue;
    if (name === '' || (value === null && known !== undefined)) continue;
    if (known === undefined) form.set(field, [value]);
    else known.push(value);
  }
  return form;
}

/** One value as it is, several as a list, which is then no text; none for a file. */
function formValue(values: readonly unknown[]): unknown {
  const texts = values.map((one) => one ?? '');
  return texts.length > 1 ? texts : (texts[0] ?? '');
}
