import type { DeclaredRole } from '../../contract/shape.ts';
import type { PathNode } from '../extract/field.ts';

/**
 * What an application uses a field for, as its name tells. An attacker chooses neither the name nor
 * the use, so that a name may lower suspicion where the text fits it. What stands beside the field
 * says nothing: a client may add any field to a body. `line` is a line of a notebook's program or of
 * one that is watched, `query` a statement that a console sends, `expression` a column that it
 * computes, `step` a command that a project runs itself, `message` what a user writes for other
 * users, `chat` what one writes to a language model, `readme` a text in Markdown, `markdown` one that is declared.
 */
export type FieldRole =
  | 'plain'
  | 'source'
  | 'line'
  | 'query'
  | 'expression'
  | 'step'
  | 'editor'
  | 'message'
  | 'chat'
  | 'readme'
  | 'markdown'
  | 'search'
  | 'address';

/** The role of a field at a place of the body, or of a JSON text in it by its names there. */
export function roleOf(node: PathNode, decoded: readonly string[]): FieldRole {
  const nested = decoded.findLast((step) => step.startsWith('json:/'));
  return roleAt(nested === undefined ? node : placeOf(nested.slice('json:/'.length)));
}

/** The place that a JSON pointer without its first slash names. */
function placeOf(pointer: string): PathNode {
  let node: PathNode = { parent: undefined, key: '' };
  for (const segment of pointer.split('/')) {
    const key = itemNumber.test(segment) ? Number(segment) : segment.replaceAll('~1', '/');
    node = { parent: node.key === '' ? undefined : node, key };
  }
  return node;
}

const itemNumber = /^\d{1,6}$/;

/** The role of a place by its names. */
function roleAt(node: PathNode): FieldRole {
  const names: string[] = [];
  for (let at: PathNode | undefined = node; at !== undefined && names.length < 2; at = at.parent) {
    if (typeof at.key === 'string') names.push(at.key);
  }
  const [own = '', parent = ''] = names;
  return codeRole(node, own, parent) ?? textRole(node, own, parent);
}

function codeRole(node: PathNode, own: string, parent: string): FieldRole | undefined {
  const reported = reportedRole(node, own);
  if (reported !== undefined) return reported;
  if (isNotebookLine(node, own, parent) || isTelemetry(node, own, parent)) return 'line';
  if (sampleText.test(own) && isItemOf(node, codeSamples)) return 'editor';
  if (isSource(own, parent) || isFileContent(node)) return 'source';
  if (isQuery(own, parent)) return 'query';
  if (expressionName.test(own)) return 'expression';
  // Members of `scripts` in a package.json have names that are a project's own.
  return parent === 'scripts' || stepName.test(own) ? 'step' : undefined;
}

function textRole(node: PathNode, own: string, parent: string): FieldRole {
  if (isChat(node, own, parent)) return 'chat';
  if (editorText.test(own) && isListed(node)) return 'editor';
  if (searchName.test(own)) return 'search';
  if (readmeName.test(own)) return 'readme';
  if (isMessage(own, parent) || isListedCommand(node, own)) return 'message';
  return addressName.test(own) ? 'address' : 'plain';
}

/** `cells[].source[]` of Jupyter. */
function isNotebookLine(node: PathNode, own: string, parent: string): boolean {
  return own === 'source' && cellsName.test(parent) && typeof node.key === 'number';
}

function isSource(own: string, parent: string): boolean {
  if (sourceName.test(own)) return true;
  return ownText.test(own) && (sourceName.test(parent) || fileName.test(parent));
}

/** `files["a.sh"].content` of a gist. */
function isFileContent({ key, parent }: PathNode): boolean {
  if (key !== 'content' || typeof parent?.key !== 'string') return false;
  return (
    lastName(parent.parent) === 'files' &&
    extension.test(parent.key) &&
    !servedFile.test(parent.key)
  );
}

/** `containers[].command[]` of Kubernetes, `nodes[].parameters.command` of a workflow. */
function isListedCommand(node: PathNode, own: string): boolean {
  if (own !== 'command') return false;
  const holder = typeof node.key === 'number' ? node.parent?.parent : node.parent;
  return typeof holder?.key === 'number' || typeof holder?.parent?.key === 'number';
}

/** `native.query` of Metabase, a file `init.sql` of a map of files: in a body, and not its only name. */
function isQuery(own: string, parent: string): boolean {
  const isInBody = own.startsWith('body.') || (parent !== '' && !sentInHead.test(parent));
  return isInBody && queryName.test(own);
}

/** `messages[].content`, `messages[].content[].text`, `messages[].parts[].text`: Markdown on both sides. */
function isChat(node: PathNode, own: string, parent: string): boolean {
  if (own === 'content') return isItemOf(node, chatList);
  return own === 'text' && chatParts.test(parent) && isItemOf(node.parent?.parent, chatList);
}

const chatList = /^messages$/;
const chatParts = /^(?:content|parts)$/;

/** A member of an item of a list. */
function isItemOf(node: PathNode | undefined, list: RegExp): boolean {
  return typeof node?.parent?.key === 'number' && list.test(lastName(node.parent.parent));
}

/** `x-codeSamples[].source`, `code-samples[].code` of descriptions of an API. */
const codeSamples = /^(?:x-)?code-?samples$/i;
const sampleText = /^(?:code|source)$/;

function isMessage(own: string, parent: string): boolean {
  return messageName.test(own) && !sentInHead.test(own) && parent !== 'query';
}

/** A member of the query, the path, a header or a cookie that takes no text of several lines, by its name. */
export function isLineInHead(member: string): boolean {
  if (!sentInHead.test(member)) return false;
  const own = member.slice(member.indexOf('.') + 1);
  return !texts.some((name) => name.test(own));
}

/** A member that takes a text that a user writes, wherever it is sent. */
export function takesText(member: string): boolean {
  return member.startsWith('query.') ? !isLineInHead(member) : isMessageMember(member);
}

/** A member that takes no sentence, by its name: what stands in front of an attack there was put there for it. */
export function takesValue(member: string): boolean {
  if (valueName.test(member)) return true;
  return member.startsWith('query.') && isLineInHead(member) && !labelName.test(member);
}

/** Of these, one that takes no document either: no file, mail or path, whose text it may hold. */
export function takesName(member: string): boolean {
  return takesValue(member) && !documentName.test(member);
}

const documentName = /(?:^|[._[])(?:file|path|e?mail|data|payload|raw|json|xml|html|state)\]?$/i;
const valueName =
  /(?:^|[._[])(?:(?:host|domain|server|file|dir|folder|path)_?(?:name)?|user_?name|ip(?:_?addr(?:ess)?)?|addr|port|directory|branch|repo(?:sitory)?|exclude|zone|interface|container|e?mail|locale|login|uuid)\]?$/i;

/** What analytics and campaigns call pages, products and events, names of searches, and of what is shown to a user. */
const labelName =
  /[._](?:utm_\w{1,20}|label|campaign|events?|tags?|e[acl]|s|k|wd|terms?|query|find|phrase|topics?|suggest\w{0,8}|(?:err(?:or)?_?)?msg|err(?:ors?)?|warnings?|alert|reason|logs?|heading|lesson|course|video|article)$/i;

/** A member that a user writes in for other users, by its name. */
export function isMessageMember(member: string): boolean {
  return isMessage(member.slice(-64), '') && !sentInHead.test(member);
}

/**
 * What a program has run, as instruments report it: the statement of a span, an attribute of OTLP
 * (`attributes[].value.stringValue`, OpenTelemetry protocol), the start of a script that a policy
 * stopped (Content Security Policy 3, 5.3).
 */
function isTelemetry(node: PathNode, own: string, parent: string): boolean {
  const { parent: value } = node;
  const isOfItem = typeof value?.parent?.key === 'number';
  if (own === 'stringValue' && parent === 'value')
    return isOfItem && value.parent.parent?.key === 'attributes';
  // Reports come as a list (Reporting API, 2.4): `body` alone may be what an application calls its own.
  if (own === 'sample') return parent === 'body' && isOfItem;
  return telemetryName.test(own) || (own === 'statement' && parent === 'db');
}

/**
 * The role of a member of an item of a list that an instrument sends: `breadcrumbs[].message`, or in its `values`,
 * and the lines in one, `stacktrace.frames[].pre_context[]`.
 */
function reportedRole(node: PathNode, own: string): FieldRole | undefined {
  const item = typeof node.key === 'number' ? node.parent?.parent : node.parent;
  if (typeof item?.key !== 'number') return undefined;
  const list = item.parent;
  const name = `${lastName(list)}.${own}`;
  return reportedItems.get(name) ?? reportedItems.get(`${lastName(list?.parent)}.${name}`);
}

function lastName(node: PathNode | undefined): string {
  return typeof node?.key === 'string' ? node.key.slice(node.key.lastIndexOf('.') + 1) : '';
}

/** What happened before an error, the lines around it, the statements of a trace, as Sentry has it. */
const reportedItems: ReadonlyMap<string, FieldRole> = new Map([
  ['stacktrace.frames.context_line', 'line'],
  ['stacktrace.frames.pre_context', 'line'],
  ['stacktrace.frames.post_context', 'line'],
  ['stacktrace.frames.filename', 'line'],
  ['stacktrace.frames.abs_path', 'line'],
  ['breadcrumbs.message', 'line'],
  ['breadcrumbs.values.message', 'line'],
  ['exception.values.value', 'line'],
  // Spans are those of a calendar or a text as well: a whole statement and nothing else.
  ['spans.description', 'query'],
  // GitHub's workflows, and Azure's
  ['steps.run', 'step'],
  ['steps.script', 'step'],
]);

const telemetryName = /^(?:body\.(?:\w{1,40}\.)?)?(?:db\.(?:statement|query\.text)|script-sample)$/;

/** The same, as a schema says it. Declared, it counts in the place of what the name tells. */
export function fieldRoleOf(declared: DeclaredRole | undefined): FieldRole | undefined {
  return declared === undefined ? undefined : fieldRoles[declared];
}

const fieldRoles: Readonly<Record<DeclaredRole, FieldRole>> = {
  closed: 'plain',
  prose: 'editor',
  html: 'editor',
  markdown: 'markdown',
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

/** Steps that npm runs before and after others, where they stand without their `scripts`. */
const stepName =
  /^(?:body\.)?(?:(?:pre|post)(?:build|test|lint|pack|publish|install|version|docs|clean|changelog|release|start|compile|deploy)(?::[\w-]{1,40})?|prepare|prepublishOnly|lint)$/;

/** True for an item of a list, or a member of one. */
function isListed(node: PathNode): boolean {
  return typeof (node.parent?.key ?? node.key) === 'number';
}

/** Programs, changes to them, settings and traces. Not `couponCode`, not the `code` of a query. */
const sourceName =
  /^(?:body\.(?:\w{1,40}\.)?)?(?:code|source|(?:source|src)_?code|code_?(?:snippet|block)|snippet|program|diff|patch|hunk|stack|(?:stack|back)_?trace|traceback|sql|script_?source|(?:js|python|function|raw|compiled)_?code|func|sources_?content|config(?:uration)?(?:_?file)?|crontab|dockerfile|makefile|terraform|ya?ml|toml)$/i;
/** What a server runs where it stores it. */
const servedFile = /\.(?:ph\w{1,5}|jspx?|aspx?|cgi|cfm|sh?html?)$/i;
const extension = /\.\w{1,8}$/;
const cellsName = /^(?:body\.)?cells$/;
const fileName = /^(?:file|files|gist|blob|text_?document|cells?|notebook)$/i;
const ownText = /^(?:content|contents|text|body|source|value)$/i;
const queryName =
  /^(?:[\w/-]{1,40}\.){0,3}(?:query|sql|(?:raw|native|compiled|custom)_?(?:sql|query|code)|soql|(?:sql_?)?statement|sql_?(?:query|text))$/i;
const expressionName = /^(?:body\.)?sql_?expression$/i;
/** Leaves of the documents of Quill, ProseMirror, Slate, Draft and Lexical. */
const editorText = /^(?:text|insert)$/i;
/** Texts that users read: tickets, comments, reviews, posts. */
const messageName =
  /(?:^|[._[])(?:title|subject|headline|text|message|comments?|desc(?:ription)?|body|content|notes?|bio|about|question|answer|summary|details|review|feedback|reply|caption|excerpt|post|steps|remarks?|prompt|instructions?)\]?$/i;
const sentInHead = /^(?:query|path|header|cookie)\b/;
const readmeName = /^(?:body\.)?(?:readme|markdown|md|(?:body|content|text)_?(?:markdown|md))$/i;
const searchName =
  /^(?:(?:(?:body|query)\.)?(?:q|search(?:_?(?:term|query|text|phrase))?|utm_term|keywords?|dt|(?:page|document)_?title)|query\.(?:query|terms?))$/i;
const addressName =
  /^(?:[\w-]{1,20}\.){0,2}(?:(?:page|document|link|current|full|landing|request)?[._-]?(?:url|uri|href|location)|link|dl|dr|\$?(?:initial_)?(?:current_url|referr?er)|u)$/i;

const texts = [messageName, searchName, sourceName, editorText];
