import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { DeclaredParameter, ParameterPlace, ShapeRoute } from '../contract/shape.ts';
import type { BodyPlace, PlaceTable } from './places.ts';
import type { RoleSet } from './roles.ts';

/** A declared value: how it is checked, where it is, and what it is for. */
export interface Declared {
  /** Undefined where everything is taken. */
  validate(isText: boolean): ValidateFunction | undefined;
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
}

export interface DeclaredEntry {
  readonly parameter: DeclaredParameter;
  readonly declared: Declared;
}

/** The parameters of a route, by place and name. */
export type ParameterBook = Readonly<Record<ParameterPlace, ReadonlyMap<string, DeclaredEntry>>> & {
  readonly all: readonly DeclaredEntry[];
  /** Whether a parameter of the query that is not declared is a violation. */
  readonly refusesUnknown: boolean;
};

/** A media type that a route takes, and what is in it. */
export interface DeclaredContent {
  readonly media: string;
  readonly declared: Declared;
  /** What is declared of the members that our clients write for a body. */
  readonly places: PlaceTable<BodyPlace>;
}
