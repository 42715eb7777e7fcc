import type { DeclaredRole } from '../../contract/shape.ts';
import type { PathNode } from '../extract/field.ts';

/**
 * What an application uses a field for, as its name tells. An attacker chooses neither the name nor
 * the use, so that a name may lower suspicion where the text fits it. What stands beside the field
 * says nothing: a client may add any field to a body. `line` is a line of a notebook's program or of
 * one that is watched, `query` a statement that a console sends, `step` a command that a project runs
 * itself, `message` what a user writes for other users, `readme` a text in Markdown.
 */
export type FieldRole =
  | 'plain'
  | 'source'
  | 'line'
  | 'query'
  | 'step'
  | 'editor'
  | 'message'
  | 'readme'
  | 'search'
  | 'address';

/** The role of a field at a place of the body, or of a JSON text in it by its last name there. */
export function roleOf(node: PathNode, decoded: readonly string[]): FieldRole {
  const nested = decoded.findLast((step) => step.startsWith('json:/'));
  if (nested !== undefined) return roleInJson(nested);
  const names: string[] = [];
  for (let at: PathNode | undefined = node; at !== undefined && names.length < 2; at = at.parent) {
    if (typeof at.key === 'string') names.push(at.key);
  }
  const [own = '', parent = ''] = names;
  if (isNotebookLine(node, own, parent) || isTelemetry(node, own, parent)) return 'line';
  if (isSource(own, parent)) return 'source';
  if (isQuery(own, parent)) return 'query';
  if (isStep(parent) || stepName.test(own)) return 'step';
  if (editorText.test(own) && isListed(node)) return 'editor';
  if (searchName.test(own)) return 'search';
  if (readmeName.test(own)) return 'readme';
  if (isMessage(own, parent)) return 'message';
  return addressName.test(own) ? 'address' : 'plain';
}

/** By the last names of the path in a JSON text. */
function roleInJson(step: string): FieldRole {
  const [parent = '', name = ''] = step.slice('json:'.length).split('/').slice(-2);
  if (isStep(parent) || stepName.test(name)) return 'step';
  return addressName.test(name) ? 'address' : 'plain';
}

/** `cells[].source[]` of Jupyter. */
function isNotebookLine(node: PathNode, own: string, parent: string): boolean {
  return own === 'source' && parent === 'cells' && typeof node.key === 'number';
}

function isSource(own: string, parent: string): boolean {
  if (sourceName.test(own)) return true;
  return ownText.test(own) && (sourceName.test(parent) || fileName.test(parent));
}

/** `native.query` of Metabase, a file `init.sql` of a map of files: in a body, and not its only name. */
function isQuery(own: string, parent: string): boolean {
  const isInBody = own.startsWith('body.') || (parent !== '' && !sentInHead.test(parent));
  return isInBody && queryName.test(own);
}

function isMessage(own: string, parent: string): boolean {
  return messageName.test(own) && !sentInHead.test(own) && parent !== 'query';
}

/** A member that a user writes in for other users, by its name. */
export function isMessageMember(member: string): boolean {
  return isMessage(member.slice(-64), '') && !sentInHead.test(member);
}

/**
 * What a program has run, as instruments report it: the statement of a span, an attribute of OTLP
 * (`attributes[].value.stringValue`, OpenTelemetry protocol), the start of a script that a policy
 * stopped (Content Security Policy 3, 5.3).
 */
function isTelemetry({ parent: value }: PathNode, own: string, parent: string): boolean {
  if (own === 'stringValue' && parent === 'value')
    return typeof value?.parent?.key === 'number' && value.parent.parent?.key === 'attributes';
  return telemetryName.test(own) || reported.has(`${parent}.${own}`);
}

/** A statement of a trace, the sample of a violation of a policy (Reporting API, 2.1). */
const reported: ReadonlySet<string> = new Set(['db.statement', 'body.sample']);
const telemetryName = /^(?:body\.(?:\w{1,40}\.)?)?(?:db\.(?:statement|query\.text)|script-sample)$/;

/** The same, as a schema says it. Declared, it counts in the place of what the name tells. */
export function fieldRoleOf(declared: DeclaredRole | undefined): FieldRole | undefined {
  return declared === undefined ? undefined : fieldRoles[declared];
}

const fieldRoles: Readonly<Record<DeclaredRole, FieldRole>> = {
  closed: 'plain',
  prose: 'editor',
  html: 'editor',
  markdown: 'editor',
  code: 'source',
  sql: 'source',
  template: 'source',
  search: 'search',
  url: 'address',
  path: 'plain',
  secret: 'plain',
};

/**
 * The name of a member with what its declared use adds, for rules that read names: evidence counts
 * there as it does in a member that is called so. What a header is for its own name says, so that
 * there a use may only add suspicion.
 */
export function usedName(member: string, declared: DeclaredRole | undefined): string {
  if (declared === undefined || declared === 'closed') return member;
  const isOwn = !suspected.has(declared) && member.startsWith('header.');
  return isOwn ? member : member + useNames[declared];
}

const suspected: ReadonlySet<DeclaredRole> = new Set(['path', 'url', 'secret']);

const useNames: Readonly<Record<Exclude<DeclaredRole, 'closed'>, string>> = {
  prose: '.text',
  html: '.html',
  markdown: '.markdown',
  code: '.code',
  sql: '.sql',
  template: '.source',
  search: '.search',
  path: '.file',
  url: '.url',
  secret: '.password',
};

/** Members of `scripts` in a package.json: their names are a project's own. */
export function isStep(parent: string): boolean {
  return parent === 'scripts';
}

/** Steps that npm runs before and after others, where they stand without their `scripts`. */
const stepName =
  /^(?:body\.)?(?:(?:pre|post)(?:build|test|lint|pack|publish|install|version|docs|clean|changelog|release|start|compile|deploy)(?::[\w-]{1,40})?|prepare|prepublishOnly|lint)$/;

/** True for an item of a list, or a member of one. */
function isListed(node: PathNode): boolean {
  return typeof (node.parent?.key ?? node.key) === 'number';
}

/** Programs, changes to them, settings and traces. Not `couponCode`, not the `code` of a query. */
const sourceName =
  /^(?:body\.(?:\w{1,40}\.)?)?(?:code|source|(?:source|src)_?code|code_?(?:snippet|block)|snippet|program|diff|patch|hunk|stack|(?:stack|back)_?trace|traceback|sql|script_?source|config(?:uration)?(?:_?file)?|crontab|dockerfile|makefile|terraform|ya?ml|toml)$/i;
const fileName = /^(?:file|files|gist|blob|text_?document|cells?|notebook)$/i;
const ownText = /^(?:content|contents|text|body|source|value)$/i;
const queryName = /^(?:[\w/-]{1,40}\.){0,3}(?:query|sql)$/i;
/** Leaves of the documents of Quill, ProseMirror, Slate, Draft and Lexical. */
const editorText = /^(?:text|insert)$/i;
/** Texts that users read: tickets, comments, reviews, posts. */
const messageName =
  /(?:^|[._[])(?:title|subject|headline|text|message|comments?|description|body|content|notes?|bio|about|question|answer|summary|details|review|feedback|reply|caption|excerpt|post|steps|remarks?)\]?$/i;
const sentInHead = /^(?:query|path|header|cookie)\b/;
const readmeName = /^(?:body\.)?(?:readme|markdown|md|(?:body|content|text)_?(?:markdown|md))$/i;
const searchName =
  /^(?:(?:body|query)\.)?(?:q|search(?:_?(?:term|query|text|phrase))?|utm_term|keywords?|dt|(?:page|document)_?title)$/i;
const addressName =
  /^(?:[\w-]{1,20}\.){0,2}(?:(?:page|document|link|current|full|landing|request)?[._-]?(?:url|uri|href|location)|link|dl|dr|referr?er|u)$/i;
