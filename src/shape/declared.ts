import type { ErrorObject } from 'ajv/dist/2020.js';
import type { DeclaredParameter, ParameterPlace, ShapeRoute } from '../contract/shape.ts';
import type { FlatBody } from './flat-body.ts';
import type { BodyPlace, PlaceTable } from './places.ts';
import type { RoleSet } from './roles.ts';

/** A declared value: how it is checked, where it is, and what it is for. */
export interface Declared {
  /** Whether a value is as declared; `isText`: it came as a text, and counts as what it can be read as. */
  takes(value: unknown, isText: boolean): boolean;
  /** All that is wrong with a value; nothing where it is as declared. */
  errorsIn(value: unknown, isText: boolean): readonly ErrorObject[];
  /** Makes ready for both. */
  compile(isText: boolean): void;
  readonly roles: RoleSet;
}

/** A route in the form in which requests are checked against it. */
export interface CompiledRoute {
  readonly route: ShapeRoute;
  readonly parameters: ParameterBook;
  readonly content: readonly DeclaredContent[];
  /** What is declared of members that are no part of a body, by their names. */
  readonly places: PlaceTable<DeclaredPlace>;
}

/** What is declared of a place: what may stand there, and whether its name is a declared one. */
export interface DeclaredPlace {
  readonly roles: RoleSet | undefined;
  readonly isDeclaredName: boolean;
  /** The parameter that stands there. */
  readonly entry?: DeclaredEntry;
  /** Whether it is the media type of the body. */
  readonly isType?: boolean;
  /** Whether it is a parameter that is not declared, where these are refused. */
  readonly isRefused?: boolean;
}

export interface DeclaredEntry {
  readonly parameter: DeclaredParameter;
  readonly declared: Declared;
  /** Whether a request without it is known to miss it. */
  readonly isNeeded: boolean;
}

/** The parameters of a route, by place and name. */
export type ParameterBook = Readonly<Record<ParameterPlace, ReadonlyMap<string, DeclaredEntry>>> & {
  readonly all: readonly DeclaredEntry[];
  /** How many of them are needed. */
  readonly neededCount: number;
  /** Whether a parameter of the query that is not declared is a violation. */
  readonly refusesUnknown: boolean;
};

/** A media type that a route takes, and what is in it. */
export interface DeclaredContent {
  readonly media: string;
  readonly declared: Declared;
  /** What is declared of the members that our clients write for a body. */
  readonly places: PlaceTable<BodyPlace>;
  /** Validates such members without a tree. */
  readonly flat: FlatBody;
}
