import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { firstMatch, type Shape } from '../../text/shape.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * YAML tags that make objects of the language: PyYAML, SnakeYAML, Psych. Alone between
 * quotation marks it is a text.
 */
const yamlTag =
  /(?<!['"](?=[^\s'"]{1,80}['"]))(?:!!(?:python\/(?:object|name|module|tuple)|perl\/(?:hash|array|code|ref):|(?:java|javax|com|org|ch)\.\w|ruby\/\w)|!ruby\/(?:object|hash|struct|exception|regexp|class|module)\b|!<tag:\w)/;
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
  cwe: 'CWE-502',
  severity: 'critical',
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
    '!!python/object/apply:os.system ["ls"]',
    '!!javax.script.ScriptEngineManager [!!java.net.URL ["http://a.test"]]',
    '--- !ruby/object:Gem::Requirement',
    '{"@type":"com.sun.rowset.JdbcRowSetImpl","autoCommit":true}',
    '{"$type":"System.Diagnostics.Process, System"}',
    "{'$type':'System.Diagnostics.Process, System'}",
    '{@type:"com.sun.rowset.JdbcRowSetImpl",autoCommit:true}',
    '["org.springframework.context.support.FileSystemXmlApplicationContext", "http://a.test/x"]',
    '{"f":"_$$ND_FUNC$$_function(){}()"}',
    '{"py/object":"os.system","py/newargs":["ls"]}',
    '!!perl/hash:File::Temp {}',
    '{"json_class":"Gem::Spec","o":"x"}',
    '{"f":{"__js_function":"function(){return 1}"}}',
    '{"f":"_CRYO_FUNCTION_function(){return 1}"}',
    '<root type="System.Windows.Markup.XamlReader, PresentationFramework"/>',
    '<java version="1.8" class="java.beans.XMLDecoder"></java>',
    '<value><ex:serializable>AAAA</ex:serializable></value>',
  ],
  lookalikes: [
    '{"@context":"https://schema.org","@type":"Person","name":"Anna"}',
    '["www.example.com", "mail.example.com"]',
    '{"type":"com.example.event","class":"a.b"}',
    'Wow!! java is great',
    "when '!ruby/object:BigDecimal'\n  require 'bigdecimal'",
    '{"@type": "BreadcrumbList"}',
    "{ $type: 'app.bsky.feed.post', text: 'hi' }",
    "@type: 'com.example.Cart' in the docs",
    '<add key="a" type="System.Configuration.NameValueSectionHandler"/>',
    '<object class="icon" data="a.svg"></object>',
    '["file.name.Txt"]',
    '{"json_class":""}',
    '{"__js_function":""}',
    '<project><properties><java.version>21</java.version></properties></project>',
    'Lua is a language; Luanda is a city',
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
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.strong,
  message: 'names a class that the parser of the body would create',
  trigger: { literals: [['.', '::']] },
  examples: [
    { body: { x: { '@type': 'java.net.Inet4Address', val: 'a.test' } } },
    { body: { d: { '@class': 'org.apache.xbean.propertyeditor.JndiConverter' } } },
    { body: { 'body.@type': 'com.sun.rowset.JdbcRowSetImpl' } },
    { body: { class: 'com.sun.rowset.JdbcRowSetImpl', autoCommit: true } },
    { body: { o: { $type: 'System.Windows.Data.ObjectDataProvider, PresentationFramework' } } },
  ],
  lookalikes: [
    { body: { '@type': 'Person', '@context': 'https://schema.org' } },
    { body: { type: 'com.example.Event' } },
    { body: { class: 'java.lang.NullPointerException', q: 'java.lang.Runtime' } },
    { body: { $type: 'app.bsky.feed.post', text: 'hello' } },
    { body: { '@type': 'https://schema.org/Article' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where === 'name' || subject.text.length > 400) return undefined;
    // Few members are called so; the first characters rule out most texts.
    if (!classMember.test(subject.member)) return undefined;
    const isTyped = className.test(subject.text) && classMembers.test(subject.member);
    const isGadget = gadget.test(subject.text) && plainMembers.test(subject.member);
    return isTyped || isGadget ? { start: 0, end: subject.text.length } : undefined;
  },
};
