import type { PolicyProblem } from './explanation.ts';
import type { Shape } from './shape.ts';

/** How a document is read. */
export interface ShapeOptions {
  /** Objects take no members that they do not declare, and routes no parameters. */
  readonly closed?: boolean;
  /** What cannot be enforced is left out and noted, where it would otherwise be a problem. */
  readonly lenient?: boolean;
  readonly unlisted?: 'refuse' | 'screen';
}

export type ShapeOutcome =
  | {
      readonly kind: 'shape';
      readonly shape: Shape;
      /** What is not enforced, and where. */
      readonly notes: readonly PolicyProblem[];
    }
  | { readonly kind: 'not-valid'; readonly problems: readonly PolicyProblem[] };

/** Reads documents and checks shapes, on a thread that is ended when it takes too long. */
export interface ShapeReader {
  /** An OpenAPI document (3.0, 3.1), a JSON Schema or a shape, as JSON or YAML. */
  read(text: string, options: ShapeOptions): Promise<ShapeOutcome>;
  /** A shape as it may be stored, or what is wrong with it. */
  check(shape: unknown): Promise<ShapeOutcome>;
}
