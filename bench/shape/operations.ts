const form = 'application/x-www-form-urlencoded';

/** An OpenAPI document of `40 × 5` operations, each with members of its own: a large application. */
export function manyOperations(media: 'application/json' | typeof form): object {
  const paths = resources.flatMap((name, at) => pathsOf(name, at, media));
  const schemas = Object.fromEntries(
    resources.map((name, at) => [name, media === form ? flatSchemaOf(at) : schemaOf(at)]),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'Many operations', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas },
  };
}

const resources = Array.from({ length: 40 }, (_, at) => `resource${at}`);
const uuid = { type: 'string', format: 'uuid' };

function pathsOf(name: string, at: number, media: string): [string, object][] {
  const content = { [media]: { schema: { $ref: `#/components/schemas/${name}` } } };
  const requestBody = { required: true, content };
  const id = { name: 'id', in: 'path', required: true, schema: uuid };
  const list = [
    { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
    { name: 'sort', in: 'query', schema: { enum: ['name', '-name', `created${at}`] } },
    { name: 'q', in: 'query', schema: { type: 'string', maxLength: 100 } },
  ];
  return [
    [`/v1/${name}`, { get: { parameters: list }, post: { requestBody } }],
    [`/v1/${name}/{id}`, { parameters: [id], get: {}, put: { requestBody }, delete: {} }],
  ];
}

/** Texts and numbers only, as the fields of a form are. */
function flatSchemaOf(at: number): object {
  return {
    type: 'object',
    required: ['id', 'name', 'quantity'],
    properties: { ...leavesOf(at), ...itemLeaves, ...addressLeaves, agreed: { type: 'boolean' } },
  };
}

function schemaOf(at: number): object {
  const item = { type: 'object', required: ['sku', 'quantity'], properties: itemLeaves };
  return {
    type: 'object',
    required: ['id', 'name', 'items'],
    properties: {
      ...leavesOf(at),
      address: { type: 'object', properties: addressLeaves },
      items: { type: 'array', maxItems: 20, items: item },
    },
  };
}

function leavesOf(at: number): object {
  return {
    id: uuid,
    name: { type: 'string', minLength: 1, maxLength: 80 },
    created: { type: 'string', format: 'date-time' },
    state: { enum: ['new', 'paid', 'sent', `state${at}`] },
    email: { type: 'string', format: 'email' },
    note: { type: 'string', maxLength: 500 },
    [`own${at}`]: { type: 'integer' },
  };
}

const addressLeaves = {
  street: { type: 'string', maxLength: 100 },
  city: { type: 'string', maxLength: 60 },
  postcode: { type: 'string', pattern: '^[0-9]{5}$' },
  country: { type: 'string', pattern: '^[A-Z]{2}$' },
};

const itemLeaves = {
  sku: { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$' },
  quantity: { type: 'integer', minimum: 1, maximum: 999 },
  price: { type: 'number', minimum: 0 },
  remark: { type: 'string', maxLength: 200 },
};
