import type { ScreeningRequest } from '../../contract/request.ts';
import type { MemberValue } from '../../contract/shape.ts';
import type { Field } from './field.ts';
import { readJson } from './json-reader.ts';
import { pushContext } from './request-view.ts';

/**
 * The fields of a request as the engine reads them, for uses that do not screen it; undefined for a
 * body that is refused. `values` gets the members of the body itself.
 */
export function readRequest(
  { body, context }: ScreeningRequest,
  values: MemberValue[],
): readonly Field[] | undefined {
  const fields: Field[] = [];
  pushContext(context, fields);
  return readJson(body, fields, undefined, values) === undefined ? fields : undefined;
}
