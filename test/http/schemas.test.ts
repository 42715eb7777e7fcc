import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { settings } from '../../src/config/settings.ts';
import {
  controlRequestSchema,
  deadlineSchema,
} from '../../src/contract/schemas/control-request.ts';
import { policySchema } from '../../src/contract/schemas/policy.ts';
import { apiRoutes } from '../../src/http/api/routes/routes.ts';

const ajv = new Ajv2020();

function faultOf(schema: object): string | undefined {
  return ajv.validateSchema(schema) === true ? undefined : ajv.errorsText();
}

test('each schema that the program compiles is a JSON Schema', () => {
  const ofRoutes = apiRoutes.flatMap(({ body, query }) => [
    body ?? {},
    { properties: query ?? {} },
  ]);
  const ofSettings = settings.map(({ schema }) => schema);
  const all = [controlRequestSchema, deadlineSchema, policySchema, ...ofRoutes, ...ofSettings];
  assert.ok(all.length > 60, `${all.length}`);
  for (const schema of all) assert.equal(faultOf(schema), undefined, JSON.stringify(schema));
  assert.match(faultOf({ type: 'objekt' }) ?? '', /must be equal to one of the allowed values/);
});
