import { _, Ajv2020, type KeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js';
import { limits } from '../contract/limits.ts';
import type { JsonSchema, Shape } from '../contract/shape.ts';
import { compileTester, type Meter } from '../core/match/pattern.ts';
import { formats, silentFormats } from './formats.ts';
import { isMembers, type Members } from './reading.ts';
import { mapped } from './references.ts';

/** Says how much work one schema is; spent each time that a value is checked against it. */
const costKeyword = 'cost';
const id = 'urn:sallyport:shape';

/** More work than one request may cost. */
export class WorkError extends Error {
  override readonly name = 'WorkError';
}

/** What is left of the work for one request: schemas, and states of patterns. */
export class Work implements Meter {
  left = 0;
  schemas = 0;
  #isExplained = false;

  begin(): void {
    this.left = limits.patternWorkMax;
    this.schemas = limits.shapeWorkMax;
    this.#isExplained = false;
  }

  /** Gives the explanation of what is wrong the same work again, once for a request. */
  explain(): void {
    if (this.#isExplained) return;
    this.begin();
    this.#isExplained = true;
  }

  spend(cost: number): void {
    this.schemas -= cost;
    if (this.schemas < 0) throw new WorkError('a request needs more work than is allowed');
  }
}

/**
 * How a value is validated. `…Text`: it came as a text, as in a query or a form, and
 * counts as what its schema says where it can be read so. `is…`: only whether it is as declared,
 * which takes a third of the code; `explain…`: all that is wrong with it.
 */
export type Validation = 'is' | 'isText' | 'explain' | 'explainText';

const full = { allErrors: true, verbose: true } as const;
const coercing = { coerceTypes: true } as const;
const options = { is: {}, isText: coercing, explain: full, explainText: { ...full, ...coercing } };

/**
 * The schemas of one shape, each compiled when it is first needed. What Ajv makes code of was
 * written by `cleanSchema`: only keywords that we know, and texts that Ajv escapes.
 */
export class ShapeSchemas {
  readonly #work: Work;
  readonly #document: Members;
  readonly #instances: Partial<Record<Validation, Ajv2020>> = {};

  constructor(shape: Shape, work: Work) {
    this.#work = work;
    this.#document = { $id: id, ...(withCosts(shape) as Members) };
  }

  /** The schema at a pointer of the shape. */
  at(pointer: string, validation: Validation): ValidateFunction {
    this.#instances[validation] ??= this.#create(options[validation]);
    const path = pointer.split('/').map(encodeURIComponent).join('/');
    const found = this.#instances[validation].getSchema(`${id}#${path}`);
    if (found === undefined) throw new Error(`The shape has no schema at ${pointer}.`);
    return found as ValidateFunction;
  }

  #create(own: (typeof options)[Validation]): Ajv2020 {
    const work = this.#work;
    const ajv = new Ajv2020({
      ...own,
      strict: true,
      // Of real documents, many leave out a type or name members that others declare.
      strictTypes: false,
      strictRequired: false,
      strictTuples: false,
      // A member that both properties and patternProperties name has to be as both say.
      allowMatchingProperties: true,
      messages: false,
      validateSchema: false,
      // A schema that many refer to is compiled once.
      inlineRefs: false,
      multipleOfPrecision: 10,
      code: { regExp: linearPatterns(work) },
    });
    for (const [name, format] of Object.entries(formats)) {
      if (format.type === 'number') ajv.addFormat(name, format);
      else ajv.addFormat(name, format.validate);
    }
    for (const name of silentFormats) ajv.addFormat(name, true);
    ajv.removeKeyword('uniqueItems');
    for (const keyword of [uniqueItems, costOf(work)]) ajv.addKeyword(keyword);
    ajv.addVocabulary([
      'x-sallyport',
      'schemas',
      'routes',
      'body',
      'unlisted',
      'unknownParameters',
    ]);
    ajv.addSchema(this.#document);
    return ajv;
  }
}

/** Patterns for Ajv that cost linear time; cleaned schemas hold no others. */
function linearPatterns(work: Work) {
  const engine = (source: string) => {
    const outcome = compileTester(source);
    if (outcome.kind === 'not-valid') throw new Error(outcome.reason);
    const { tester } = outcome;
    return {
      test(text: string): boolean {
        const holds = tester.test(text, work);
        if (work.left < 0) throw new WorkError('patterns need more work than is allowed');
        return holds;
      },
      // Ajv tells patterns apart by this.
      toString: () => `/${source}/u`,
    };
  };
  engine.code = 'linearPatterns';
  return engine;
}

/** Ajv compares each item with each other one; this looks each up. */
const uniqueItems: KeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (isUnique: boolean, items: readonly unknown[]): boolean =>
    !isUnique || new Set(items.map((item) => ordered(item))).size === items.length,
};

function ordered(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    isMembers(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** Written into the code of schemas, so that to spend costs a call and no more. */
function costOf(work: Work): KeywordDefinition {
  return {
    keyword: costKeyword,
    schemaType: 'number',
    // Before anything that leads to further schemas.
    before: 'not',
    code({ gen, schema }) {
      gen.code(_`${gen.scopeValue('keyword', { ref: work })}.spend(${Number(schema)})`);
    },
  };
}

/** Schemas of which a request can have any number of values tried. */
const repeated: ReadonlySet<string> = new Set([
  ...['items', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'contains'],
]);

/** The same schemas, each that a request can have tried again and again with what it costs. */
function withCosts({ schemas, ...rest }: Shape): unknown {
  const all = priced(rest) as Members;
  if (schemas === undefined) return all;
  return { ...all, schemas: mapped(schemas, (schema) => pricedSchema(schema)) };
}

function pricedSchema(schema: unknown): unknown {
  if (!isMembers(schema)) return schema;
  return { ...(priced(schema) as Members), [costKeyword]: sizeOf(schema) };
}

function priced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(priced);
  if (!isMembers(value)) return value;
  const made = Object.entries(value).map(([name, one]) => {
    if (name === 'enum' || name === 'const') return [name, one];
    return [name, repeated.has(name) ? pricedSchema(one) : priced(one)];
  });
  return Object.fromEntries(made);
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const one of Object.values(value)) size += sizeOf(one);
  return size;
}

/** Whether a schema takes everything. */
export function takesAll(schema: JsonSchema): boolean {
  return schema === true || (isMembers(schema) && Object.keys(schema).length === 0);
}
