import { isDeepStrictEqual } from 'node:util';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext, type ScreeningRequest } from '../../src/contract/request.ts';
import type {
  JsonSchema,
  MemberValue,
  Shape,
  ShapeChecker,
  ShapeReport,
  ShapeRoute,
} from '../../src/contract/shape.ts';
import { createEngine } from '../../src/core/engine.ts';
import { readRequest } from '../../src/core/extract/read-request.ts';
import { detectors } from '../../src/core/rules/registry.ts';
import { compileAll, compileShape } from '../../src/shape/compile.ts';
import { readShape, shapeOf } from '../../src/shape/read-shape.ts';
import { attacks, name as oddName } from '../differential/generator/texts.ts';
import { Random } from '../lib/random.ts';
import { prose } from '../shape/prose.ts';
import { requestFor, textsOf, withContext } from '../shape/requests.ts';
import { Values } from '../shape/values.ts';
import { type FuzzRun, Report } from './report.ts';
import { damaged, randomDocument, randomSchema } from './shape-documents.ts';

/** Processor time that one schema, document or request may take. */
const cpuMsMax = 2_000;
/** Shapes that requests are checked against; a new one takes the place of an old one. */
const shapesKept = 200;
const operationsCompiled = 8;

/**
 * Schemas, OpenAPI documents and requests, as many of each: none throws, none takes long, and what
 * was read is read again as it is.
 */
export async function fuzzShape({
  requests,
  seed,
}: Pick<FuzzRun, 'requests' | 'seed'>): Promise<Report> {
  const report = new Report('shape');
  const random = new Random(seed);
  const shapes: Shape[] = [];
  for (let at = 0; at < requests; at++) {
    readOne('schema', JSON.stringify(randomSchema(random)), random, shapes, report);
    const text = JSON.stringify(randomDocument(random));
    readOne('document', random.chance(10) ? damaged(text, random) : text, random, shapes, report);
  }
  const screened = new Screened(shapes, random, report);
  for (let at = 0; at < requests; at++) await screened.one();
  return report;
}

function readOne(
  kind: string,
  text: string,
  random: Random,
  shapes: Shape[],
  report: Report,
): void {
  const options = { closed: random.chance(30), lenient: random.chance(70) };
  guarded(report, kind, text, () => {
    const outcome = readShape(text, options);
    report.count(`${kind} ${outcome.kind}`);
    if (outcome.kind !== 'shape') return;
    // A reference that leads to a reference is shortened once.
    const again = shapeOf(outcome.shape);
    const isSettled = again.kind === 'shape' && isDeepStrictEqual(shapeOf(again.shape), again);
    if (!isSettled) report.fail('a shape that was read is read again as another one', text);
    let left = operationsCompiled;
    for (const _ of compileAll(outcome.shape)) if (--left === 0) break;
    if (shapes.length < shapesKept) shapes.push(outcome.shape);
    else shapes[random.below(shapesKept)] = outcome.shape;
  });
}

function guarded(report: Report, kind: string, text: string, work: () => void): void {
  const before = process.cpuUsage();
  try {
    work();
  } catch (error) {
    report.fail(`${kind}: ${(error as Error).message}`, text);
  }
  const { user, system } = process.cpuUsage(before);
  if (user + system > cpuMsMax * 1_000) report.fail(`${kind} takes long`, text);
}

class Screened {
  readonly #policies;
  readonly #random: Random;
  readonly #report: Report;
  readonly #engine = createEngine(detectors, compileShape);

  constructor(shapes: readonly Shape[], random: Random, report: Report) {
    this.#policies = shapes.map((shape) => ({
      policy: { ...defaultPolicy, shape },
      ways: waysOf(shape),
      routes: shape.routes ?? [],
      values: new Values(shape, random, (one) => (one.chance(20) ? oddName(one) : prose(one))),
    }));
    this.#random = random;
    this.#report = report;
  }

  async one(): Promise<void> {
    const random = this.#random;
    const { policy, ways, routes, values } = random.pick(this.#policies);
    for (const given of await this.#requests({ shape: policy.shape, ways }, routes, values)) {
      const request = random.chance(30) ? { ...given, body: this.#changed(given.body) } : given;
      const said = `${JSON.stringify(policy.shape)} ${JSON.stringify(request)}`;
      guarded(this.#report, 'request', said, () => {
        if (!isSameBothWays(ways, request)) {
          this.#report.fail('the short way reports something else than the long way', said);
        }
        const result = this.#engine.screen(request, policy);
        this.#report.count(
          result.kind === 'rejected' ? 'request rejected' : `request ${result.verdict.decision}`,
        );
      });
    }
  }

  async #requests(
    { shape, ways }: { readonly shape: Shape; readonly ways: Ways },
    routes: readonly ShapeRoute[],
    values: Values,
  ): Promise<readonly ScreeningRequest[]> {
    const random = this.#random;
    if (routes.length === 0) {
      return [{ body: JSON.stringify({ a: values.of(shape.body) }), context: noContext }];
    }
    const sent = requestFor(random.pick(routes), values, random);
    const named = random.chance(80) ? sent.route : random.pick(routes);
    const request = { ...sent, template: this.#template(named.path) };
    if (random.chance(25)) return [withContext(request)];
    const elsewhere = { ...noContext, uri: '/a/7?q=1&q=2', method: 'POST' };
    const context = random.chance(10) ? elsewhere : noContext;
    const odd = random.pick(['/', '/', '//', '/p/', '/%2e/', '/A%2f']);
    return (await textsOf(request)).map((text) => {
      const body = text.replace('"path":"/', `"path":"${odd}`);
      this.#named(ways, { body, context });
      return { body, context };
    });
  }

  /** What a router names: the route of the request, another one, or what is none. */
  #template(path: string): string | undefined {
    const random = this.#random;
    const written = path.replaceAll(
      /\{(\w+)\}/g,
      random.pick([':$1', '{$1}', ':$1(\\d+)', ':$1?']),
    );
    if (random.chance(60)) return written;
    return random.pick([undefined, `${written}/*`, '/', ...attacks]);
  }

  /** A name of the route loosens nothing that method and path find. */
  #named(ways: Ways, request: ScreeningRequest): void {
    const name = /"route":"(?:[^"\\]|\\.)*",?/;
    const [named, plain] = [request.body, request.body.replace(name, '')].map((body) => {
      const fields = readRequest({ ...request, body }, []) ?? [];
      return ways.long.check({ ...request, body }, fields, []).violations;
    });
    const isFound = plain?.every(({ rule }) => !rule.startsWith('no-such-')) === true;
    if (isFound && !isDeepStrictEqual(named, plain)) {
      this.#report.fail('a name of the route changes what is found without it', request.body);
    }
  }

  /** A member that is written in another way. */
  #changed(text: string): string {
    const random = this.#random;
    const key = random.pick([
      'body',
      'body[0]',
      'body.a[1]',
      'body.__proto__.x',
      'body.a.b[]',
      'query.q[1]',
      'path',
      'route',
      'body.a[99999]',
    ]);
    const value = random.pick<unknown>([null, 7, { $ne: null }, [[]], '', ...attacks]);
    const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    if (!text.startsWith('{')) return text;
    return text === '{}' ? `{${member}}` : `{${member},${text.slice(1)}`;
  }
}

/** A shape compiled as the engine has it, and in a form that only Ajv checks. */
export interface Ways {
  readonly short: ShapeChecker;
  readonly long: ShapeChecker;
}

export function waysOf(shape: Shape): Ways {
  return { short: compileShape(shape), long: compileShape(forAjv(shape)) };
}

/** The same with a remark in the schema of each value: the short way leaves such schemas to Ajv. */
function forAjv(shape: Shape): Shape {
  return {
    ...shape,
    ...(shape.body === undefined ? {} : { body: remarked(shape.body) }),
    ...(shape.routes === undefined ? {} : { routes: shape.routes.map(routeForAjv) }),
  };
}

function routeForAjv({ parameters = [], body, ...rest }: ShapeRoute): ShapeRoute {
  const content = Object.entries(body?.content ?? {}).map(
    ([media, schema]) => [media, remarked(schema)] as const,
  );
  return {
    ...rest,
    parameters: parameters.map((one) => ({ ...one, schema: remarked(one.schema) })),
    ...(body === undefined ? {} : { body: { ...body, content: Object.fromEntries(content) } }),
  };
}

function remarked(schema: JsonSchema): JsonSchema {
  return typeof schema === 'boolean' ? schema : { ...schema, $comment: '' };
}

/** Whether the short way and the long way report the same of a request. */
export function isSameBothWays(ways: Ways, request: ScreeningRequest): boolean {
  const values: MemberValue[] = [];
  const fields = readRequest(request, values);
  if (fields === undefined) return true;
  const short = ways.short.check(request, fields, values);
  // Without the values of members nothing goes the short way.
  const long = ways.long.check(request, fields, []);
  return isDeepStrictEqual(settled(short), settled(long));
}

/** No role of any field is the same as an empty list of roles. */
function settled({ violations, roles, isComplete }: ShapeReport): unknown {
  const said = roles.some((role) => role !== undefined) ? roles.map((role) => role ?? '') : [];
  return { violations, roles: said, isComplete };
}
