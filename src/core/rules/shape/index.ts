import type { JsonSchema, Shape, ShapeRuleName } from '../../../contract/shape.ts';
import type { Severity } from '../../../contract/verdict.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Detector, Example, ShapeRule } from '../rule.ts';

/** A shop, as small as can be: what the examples are checked against. */
const order: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    state: { type: 'string', enum: ['new', 'paid'] },
    sku: { type: 'string', pattern: '^[A-Z]{3}-[0-9]+$' },
    amount: { type: 'integer', minimum: 1, maximum: 99 },
    note: { type: 'string', minLength: 2, maxLength: 20 },
    contact: { anyOf: [{ type: 'string', format: 'email' }, { type: 'integer' }] },
  },
  required: ['id'],
  additionalProperties: false,
};
const shop: Shape = {
  routes: [
    { method: 'GET', path: '/orders/{id}' },
    { method: 'POST', path: '/orders', body: { content: { 'application/json': order } } },
  ],
};
const id = '123e4567-e89b-12d3-a456-426614174000';

function sends(members: Readonly<Record<string, unknown>>): Example {
  const all = { method: 'POST', path: '/orders', 'body.id': id, ...members };
  const body = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return { body, shape: shop };
}

function rule(
  name: ShapeRuleName,
  data: Pick<ShapeRule, 'cwe' | 'message' | 'examples' | 'lookalikes'> & {
    readonly severity?: Severity;
  },
): ShapeRule {
  const all = { severity: 'medium', score: confidence.certain, ...data } as const;
  return { id: `shape.${name}`, isDeclared: true, ...all };
}

/** Rules about what a policy declares: see `src/shape`. A policy without a shape has none of them. */
export const shape: Detector = {
  category: 'shape',
  rules: [
    rule('no-such-route', {
      cwe: 'CWE-425',
      message: 'is the path of no declared route',
      examples: [sends({ path: '/admin' }), sends({ path: '/orders/../orders' })],
      lookalikes: [sends({ method: 'GET', path: '/orders/12/' })],
    }),
    rule('no-such-method', {
      cwe: 'CWE-650',
      message: 'is a method that is not declared for the path',
      examples: [sends({ method: 'DELETE' })],
      lookalikes: [sends({ method: 'OPTIONS' })],
    }),
    rule('media-type', {
      cwe: 'CWE-436',
      message: 'is a media type that is not declared for the body',
      examples: [sends({ 'header.content-type': 'text/plain' })],
      lookalikes: [sends({ 'header.content-type': 'Application/JSON; charset=utf-8' })],
    }),
    rule('required', {
      cwe: 'CWE-20',
      severity: 'low',
      message: 'is missing where it is declared as required',
      examples: [sends({ 'body.id': undefined, 'body.note': 'by mail' })],
      lookalikes: [sends({ 'body.note': undefined })],
    }),
    rule('unknown-member', {
      cwe: 'CWE-915',
      severity: 'high',
      message: 'is no declared member',
      examples: [sends({ 'body.isAdmin': true })],
      lookalikes: [sends({ 'body.note': 'isAdmin: true' })],
    }),
    rule('type', {
      cwe: 'CWE-1287',
      message: 'is of another type than declared',
      examples: [sends({ 'body.amount': '5' }), sends({ 'body.id.$ne': '' })],
      lookalikes: [sends({ 'body.amount': 5 })],
    }),
    rule('not-listed', {
      cwe: 'CWE-20',
      message: 'is none of the declared values',
      examples: [sends({ 'body.state': 'refunded' })],
      lookalikes: [sends({ 'body.state': 'paid' })],
    }),
    rule('format', {
      cwe: 'CWE-1286',
      message: 'does not have the declared format',
      examples: [sends({ 'body.id': '12' })],
      lookalikes: [sends({ 'body.id': id.toUpperCase() })],
    }),
    rule('pattern', {
      cwe: 'CWE-1286',
      message: 'does not match the declared pattern',
      examples: [sends({ 'body.sku': 'ABC-1 or so' })],
      lookalikes: [sends({ 'body.sku': 'ABC-1' })],
    }),
    rule('too-long', {
      cwe: 'CWE-1284',
      message: 'is longer than declared',
      examples: [sends({ 'body.note': 'more than twenty characters' })],
      lookalikes: [sends({ 'body.note': '🎁🎁🎁🎁🎁🎁🎁🎁🎁🎁🎁🎁🎁🎁🎁' })],
    }),
    rule('too-short', {
      cwe: 'CWE-1284',
      severity: 'low',
      message: 'is shorter than declared',
      examples: [sends({ 'body.note': '.' })],
      lookalikes: [sends({ 'body.note': 'ok' })],
    }),
    rule('range', {
      cwe: 'CWE-1284',
      message: 'is beyond the declared bounds of a number',
      examples: [sends({ 'body.amount': -1 }), sends({ 'body.amount': 1e9 })],
      lookalikes: [sends({ 'body.amount': 99 })],
    }),
    rule('repeated', {
      cwe: 'CWE-235',
      message: 'comes again where one is declared',
      examples: [
        sends({ 'body.note[1]': 'a', 'body.note[2]': 'b', 'body.note[4]': 'c', 'body.note': 'd' }),
      ],
      lookalikes: [sends({ 'body.note': 'twice, twice' })],
    }),
    rule('alternative', {
      cwe: 'CWE-20',
      message: 'fits none of the declared alternatives, or more than one',
      examples: [sends({ 'body.contact': 'nobody' })],
      lookalikes: [sends({ 'body.contact': 'ada@shop.example' }), sends({ 'body.contact': 12 })],
    }),
  ],
};
