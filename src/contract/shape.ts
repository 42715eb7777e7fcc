import type { ScreeningRequest } from './request.ts';
import type { Where } from './verdict.ts';

/** A schema of JSON Schema 2020-12, cut down to what is enforced: see `shape/README.md`. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export type ParameterPlace = 'query' | 'path' | 'header' | 'cookie';

export interface DeclaredParameter {
  readonly in: ParameterPlace;
  /** Of a header in lower case. */
  readonly name: string;
  readonly required?: boolean;
  /** False: a list is one text with commas; otherwise each value has its own parameter. */
  readonly explode?: boolean;
  readonly schema: JsonSchema;
}

/** Schemas by media type: `application/json`, `image/*`, or anything. */
export interface DeclaredBody {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, JsonSchema>>;
}

/** An operation: a method and a path template, such as `/users/{id}`. */
export interface ShapeRoute {
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly DeclaredParameter[];
  readonly body?: DeclaredBody;
}

/**
 * What may come in. A schema refers to those of `schemas` as `{"$ref":"#/schemas/<name>"}`; there
 * are no other references.
 */
export interface Shape {
  /** Of the document that it was read from. */
  readonly title?: string;
  /** What becomes of a request whose method and path are not declared. */
  readonly unlisted?: 'refuse' | 'screen';
  /** What becomes of a parameter of the query that its route does not declare. */
  readonly unknownParameters?: 'refuse' | 'allow';
  /** The schema of whole bodies of `/control`, for callers that send their own fields. */
  readonly body?: JsonSchema;
  readonly routes?: readonly ShapeRoute[];
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
}

/** What a member is for, as its schema says. `is` of `x-sallyport` takes all but `closed`. */
export const statedRoles = [
  'prose',
  'html',
  'markdown',
  'code',
  'sql',
  'template',
  'search',
  'url',
  'path',
  'secret',
] as const;

export type StatedRole = (typeof statedRoles)[number];

/** `closed`: the value is one of a closed set, in which no attack can be written. */
export type DeclaredRole = StatedRole | 'closed';

/** The part of a rule's id behind `shape.` */
export const shapeRuleNames = [
  'no-such-route',
  'no-such-method',
  'media-type',
  'required',
  'unknown-member',
  'type',
  'not-listed',
  'format',
  'pattern',
  'too-long',
  'too-short',
  'range',
  'repeated',
  'alternative',
] as const;

export type ShapeRuleName = (typeof shapeRuleNames)[number];

/** Where a request is not as declared. */
export interface ShapeViolation {
  readonly rule: ShapeRuleName;
  /** Names and indices that lead to the member, from the body of `/control` on. */
  readonly path: readonly (string | number)[];
  readonly where: Where;
  /** The value, where it is a text or a number that is no secret; else empty. */
  readonly evidence: string;
  /** What came and what was expected, as the end of the sentence "it …". */
  readonly message: string;
}

/** A name or a value of a request, as the core reads it. */
export interface ShapeField {
  readonly where: Where;
  readonly text: string;
  readonly node: ShapeNode;
}

export interface ShapeNode {
  readonly parent: ShapeNode | undefined;
  readonly key: string | number;
}

/** The value of a member of the body of `/control`; undefined for an object or a list. */
export type MemberValue = string | number | boolean | null | undefined;

export interface ShapeReport {
  readonly violations: readonly ShapeViolation[];
  /**
   * What is declared of each field, by its index; undefined where nothing is. The list is good until
   * the next request is checked.
   */
  readonly roles: readonly (DeclaredRole | undefined)[];
  /** False when the work for one request did not suffice. */
  readonly isComplete: boolean;
}

/** A shape, compiled for one thread. Never throws. */
export interface ShapeChecker {
  /** `values` has one for each member of the body itself, in their order. */
  check(
    request: ScreeningRequest,
    fields: readonly ShapeField[],
    values: readonly MemberValue[],
  ): ShapeReport;
}

export type CompileShape = (shape: Shape) => ShapeChecker;
