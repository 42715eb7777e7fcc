import type { ErrorObject } from 'ajv/dist/2020.js';
import type { DeclaredParameter, ParameterPlace } from '../contract/shape.ts';
import type { Leaf } from './leaf.ts';
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

export interface DeclaredEntry {
  readonly parameter: DeclaredParameter;
  readonly declared: Declared;
  /** Undefined for schemas that say more. */
  readonly leaf: Leaf | undefined;
  /**
   * Whether a text is as declared, or an empty one that counts as none; without Ajv where there is a
   * leaf: it may refuse what Ajv takes.
   */
  takes(text: string): boolean;
  /** Whether a request without it is known to miss it. */
  readonly isNeeded: boolean;
}

/** The parameters of a route, by place and name. */
export type ParameterBook = Readonly<Record<ParameterPlace, ReadonlyMap<string, DeclaredEntry>>> & {
  readonly all: readonly DeclaredEntry[];
  /** Those of the path, in the order of its template; undefined for one that is not declared. */
  readonly inPath: readonly (DeclaredEntry | undefined)[];
  /** How many of them are needed. */
  readonly neededCount: number;
  /** Whether a parameter of the query that is not declared is a violation. */
  readonly refusesUnknown: boolean;
};
