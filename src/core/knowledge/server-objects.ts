/** Kinds of template engines by what marks their expressions, as the engines of one language share it. */
export type EngineKind = 'curly' | 'ruby' | 'erb' | 'script' | 'dollar' | 'spring';

/** What an expression reaches of the server, by the name that it begins with in lower case. */
export interface ServerObject {
  readonly kinds: readonly EngineKind[];
  /** Members that give something of the server away; `*` for any, `''` for the object itself. */
  readonly members: readonly string[];
  /** A constant of Ruby, which begins with a capital: `socket.id` and `kernel.version` are of others. */
  readonly isConstant?: true;
}

const blanks = /\s+/;

function objects(
  kinds: readonly EngineKind[],
  members: readonly string[],
  names: string,
): [string, ServerObject][] {
  return names.split(blanks).map((name) => [name, { kinds, members }]);
}

function constants(...row: Parameters<typeof objects>): [string, ServerObject][] {
  return objects(...row).map(([name, object]) => [name, { ...object, isConstant: true }]);
}

function listOf(members: string): readonly string[] {
  return members.split(blanks);
}

/**
 * Objects that no application means to show, but whose names others have too: evidence
 * where the expression is all of a value.
 */
export const serverObjects: ReadonlyMap<string, readonly ServerObject[]> = byName([
  // Jinja, Tornado: what the engine and its context hold.
  ...objects(['curly'], [''], 'lipsum cycler joiner hostvars'),
  ...objects(['curly'], ['', '(', '*'], '_tt_modules _tt_utf8'),
  ...objects(['curly', 'dollar'], ['('], 'globals locals vars dir environ'),
  ...objects(['curly'], listOf('get_secure_cookie get_cookie'), 'handler'),
  ...objects(['curly'], listOf('settings config'), 'application'),
  ...objects(['curly'], listOf('session token'), 'app'),
  ...objects(
    ['curly', 'ruby'],
    listOf('items keys values all to_h to_hash to_a inspect to_json'),
    'session cookies',
  ),
  // ERB, Slim, Haml: constants and methods of every object.
  ...constants(['ruby'], ['*'], 'rails activerecord objectspace kernel rbconfig'),
  ...constants(['erb'], ['*'], 'etc socket gem marshal bundler'),
  ...objects(
    ['ruby'],
    ['', '*', '('],
    `instance_variables local_variables global_variables __file__ __dir__ ruby_version
     ruby_platform $0 $load_path $loaded_features binding`,
  ),
  // In the templates of others a caller on the telephone has a name.
  ...objects(['ruby'], listOf('first last join inspect to_a 0 (').concat(''), 'caller'),
  ...objects(
    ['ruby'],
    listOf('methods instance_variables instance_variable_get class singleton_methods send'),
    'self',
  ),
  ...constants(['ruby'], listOf('constants const_get'), 'object'),
  ...objects(
    ['ruby'],
    listOf('to_h to_hash to_a inspect keys values select each map to_json sort').concat(''),
    'env',
  ),
  ...objects(['ruby'], listOf('session_secret').concat(''), 'settings'),
  ...objects(['ruby', 'script'], listOf('settings config'), 'app'),
  // EJS, Pug: what Node gives every module.
  ...objects(
    ['script'],
    listOf('cwd argv execpath versions platform memoryusage').concat(''),
    'process',
  ),
  ...objects(
    ['script'],
    listOf('process require mainmodule').concat(''),
    'global globalthis __filename __dirname',
  ),
  ...objects(['script'], ['', '('], 'locals require'),
  ...objects(['script', 'curly'], listOf('views env etag x-powered-by'), 'settings'),
  // Mako.
  ...objects(['dollar'], listOf('kwargs lookup write'), 'context'),
  ...objects(['dollar'], listOf('module'), 'local next'),
  // FreeMarker with servlets, Spring.
  ...objects(
    ['dollar'],
    ['', '*', '('],
    'springmacrorequestcontext requestparameters jsptaglibs statics enums',
  ),
  ...objects(['spring', 'dollar'], ['', '*', '('], 'systemproperties systemenvironment'),
]);

function byName(
  rows: readonly (readonly [string, ServerObject])[],
): ReadonlyMap<string, readonly ServerObject[]> {
  const made = new Map<string, ServerObject[]>();
  for (const [name, object] of rows) made.set(name, [...(made.get(name) ?? []), object]);
  return made;
}

/** Objects that Thymeleaf and SpEL mark with `#` (Thymeleaf, "Expression Basic Objects"). */
export const markedObjects: ReadonlySet<string> = new Set(
  'ctx vars root request response session servletcontext httpservletrequest httpsession execinfo this'.split(
    ' ',
  ),
);

/** Variables of Velocity's tools and of what embeds it, that lead to the server. */
export const velocityTools: ReadonlySet<string> = new Set(
  `request response session application context ctx servletContext velocityContext velocityEngine
   velocity viewTools webwork xwork stack action ognl xwiki services doc render field convert import
   link introspector pageContext`.split(blanks),
);

/** Methods of them that read, find or run something. */
export const velocityMethods: ReadonlySet<string> = new Set(
  `getSession getServletContext getAttribute getAttributeNames getRealPath getParameter getWriter
   getOutputStream servletContext keys get findValue evaluate eval recurse htmlEncode getDocument
   getProperty in read getContextURL getClass class getHeader getHeaderNames getCookies getResource
   getResourceAsStream getInitParameter getRequestDispatcher script security`.split(blanks),
);

/** Names of settings that are secret: as a whole, or in the capitals of a constant. */
export function isSecretName(name: string): boolean {
  if (secretName.test(name)) return true;
  return constant.test(name) && secretConstant.test(name) && !publicConstant.test(name);
}

const secretName =
  /^(?:[a-z]{1,20}[_.-]?){0,3}(?:secret|secrets|secret_?key(?:_base)?|passw(?:or)?d|private_?key|secret_?access_?key|security\.?(?:key|salt)|security_?key|app_?key|connection_?strings?|credentials)$/i;
const constant = /^[A-Z][A-Z\d_]{2,60}$/;
const secretConstant =
  /SECRET|PASSW|TOKEN|_KEY$|_DSN$|DATABASE|CREDENTIAL|(?:DB|SQL|MONGO|REDIS|BROKER|AMQP)\w{0,20}_UR[IL]$/;
/** Keys that are meant for the browser. */
const publicConstant = /PUBLI(?:C|SHABLE)_|(?:SITE|MAPS?)_KEY$/;
