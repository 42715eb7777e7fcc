import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { ScreeningRequest } from '../contract/request.ts';
import type {
  DeclaredParameter,
  DeclaredRole,
  JsonSchema,
  MemberValue,
  Shape,
  ShapeChecker,
  ShapeField,
  ShapeReport,
  ShapeViolation,
} from '../contract/shape.ts';
import { ShapeSchemas, takesAll, type Validation, Work, WorkError } from './ajv.ts';
import { checkBody, contentFor } from './check-body.ts';
import { MemberCheck } from './check-members.ts';
import { checkParameters, isNeeded } from './check-parameters.ts';
import type {
  CompiledRoute,
  DeclaredContent,
  DeclaredPlace,
  NamePlaces,
} from './compiled-route.ts';
import type { Declared, DeclaredEntry, ParameterBook } from './declared.ts';
import { type Matched, rolesOf, topLevelPlace } from './field-roles.ts';
import { FlatBody } from './flat-body.ts';
import { isReadAsLeaf, LeafBook } from './leaf.ts';
import { PlaceBudget } from './place-budget.ts';
import { bodyPlace, fieldPlace, PlaceTable } from './places.ts';
import { below, isMembers } from './reading.ts';
import { partsOf, type RequestParts } from './request-parts.ts';
import { RoleBook } from './roles.ts';
import { type RouteMatch, RouteTable } from './routes.ts';
import { namesIn } from './template.ts';
import { cut } from './violations.ts';

/**
 * Compiles a shape for one thread. Nothing but the table of routes is made at once: a schema is
 * compiled when the first request needs it, so that no request pays for all operations.
 */
export function compileShape(shape: Shape): ShapeChecker {
  return new Checker(shape);
}

/** Compiles each schema of a shape, one call for each operation: to see how long that takes. */
export function* compileAll(shape: Shape): Generator<string> {
  const checker = new Checker(shape);
  yield* checker.compileAll();
}

class Checker implements ShapeChecker {
  readonly #shape: Shape;
  readonly #work = new Work();
  readonly #schemas: ShapeSchemas;
  readonly #book: RoleBook;
  readonly #table: RouteTable;
  readonly #routes: (CompiledRoute | undefined)[] = [];
  readonly #whole: DeclaredContent | undefined;
  readonly #leaves: LeafBook;
  readonly #places = new PlaceBudget();
  /** What several routes have in common, by what is declared. */
  readonly #tables = new Map<string, PlaceTable<DeclaredPlace>>();
  readonly #contents = new Map<string, DeclaredContent>();
  /** A schema of the whole body is about more than the members that our clients write. */
  readonly #members: MemberCheck | undefined;

  constructor(shape: Shape) {
    this.#shape = shape;
    this.#schemas = new ShapeSchemas(shape, this.#work);
    this.#book = new RoleBook(shape, this.#work);
    this.#leaves = new LeafBook(shape, this.#book);
    this.#table = new RouteTable(shape.routes ?? []);
    this.#whole = shape.body === undefined ? undefined : this.#content('', shape.body, '/body');
    if (this.#whole === undefined) {
      const routeAt = (index: number): CompiledRoute => this.#route(index);
      this.#members = new MemberCheck(this.#table, routeAt, this.#places);
    }
  }

  *compileAll(): Generator<string> {
    this.#whole?.declared.compile(false);
    const routes = this.#shape.routes ?? [];
    for (let index = 0; index < routes.length; index++) {
      const compiled = this.#route(index);
      for (const { declared } of compiled.parameters.all) declared.compile(true);
      for (const { declared } of compiled.content) {
        declared.compile(false);
        declared.compile(true);
      }
      yield below('/routes', index);
    }
  }

  check(
    request: ScreeningRequest,
    fields: readonly ShapeField[],
    values: readonly MemberValue[],
  ): ShapeReport {
    this.#work.begin();
    const violations: ShapeViolation[] = [];
    let roles: readonly (DeclaredRole | undefined)[] = [];
    try {
      const known = this.#members?.rolesOf(fields, values);
      if (known !== undefined) return { violations, roles: known, isComplete: true };
      this.#work.begin();
      const parts = partsOf(request, fields);
      // What a middleware sends at its start is no request of a client.
      if (isWarmUp(parts.whole)) return { violations, roles, isComplete: true };
      const matched = this.#matched(parts, violations);
      const whole = this.#whole;
      if (whole !== undefined) {
        const body = { kind: 'json', value: parts.whole, path: [] } as const;
        violations.push(...checkBody({ ...parts, body }, [whole], whole, fields));
      }
      if (matched !== undefined) {
        const { route, match } = matched;
        checkParameters(parts, route.parameters, match.values, violations);
        for (const one of this.#bodyViolations(parts, matched, fields)) violations.push(one);
      }
      roles = rolesOf(parts, matched, whole?.declared.roles, fields);
      return { violations, roles, isComplete: true };
    } catch (error) {
      // Too much work, or a defect: what was not looked at is screened, and the verdict says so.
      if (!(error instanceof WorkError) && !(error instanceof RangeError)) throw error;
      return { violations, roles: [], isComplete: false };
    }
  }

  #matched(parts: RequestParts, violations: ShapeViolation[]): Matched | undefined {
    if (this.#shape.routes === undefined) return undefined;
    const { method, path, target } = parts;
    const match: RouteMatch =
      method === undefined || path === undefined
        ? { kind: 'no-such-route' }
        : this.#table.findOrNamed(method, path, () => parts.route());
    if (match.kind === 'route') {
      const route = this.#route(match.index);
      const hasBody = parts.body.kind !== 'none';
      const content = hasBody ? contentFor(parts, route.content) : undefined;
      return { route, match, content };
    }
    if (match.kind === 'preflight' || this.#shape.unlisted === 'screen') return undefined;
    const evidence = target.where === 'context' ? '' : cut(path ?? '');
    const at = { path: target.path, where: target.where, evidence };
    if (match.kind === 'no-such-route') {
      const message =
        path === undefined
          ? 'names no method and path, so that it is no declared route'
          : 'is the path of no declared route';
      violations.push({ ...at, rule: 'no-such-route', message });
    } else {
      const methods = match.methods.slice(0, 8).join(', ');
      const message = `is not declared for this path, which has ${methods}`;
      const own = { path: ['method'], evidence: cut(method ?? '') };
      violations.push({ ...at, ...own, rule: 'no-such-method', message });
    }
    return undefined;
  }

  #bodyViolations(
    parts: RequestParts,
    { route, content }: Matched,
    fields: readonly ShapeField[],
  ): readonly ShapeViolation[] {
    const { body } = route.route;
    if (parts.body.kind === 'none') {
      if (body?.required !== true) return [];
      const message = 'is missing where it is declared as required';
      return [{ rule: 'required', path: ['body'], where: 'value', evidence: '', message }];
    }
    // Nothing is said about bodies: what a GET sends with it is not for the application.
    return body === undefined ? [] : checkBody(parts, route.content, content, fields);
  }

  #route(index: number): CompiledRoute {
    const known = this.#routes[index];
    if (known !== undefined) return known;
    const route = this.#shape.routes?.[index] ?? { method: '', path: '' };
    const at = below('/routes', index);
    const all = (route.parameters ?? []).map((parameter, number) =>
      this.#entry(parameter, `${at}/parameters/${number}/schema`),
    );
    const named = byPlace(all);
    const parameters: ParameterBook = {
      all,
      inPath: namesIn(route.path).map((name) => named.path.get(name)),
      neededCount: all.filter((one) => one.isNeeded).length,
      refusesUnknown: this.#shape.unknownParameters === 'refuse',
      ...named,
    };
    const compiled: CompiledRoute = {
      route,
      parameters,
      places: {
        query: this.#tableOf('query', parameters),
        header: this.#tableOf('header', parameters),
        cookie: this.#tableOf('cookie', parameters),
        others: this.#tableOf('others', parameters),
      },
      content: Object.entries(route.body?.content ?? {}).map(([media, schema]) =>
        this.#content(media, schema, below(`${at}/body/content`, media)),
      ),
    };
    this.#routes[index] = compiled;
    return compiled;
  }

  #entry(parameter: DeclaredParameter, pointer: string): DeclaredEntry {
    const declared = this.#declared(parameter.schema, pointer);
    const leaf = this.#leaves.of(parameter.schema);
    const mayBeEmpty = parameter.required !== true && !declared.roles.mayBeText;
    const takes = (text: string): boolean => {
      // An empty field of a form says that there is no number.
      if (mayBeEmpty && text === '') return true;
      return leaf === undefined ? declared.takes(text, true) : isReadAsLeaf(leaf, text, this.#work);
    };
    return { parameter, declared, leaf, takes, isNeeded: isNeeded(parameter) };
  }

  /** The table for names of a place. It knows no more of a route than what is declared there. */
  #tableOf(place: keyof NamePlaces, parameters: ParameterBook): PlaceTable<DeclaredPlace> {
    const own = place === 'others' ? [] : [...parameters[place].values()];
    const written = JSON.stringify([place, own.map(({ parameter }) => parameter)]);
    const known = this.#tables.get(written);
    if (known !== undefined) return known;
    const made = new PlaceTable(this.#places, (key) => topLevelPlace(key, parameters));
    this.#tables.set(written, made);
    return made;
  }

  #content(media: string, schema: JsonSchema, pointer: string): DeclaredContent {
    const written = JSON.stringify([media, schema]);
    const known = this.#contents.get(written);
    if (known !== undefined) return known;
    const declared = this.#declared(schema, pointer);
    const flat = new FlatBody(schema, this.#shape, {
      leaves: this.#leaves,
      meter: this.#work,
      places: this.#places,
    });
    const places = new PlaceTable(this.#places, (key) => bodyPlace(key, declared.roles, flat));
    const fields = new PlaceTable(this.#places, (key) => fieldPlace(key, declared.roles, flat));
    const made: DeclaredContent = { media, declared, places, fields, flat };
    this.#contents.set(written, made);
    return made;
  }

  #declared(schema: JsonSchema, pointer: string): Declared {
    const roles = this.#book.of([schema]);
    if (takesAll(schema))
      return { roles, takes: () => true, errorsIn: () => [], compile: () => {} };
    const work = this.#work;
    const compiled: Partial<Record<Validation, ValidateFunction>> = {};
    const made = (validation: Validation): ValidateFunction => {
      compiled[validation] ??= this.#schemas.at(pointer, validation);
      return compiled[validation];
    };
    return {
      roles,
      // To read texts as what is declared changes objects and lists; errors are found in what came.
      takes: (value, isText) =>
        isText
          ? made('isText')(typeof value === 'object' ? structuredClone(value) : value)
          : made('is')(value),
      errorsIn(value, isText) {
        const validate = made(isText ? 'explainText' : 'explain');
        work.explain();
        return validate(value) ? [] : (validate.errors ?? []);
      },
      compile(isText) {
        made(isText ? 'isText' : 'is');
        made(isText ? 'explainText' : 'explain');
      },
    };
  }
}

function byPlace(
  all: readonly DeclaredEntry[],
): Pick<ParameterBook, 'query' | 'path' | 'header' | 'cookie'> {
  const of = (place: DeclaredParameter['in']) =>
    new Map(
      all.filter(({ parameter }) => parameter.in === place).map((one) => [one.parameter.name, one]),
    );
  return { query: of('query'), path: of('path'), header: of('header'), cookie: of('cookie') };
}

/** `sampleRequest` of `clients/guard.ts`: these members and no other. */
function isWarmUp(whole: unknown): boolean {
  if (!isMembers(whole) || whole['query.q'] !== 'sallyport-warm-up') return false;
  const { method, path } = whole;
  const known = ['method', 'path', 'header.user-agent', 'query.q'];
  return method === 'GET' && path === '/' && Object.keys(whole).every((one) => known.includes(one));
}
