import { wordList, wordSet } from '../text/words.ts';

/** Kinds of template engines by what marks their expressions, as the engines of one language share it. */
export type EngineKind = 'curly' | 'ruby' | 'erb' | 'script' | 'dollar' | 'spring';

/** What an expression reaches of the server, by the name that it begins with in lower case. */
interface ServerObject {
  readonly kinds: readonly EngineKind[];
  /** Members that give something of the server away; `*` for any, `''` for the object itself, `(` for a call. */
  readonly members: readonly string[];
  /** A constant of Ruby, which begins with a capital: `socket.id` and `kernel.version` are of others. */
  readonly isConstant?: true;
}

function objects(
  kinds: readonly EngineKind[],
  members: readonly string[],
  names: string,
): [string, ServerObject][] {
  return wordList(names).map((name) => [name, { kinds, members }]);
}

function constants(...row: Parameters<typeof objects>): [string, ServerObject][] {
  return objects(...row).map(([name, object]) => [name, { ...object, isConstant: true }]);
}

/** Stands in a list of members for the object as what a function such as `JSON.stringify` is given to show. */
export const given = ')';

/**
 * What shows the server where the expression is all of a value, with the members that do so: a call
 * (`items(`), a whole object as text, a constant of the host. A member that is only looked up
 * (`settings.password`, `session.items`) is what benign templates are made of.
 */
export const serverObjects: ReadonlyMap<string, readonly ServerObject[]> = byName([
  // Jinja, Tornado, Mako: what the engine and its context hold.
  ...objects(['curly'], [''], 'hostvars'),
  ...objects(['curly'], ['', '(', '*'], '_tt_modules _tt_utf8'),
  ...objects(['curly', 'dollar'], ['('], 'globals locals vars dir environ'),
  ...objects(['curly'], wordList('get_secure_cookie get_cookie'), 'handler'),
  ...objects(['curly'], wordList('items( keys( values( all('), 'session cookies'),
  ...objects(
    ['ruby'],
    wordList('items keys values all to_h to_hash to_a inspect to_json'),
    'session cookies',
  ),
  // ERB, Slim, Haml: constants and methods of every object.
  ...constants(['ruby'], wordList('application configuration credentials secrets'), 'rails'),
  ...constants(['ruby'], ['*'], 'activerecord objectspace kernel rbconfig'),
  ...constants(['erb'], ['*'], 'etc socket gem marshal bundler'),
  ...objects(
    ['ruby'],
    ['', '*', '('],
    `instance_variables local_variables global_variables __file__ __dir__ ruby_version
     ruby_platform $0 $load_path $loaded_features`,
  ),
  ...objects(['ruby'], wordList('local_variables local_variable_get receiver irb'), 'binding'),
  ...objects(
    ['ruby'],
    wordList('methods instance_variables instance_variable_get singleton_methods send'),
    'self',
  ),
  ...constants(['ruby'], wordList('constants const_get'), 'object'),
  ...objects(
    ['ruby'],
    wordList('to_h to_hash to_a inspect keys values select each map to_json sort').concat(given),
    'env',
  ),
  ...objects(['ruby'], ['session_secret'], 'settings'),
  // EJS, Pug: what Node gives every module.
  ...objects(
    ['script'],
    wordList('cwd argv execpath versions memoryusage').concat(given),
    'process',
  ),
  ...objects(['script'], wordList('process require mainmodule').concat(given), 'global globalthis'),
  ...objects(['script'], [''], '__filename __dirname'),
  ...objects(['script'], [given], 'locals settings'),
  // Mako.
  ...objects(['dollar'], ['kwargs'], 'context'),
  // FreeMarker with servlets, Spring.
  ...objects(['dollar'], ['', '*', '('], 'springmacrorequestcontext jsptaglibs'),
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
export const markedObjects: ReadonlySet<string> = new Set(['ctx', 'servletcontext', 'execinfo']);

/** Variables of Velocity's tools and of what embeds it, that lead to the server. */
export const velocityTools: ReadonlySet<string> = wordSet(
  `request response session application context ctx servletContext velocityContext velocityEngine
   velocity viewTools webwork xwork stack action ognl xwiki services doc render field convert import
   link introspector pageContext`,
);

/** Methods of them that read, find or run something. */
export const velocityMethods: ReadonlySet<string> = wordSet(
  `getSession getServletContext getAttribute getAttributeNames getRealPath getWriter getOutputStream
   servletContext findValue evaluate eval recurse htmlEncode getDocument getProperty read
   getContextURL getClass class getResource getResourceAsStream getInitParameter getRequestDispatcher
   script security`,
);

/**
 * Settings that are secret. Flask and Django keep their own in capitals; `settings.password` is of a
 * theme or a form.
 */
export function isSecretName(name: string): boolean {
  return constant.test(name) && secretConstant.test(name) && !publicConstant.test(name);
}

const constant = /^[A-Z][A-Z\d_]{2,60}$/;
const secretConstant =
  /SECRET|PASSW|TOKEN|_KEY$|_DSN$|DATABASE|CREDENTIAL|(?:DB|SQL|MONGO|REDIS|BROKER|AMQP)\w{0,20}_UR[IL]$/;
/** What is meant for the browser. */
const publicConstant = /PUBLI(?:C|SHABLE)_|(?:SITE|MAPS?)_KEY$|^(?:MIX|VITE|REACT_APP)_/;
