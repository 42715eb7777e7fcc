import { isUtf8 } from 'node:buffer';
import { actors } from '../../contract/audit.ts';
import { limits } from '../../contract/limits.ts';
import type { Management } from '../../contract/management.ts';
import { printable } from '../../contract/printable.ts';
import { mayAct } from '../../contract/roles.ts';
import { type Header, writeAnswer } from '../answer.ts';
import { twoKeysAdvice } from '../api-key.ts';
import type { Exchange } from '../exchange.ts';
import { respondDefect, respondProblem, statusLine } from '../problem.ts';
import { acceptsBody, acceptsForm, readBody } from '../read-body.ts';
import type { UwsRequest } from '../uws.ts';
import { type Admission, type ApiHead, admit, isSameOrigin, readApiHead } from './admission.ts';
import type { ApiAnswer, ApiCall, ApiRoute } from './api-route.ts';
import { sendLines } from './lines.ts';
import { sendLive } from './live-feed.ts';
import { type RouteValidator, routeValidator } from './validate.ts';

interface Compiled {
  readonly route: ApiRoute;
  readonly segments: readonly string[];
  readonly validator: RouteValidator;
}

/** One request on its way through the router. */
interface Journey {
  readonly exchange: Exchange;
  readonly compiled: Compiled;
  readonly params: Readonly<Record<string, string>>;
  readonly queryText: string;
  readonly head: ApiHead;
}

/** What lets other folders add what they serve below `/api`. */
export type ApiHandler = (exchange: Exchange, req: UwsRequest) => void;

const plainHeaders: readonly Header[] = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
];

/** Serves the routes of the management API. Nothing here is on the path of `/control`. */
export function createApiHandler(routes: readonly ApiRoute[], parts: Management): ApiHandler {
  const table = routes.map((route) => ({
    route,
    segments: route.path.split('/'),
    validator: routeValidator(route),
  }));
  return (exchange, req) => {
    const matches = matching(table, req.getUrl());
    const method = req.getCaseSensitiveMethod();
    const found = matches.find(({ compiled }) => compiled.route.method === method);
    if (matches.length === 0) respondProblem(exchange, 'not-found');
    else if (found === undefined) refuseMethod(exchange, method, matches);
    else start({ exchange, ...found, ...readHead(exchange, req) }, req, parts);
  };
}

interface Found {
  readonly compiled: Compiled;
  readonly params: Readonly<Record<string, string>>;
}

/** The routes of a path: a concrete one hides those with a parameter there (OpenAPI 3.1, Paths). */
function matching(table: readonly Compiled[], path: string): readonly Found[] {
  const segments = path.split('/');
  const found: Found[] = [];
  for (const compiled of table) {
    const params = paramsOf(compiled.segments, segments);
    if (params !== undefined) found.push({ compiled, params });
  }
  const parameters = ({ params }: Found) => Object.keys(params).length;
  const fewest = Math.min(...found.map(parameters));
  return found.filter((one) => parameters(one) === fewest);
}

function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!wanted.startsWith(':')) {
      if (wanted !== segment) return undefined;
    } else {
      const value = decoded(segment);
      if (value === undefined) return undefined;
      params[wanted.slice(1)] = value;
    }
  }
  return params;
}

const paramCharsMax = 600;

/** A segment as a parameter; undefined for what none can be. */
function decoded(segment: string): string | undefined {
  if (segment === '' || segment.length > paramCharsMax) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function refuseMethod(exchange: Exchange, method: string, matches: readonly Found[]): void {
  const methods = [...new Set(matches.map(({ compiled }) => compiled.route.method))];
  const headers: readonly Header[] = [['allow', methods.join(', ')]];
  if (method === 'OPTIONS') {
    writeAnswer(exchange, { status: statusLine(204), type: '', body: '', headers });
  } else {
    respondProblem(exchange, 'method-not-allowed', { headers });
  }
}

function readHead(exchange: Exchange, req: UwsRequest) {
  const { trustedProxies } = exchange.service;
  return { queryText: req.getQuery() ?? '', head: readApiHead(exchange.res, req, trustedProxies) };
}

/**
 * All of the head is read before this returns; the rest may wait for the body and the database.
 * A caller without access is refused at once, and no more of the body is kept.
 */
function start(journey: Journey, req: UwsRequest, parts: Management): void {
  const { exchange, compiled, head } = journey;
  const { route } = compiled;
  if (route.isForm !== true && !isSameOrigin(route.method, head)) {
    respondProblem(exchange, 'cross-origin');
    return;
  }
  if (route.access === 'public') exchange.bodyBytesMax = limits.strangerBodyBytesMax;
  if (route.body !== undefined && !accepts(exchange, req, route)) return;
  const orFail = (error: unknown) => fail(exchange, error, parts);
  const admission = admissionTo(journey, parts).catch(orFail);
  const goOn = (body: Uint8Array | undefined) => {
    admission.then((admitted) => admitted && proceed(journey, admitted, body, parts)).catch(orFail);
  };
  if (route.body === undefined) goOn(undefined);
  else readBody(exchange, goOn);
}

function accepts(exchange: Exchange, req: UwsRequest, { isForm }: ApiRoute): boolean {
  return isForm === true ? acceptsForm(exchange, req) : acceptsBody(exchange, req);
}

/** As whom a request goes on: a caller of a public route may be unknown. */
type Caller = Admission | { readonly actor: typeof actors.unknown };

/** The caller of a request. Answers 401 or 403 and gives undefined when it may not go on. */
async function admissionTo(
  { exchange, compiled, head }: Journey,
  parts: Management,
): Promise<Caller | undefined> {
  const { access } = compiled.route;
  if (access === 'public') {
    const known = head.session === '' ? undefined : await admit({ ...head, key: '' }, parts);
    return known ?? { actor: actors.unknown };
  }
  if (head.hasTwoKeys) {
    respondProblem(exchange, 'not-signed-in', { detail: twoKeysAdvice });
    return undefined;
  }
  const admitted = await admit(head, parts);
  if (admitted === undefined) {
    respondProblem(exchange, 'not-signed-in');
  } else if (!mayAct(admitted, access)) {
    const detail = `This needs the role ${access}; you have the role ${admitted.role}.`;
    respondProblem(exchange, 'role-not-sufficient', { detail });
    return undefined;
  } else if (mustSetUpFirst(admitted, compiled.route)) {
    respondProblem(exchange, 'second-factor-required');
    return undefined;
  }
  return admitted;
}

function mustSetUpFirst({ session }: Admission, { withoutSecondFactor }: ApiRoute): boolean {
  return session?.needsSecondFactor === true && withoutSecondFactor !== true;
}

async function proceed(
  journey: Journey,
  caller: Caller,
  body: Uint8Array | undefined,
  parts: Management,
): Promise<void> {
  const { exchange, compiled, params, queryText, head } = journey;
  const { route, validator } = compiled;
  const query = validator.query(queryText);
  const given = body === undefined ? undefined : parse(exchange, body, route);
  if (given === 'refused') return;
  const checked = validator.body(given?.value);
  const errors = [query, checked].flatMap((one) => (one.kind === 'valid' ? [] : one.errors));
  if (query.kind !== 'valid' || checked.kind !== 'valid') {
    respondProblem(exchange, 'request-not-valid', { errors });
    return;
  }
  const { address, agent, device, flow } = head;
  const asked = { params, query: query.value, body: checked.value, address, agent, device, flow };
  const call: ApiCall = { ...asked, ...caller };
  answer(journey, await route.handle(call, parts), parts);
}

/** A body as JSON, or as the members of a form. Answers 400 itself when it is none. */
function parse(
  exchange: Exchange,
  body: Uint8Array,
  { isForm }: ApiRoute,
): { readonly value: unknown } | 'refused' {
  if (body.length === 0) respondProblem(exchange, 'body-empty');
  else if (!isUtf8(body)) respondProblem(exchange, 'body-not-utf8');
  else if (isForm === true) {
    return { value: Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body))) };
  } else {
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder().decode(body));
    } catch {
      respondProblem(exchange, 'body-not-json');
      return 'refused';
    }
    if (!isNestedBeyond(levelsMax, value)) return { value };
    respondProblem(exchange, 'body-too-deep');
  }
  return 'refused';
}

/** A request to try out may be as deep as one to `/control`, and stands in a member. */
const levelsMax = limits.jsonDepthMax + 1;

/** `JSON.parse` takes any depth; what writes or walks the value again would run out of stack. */
function isNestedBeyond(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedBeyond(levels - 1, member));
}

function answer(journey: Journey, given: ApiAnswer, parts: Management): void {
  const { exchange, compiled, head } = journey;
  switch (given.kind) {
    case 'json':
      writeAnswer(exchange, {
        status: statusLine(given.status),
        type: 'application/json',
        body: JSON.stringify(given.body),
        headers: [...plainHeaders, ...(given.headers ?? [])],
      });
      return;
    case 'empty':
      writeAnswer(exchange, {
        status: statusLine(204),
        type: '',
        body: '',
        headers: [...plainHeaders, ...(given.headers ?? [])],
      });
      return;
    case 'problem': {
      const { code, kind: _kind, refusedName, ...options } = given;
      // Their number is bounded: a password takes its time, and attempts are slowed down.
      if (refusedName !== undefined) tellRefusal(exchange, head.address, refusedName);
      respondProblem(exchange, code, options);
      return;
    }
    case 'lines':
      sendLines(exchange, given, compiled.route.mediaType);
      return;
    case 'live':
      sendLive(exchange, given.live, {
        state: parts.state,
        clock: parts.clock,
        isStillAdmitted: () => isStillAdmitted(journey, parts),
      });
      return;
  }
}

async function isStillAdmitted({ head, compiled }: Journey, parts: Management): Promise<boolean> {
  const admitted = await admit(head, parts);
  const { route } = compiled;
  if (route.access === 'public') return true;
  if (admitted === undefined || mustSetUpFirst(admitted, route)) return false;
  return mayAct(admitted, route.access);
}

function tellRefusal(exchange: Exchange, client: string, name: string): void {
  const { decisionId, requestId, service } = exchange;
  const user = printable(name.slice(0, loggedNameCharsMax));
  // Users of a Unix socket have no address.
  const from = client === '' ? {} : { client };
  service.log.warn({ decisionId, requestId, ...from, user }, 'a sign-in was refused');
}

const loggedNameCharsMax = 64;

/** An unavailable database is no defect; screening goes on without it. */
function fail(exchange: Exchange, error: unknown, parts: Management): void {
  if (!parts.isStorageFault(error)) {
    respondDefect(exchange, error);
    return;
  }
  const { decisionId, service } = exchange;
  service.log.warn({ decisionId, err: error }, 'the database did not answer a management request');
  respondProblem(exchange, 'storage-not-available');
}
