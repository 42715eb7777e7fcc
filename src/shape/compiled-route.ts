import type { ShapeRoute } from '../contract/shape.ts';
import type { Declared, ParameterBook } from './declared.ts';
import type { FlatBody } from './flat-body.ts';
import type { BodyPlace, KnownPlace, PlaceTable } from './places.ts';

/** A route in the form in which requests are checked against it. */
export interface CompiledRoute {
  readonly route: ShapeRoute;
  readonly parameters: ParameterBook;
  readonly content: readonly DeclaredContent[];
  /** What is declared of members that are no part of a body, by what their names begin with. */
  readonly places: NamePlaces;
}

/** Routes that declare the same parameters share the table of these, and one of all that have none. */
export interface NamePlaces {
  readonly query: PlaceTable<DeclaredPlace>;
  readonly header: PlaceTable<DeclaredPlace>;
  readonly cookie: PlaceTable<DeclaredPlace>;
  readonly others: PlaceTable<DeclaredPlace>;
}

/** What is declared of a place: what may stand there, and whether its name is a declared one. */
export interface DeclaredPlace extends KnownPlace {
  /** Whether it is the media type of the body. */
  readonly isType?: boolean;
  /** Whether it is a parameter that is not declared, where these are refused. */
  readonly isRefused?: boolean;
}

/** A media type that a route takes, and what is in it. */
export interface DeclaredContent {
  readonly media: string;
  readonly declared: Declared;
  /** What is declared of the members that our clients write for a body. */
  readonly places: PlaceTable<BodyPlace>;
  /** The same for the fields of a form. */
  readonly fields: PlaceTable<BodyPlace>;
  /** Validates such members without a tree. */
  readonly flat: FlatBody;
}
