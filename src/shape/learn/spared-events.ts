import type { LearntEventEffect, RecentEvent, RecentEvents } from '../../contract/learnt-shape.ts';
import { noContext, type ScreeningRequest } from '../../contract/request.ts';
import type { MemberValue, Shape, ShapeChecker, ShapeField } from '../../contract/shape.ts';
import type { Finding } from '../../contract/verdict.ts';
import { compileShape } from '../compile.ts';

/** What the core knows of requests and verdicts. */
export interface EventCore {
  readRequest(request: ScreeningRequest, values: MemberValue[]): readonly ShapeField[] | undefined;
  scoreOf(findings: readonly Finding[]): number;
}

/**
 * What a proposal would have made of recent events. An event is spared where its score falls below the
 * threshold without the findings in values that the proposal declares as closed. Each value is checked
 * at its place, in a request that has nothing else.
 */
export function eventEffectOf(
  shape: Shape | undefined,
  { events, isComplete }: RecentEvents,
  core: EventCore,
): LearntEventEffect {
  const counts = { spared: 0, sparedFalsePositives: 0, sparedTruePositives: 0, falsePositives: 0 };
  const checker = shape === undefined ? undefined : compileShape(shape);
  for (const event of events) {
    const isFalse = event.verdict === 'false-positive';
    if (isFalse) counts.falsePositives += 1;
    if (checker === undefined || !isSpared(event, checker, core)) continue;
    counts.spared += 1;
    if (isFalse) counts.sparedFalsePositives += 1;
    if (event.verdict === 'true-positive') counts.sparedTruePositives += 1;
  }
  return { seen: events.length, isComplete, ...counts };
}

function isSpared(event: RecentEvent, checker: ShapeChecker, core: EventCore): boolean {
  const rest = event.findings.filter((finding) => !isClosed(finding, event, checker, core));
  if (rest.length === event.findings.length) return false;
  return core.scoreOf(rest as unknown as Finding[]) < event.threshold;
}

type RecentFinding = RecentEvent['findings'][number];

/** Whether the value in which something was found is one of a closed set, at its place. */
function isClosed(
  finding: RecentFinding,
  event: RecentEvent,
  checker: ShapeChecker,
  core: EventCore,
): boolean {
  const request = requestWith(finding, event);
  if (request === undefined) return false;
  const values: MemberValue[] = [];
  const fields = core.readRequest(request, values);
  if (fields === undefined) return false;
  const { roles, violations } = checker.check(request, fields, values);
  const at = fields.findIndex(
    ({ where, node }) => where === finding.where && isAt(node, namesIn(finding.pointer)),
  );
  const isRefused = violations.some(
    ({ path }) => path.length > 0 && isAt(fields[at]?.node, path.map(String)),
  );
  return at >= 0 && roles[at] === 'closed' && !isRefused;
}

function isAt(node: ShapeField['node'] | undefined, names: readonly string[]): boolean {
  let at = node;
  for (const name of names.toReversed()) {
    if (at === undefined || String(at.key) !== name) return false;
    at = at.parent;
  }
  return at === undefined;
}

/** Names of members that our own clients write. */
const ownName = /^(?:query|header|cookie)\.|^body(?:[.[]|$)|^path$/;

/** The request with nothing but the one value; undefined where the value is not known. */
function requestWith(
  { pointer, value }: RecentFinding,
  { method, path, contentType }: RecentEvent,
): ScreeningRequest | undefined {
  if (value === undefined || method === '' || path === '') return undefined;
  const names = namesIn(pointer);
  const [first = ''] = names;
  const isOwn = names.length === 1 && ownName.test(first);
  const type = contentType === '' ? {} : { 'header.content-type': contentType };
  if (isOwn) {
    const isBody = first.startsWith('body');
    const members = { method, path, ...(isBody ? type : {}), [first]: value };
    return { body: JSON.stringify(members), context: noContext };
  }
  const made = names.reduceRight<unknown>(
    (inner, name) => (name === firstItem ? [inner] : { [name]: inner }),
    value,
  );
  const body = JSON.stringify(made);
  return { body, context: { ...noContext, method, uri: path, contentType } };
}

const firstItem = '0';
const index = /^\d+$/;

/** The names that lead to a place (RFC 6901); each item of a list as the first one. */
function namesIn(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) =>
      index.test(name) ? firstItem : name.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
}
