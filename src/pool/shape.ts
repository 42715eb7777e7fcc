import { Ajv } from 'ajv';
import type { BodyFault } from '../contract/errors.ts';
import { controlRequestSchema } from '../contract/schemas/control-request.ts';
import { ownSchemas } from '../contract/schemas/own-schemas.ts';

const isControlRequest = new Ajv(ownSchemas).compile(controlRequestSchema);

/**
 * What `JSON.parse` and the schema find wrong with a body that the front end has not parsed because
 * it is large. The core reads the text by itself afterwards: a body must please both readers.
 */
export function shapeFault(text: string): BodyFault | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'body-not-json';
  }
  return isControlRequest(value) ? undefined : 'body-not-object';
}
