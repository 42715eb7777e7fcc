import {
  type ClientRequest,
  membersOf,
  type RequestBody,
} from '../../src/client-request/request-members.ts';
import { noContext, type RequestContext } from '../../src/contract/request.ts';
import type { MemberValue, Shape, ShapeReport } from '../../src/contract/shape.ts';
import type { ShapeOptions } from '../../src/contract/shape-reader.ts';
import type { Field } from '../../src/core/extract/field.ts';
import { readJson } from '../../src/core/extract/json-reader.ts';
import { compileShape } from '../../src/shape/compile.ts';
import { readShape } from '../../src/shape/read-shape.ts';

export const id = '123e4567-e89b-12d3-a456-426614174000';

/** An API document of a small shop, as people write them. */
export const shopDocument = `
openapi: 3.0.3
info: { title: Shop, version: '1' }
servers: [{ url: 'https://shop.example/v1' }]
paths:
  /orders:
    post:
      requestBody: { $ref: '#/components/requestBodies/Order' }
  /orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string, format: uuid } }
    get:
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1 } }
        - { name: tag, in: query, schema: { type: array, items: { type: string, pattern: '^[a-z]+$' } } }
        - { name: sort, in: query, explode: false, schema: { type: array, items: { enum: [name, price] } } }
        - { name: q, in: query, schema: { type: string, maxLength: 40 } }
        - { name: X-Tenant, in: header, required: true, schema: { type: string, pattern: '^[a-z]+$' } }
    head: {}
  /orders/latest:
    get: {}
  /files/{name}.{type}:
    get:
      parameters:
        - { name: name, in: path, schema: { type: string, maxLength: 5 } }
        - { name: type, in: path, schema: { enum: [png, jpg] } }
  /login:
    post:
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [user, age]
              properties:
                user: { type: string, maxLength: 10 }
                age: { type: integer }
                news: { type: boolean }
          multipart/form-data:
            schema:
              type: object
              properties:
                user: { type: string }
                photo: { type: string, format: binary }
              required: [photo]
components:
  requestBodies:
    Order:
      required: true
      content:
        application/json:
          schema: { $ref: '#/components/schemas/Order' }
  schemas:
    Order:
      type: object
      required: [id, items, total]
      properties:
        id: { type: string, format: uuid }
        total: { type: number, readOnly: true }
        note: { type: string, maxLength: 20, nullable: true }
        state: { type: string, enum: [new, paid] }
        amount: { type: number, minimum: 0, exclusiveMinimum: true }
        items: { type: array, maxItems: 2, items: { $ref: '#/components/schemas/Item' } }
        parent: { $ref: '#/components/schemas/Order' }
        picture: { type: string, format: byte }
        html: { type: string, x-sallyport: { is: html } }
        codes: { type: array, items: { type: integer } }
    Item:
      type: object
      properties:
        sku: { type: string, pattern: '^[A-Z]{3}-[0-9]+$' }
        qty: { type: integer }
        $kind: { type: string, enum: [a, b] }
`;

export function shapeFrom(document: string | object, options: ShapeOptions = {}): Shape {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const outcome = readShape(text, options);
  if (outcome.kind === 'shape') return outcome.shape;
  throw new Error(JSON.stringify(outcome.problems));
}

/** What a shape says of a request, as our middlewares hand it over. */
export async function reportOf(
  shape: Shape,
  request: Partial<ClientRequest> & Pick<ClientRequest, 'method' | 'url'>,
  body: RequestBody | object = { kind: 'none' },
): Promise<ShapeReport & { readonly closed: readonly string[] }> {
  const isJson = !('kind' in body);
  const headers = { ...(isJson ? { 'content-type': 'application/json' } : {}), ...request.headers };
  const given = { address: '', ...request, headers };
  const { texts } = await membersOf(given, isJson ? { kind: 'parsed', value: body } : body);
  return checkText(shape, texts[0] ?? '{}');
}

export function checkText(
  shape: Shape,
  body: string,
  context: Partial<RequestContext> = {},
): ShapeReport & { readonly closed: readonly string[] } {
  const fields: Field[] = [];
  const values: MemberValue[] = [];
  readJson(body, fields, undefined, values);
  const request = { body, context: { ...noContext, ...context } };
  const report = compileShape(shape).check(request, fields, values);
  const closed = fields
    .filter(({ where }, at) => where === 'value' && report.roles[at] === 'closed')
    .map(({ text }) => text);
  return { ...report, closed };
}

export function said({ violations }: ShapeReport): string[] {
  return violations.map(({ rule, path }) => `${rule} /${path.join('/')}`);
}
