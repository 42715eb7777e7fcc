import type { Field } from '../../extract/field.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { closingQuotes } from '../../text/closing-quote.ts';
import { clue, mayHold } from '../../text/clue.ts';
import { characterSet } from '../../text/runs.ts';
import { wordList } from '../../text/words.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

/**
 * What closes a string, a map or a call of a query, and a clause of Cypher (openCypher 9) with the
 * token that must follow it.
 */
const cypherClause =
  /([\s})\]]{1,8})(?:<?-(?:\[[^\]]{0,40}\])?->?\([^)]{0,40}\)\s{0,4}){0,2}(?:WITH\s{1,4}[\w*'"]{1,30}\s{1,4}AS\s|MATCH\s{0,4}\(|OPTIONAL\s{1,4}MATCH\s{0,4}\(|RETURN\s{1,4}[\w.*'"(]{1,40}(?=\s|\/\/)|UNION\s{1,4}(?:ALL\s{1,4})?MATCH\s{0,4}\(|CALL\s{1,4}\w{1,30}\.|LOAD\s{1,4}CSV\s|UNWIND\s|DETACH\s{1,4}DELETE\s|MERGE\s{0,4}\(|FOREACH\s{0,4}\(|SET\s{1,4}\w{1,20}[.:]\w{1,40}|REMOVE\s{1,4}\w{1,20}[.:]\w|CREATE\s{0,4}\(\w{0,20}:|FOR\s{1,4}\w{1,20}\s{1,4}IN\s{1,4}\w{1,40}\s|FILTER\s{1,4}\S|LET\s{1,4}\w{1,20}\s{0,4}=|REMOVE\s{1,4}\w{1,20}\s{1,4}IN\s|(?:INSERT|UPSERT)\s{0,4}\{|X?OR\s{1,4}(?:NOT\s{1,4}false|true)\b)/iy;
/** What makes a second piece of evidence, so that a quoted word in prose is none. */
const secondEvidence =
  /\b(?:MATCH\s{0,4}\(|RETURN\s{1,4}\S|DETACH\s{1,4}DELETE|YIELD\s|LOAD\s{1,4}CSV|UNION\s|FROM\s{1,4}['"])|\/\/\s{0,4}$/i;
/** A query returns once: only what follows UNION does so again. */
const behindReturn =
  /\b(?:MATCH\s{0,4}\(|DETACH\s{1,4}DELETE|YIELD\s|LOAD\s{1,4}CSV|UNION\s|FROM\s{1,4}['"])|\/\/\s{0,4}$/i;
/** Cassandra: the clause that only CQL has. */
const allowFiltering = /\bALLOW\s{1,4}FILTERING\s{0,4}(?:;|--|\/\*|$)/i;
/** Flux: a pipe behind a closed string and call. */
const fluxPipe = /\s{0,4}\)?\s{0,4}\|>\s{0,4}\w{1,30}\(/y;

/** A closed string and a clause of a graph, wide-column or time-series query language. */
export const graphQuery: ValueRule = {
  id: 'nosqli.query-clause',
  score: confidence.strong,
  message: 'closes a string of a Cypher, CQL or Flux query and adds a clause of its own',
  trigger: {
    literals: [
      ["'", '"', '`'],
      ['match', 'return', 'detach', 'yield', 'csv', 'union', '//', 'filtering', '|>'],
    ],
  },
  examples: [
    "a'}) WITH 1 AS x MATCH (n) DETACH DELETE n //",
    "' RETURN 1 UNION MATCH (u) RETURN u.pin //",
    ...["' CALL db.labels() YIELD label RETURN label //", "x' ALLOW FILTERING; --"],
    ...['") |> yield() //', 'x") |> filter(fn: (r) => r.a == "b") |> yield()'],
    ...["x'}) SET n.role='root' //", '" FOR u IN people RETURN u //', "a' SET n:Root //"],
    ...["' RETURN n//", "' UNION MATCH (u) RETURN u.pin//"],
    "' LOAD CSV FROM 'http://a.test/' AS l RETURN l //",
    ...["'})-[:OWNS]->(m) DETACH DELETE m //", 'a`) DETACH DELETE n //'],
    ...["' FILTER 1==1 RETURN u //", '" LET a = (FOR u IN people RETURN u) RETURN a //'],
    ...["' REMOVE u IN people //", "x' OR true //"],
    ...["'\tCALL\tdb.labels()\tYIELD\tlabel\tRETURN\tlabel\t//", "'\nSET n:Root //"],
    "x' OR NOT false //",
  ],
  lookalikes: [
    "Don't return 1 or 2 items with the 'match' label",
    ...['"return policy" with receipt, call us', "the teams' match (friendly) was a draw"],
    ...["the teams' return n/a", "the workers' union match (friendly) was a draw"],
    ...['Run `a` RETURN b //', "the boys' remove in summer //"],
    "see 'a' or not at https://example.com/set",
    "She says 'let it be' // the Beatles, 'or true' // hers",
    ...['He said "call me" and left with Anna', "It's a match (of sorts)"],
    ...["the dogs' set n.b. is sold out // closed", '"Wanted" for two in town return Friday'],
    '    """\n    Return the process.\n    return _parent',
    'from(bucket: "tea") |> range(start: -1h) |> filter(fn: (r) => r.a == "b") |> mean()',
    "raise TypeError(f'{name} is none')\n    return name\n\ndef b():\n    return 1",
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const whole = mayHold(text, clue.filtering) ? allowFiltering.exec(text) : null;
    if (whole !== null) return foundBy(whole);
    const tick = text.indexOf('`');
    const isPiped = text.includes('|>');
    const isClosed = tick >= 0 && text.indexOf('`', tick + 1) < 0;
    const closed = isClosed ? clauseEnd(text, tick + 1, isPiped) : -1;
    if (closed > 0) return { start: tick, end: closed };
    for (const at of subject.tokens(closingQuotes)) {
      const end = isThird(text, at) ? -1 : clauseEnd(text, at + 1, isPiped);
      if (end > 0) return { start: at, end };
    }
    return undefined;
  },
};

/** The end of a docstring: to these languages, two literals side by side. */
function isThird(text: string, at: number): boolean {
  const quote = text.charCodeAt(at);
  return text.charCodeAt(at - 1) === quote && text.charCodeAt(at - 2) === quote;
}

const clauseChars = 240;
const letterR = 114;
const letterU = 117;
const removes = /^\W*REMOVE/i;
const gapMax = 8;

/** By what `cypherClause` begins with: most closed quotations end here. */
function mayBeginClause(text: string, start: number): boolean {
  const end = Math.min(text.length, start + gapMax + 1);
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) return true;
    if (endsString[code] === 0) return at > start && clauseInitials[code] === 1;
  }
  return false;
}

/** White space of ASCII, and brackets. */
const endsString = characterSet(' \t\n\v\f\r})]');
const clauseInitials = characterSet('wmorcludfsixWMORCLUDFSIX-<');

function clauseEnd(text: string, start: number, isPiped: boolean): number {
  fluxPipe.lastIndex = start;
  if (isPiped && fluxPipe.test(text)) return fluxPipe.lastIndex;
  if (!mayBeginClause(text, start)) return -1;
  cypherClause.lastIndex = start;
  const clause = cypherClause.exec(text);
  if (clause === null) return -1;
  const gap = clause[1]?.length ?? 0;
  const initial = text.charCodeAt(start + gap) | 32;
  // The clause behind UNION is no second one.
  const isUnion = initial === letterU && clause[0].endsWith('(');
  const from = start + (isUnion ? clause[0].length : gap + 4);
  const rest = text.slice(from, start + clauseChars);
  const isReturn = initial === letterR && !removes.test(clause[0]);
  return (isReturn ? behindReturn : secondEvidence).test(rest) ? start + clause[0].length : -1;
}

/** Solr's local parameters with the name of a query parser. */
const localParameters =
  /\{!(?:(?:join|xmlparser|func|frange|lucene|e?dismax|term|terms|child|parent|graph|collapse|boost|raw|field|prefix|surround|mlt|hash_range)\b|\s{0,4}(?:type|v|df|q\.op)\s?=)/;
/**
 * A closing parenthesis that nothing opened, an operator, and another condition (Lucene query
 * syntax).
 */
const closedCondition =
  /^[^(]{0,200}(?:[*"']\)\s{1,4}(?:OR|AND|NOT)\s{1,4}\(?|\)\s{1,4}(?:OR|AND|NOT)\s{1,4}\()\w{1,40}:/;
/** Reserved resources of CouchDB below a path that climbs or is absolute. */
const couchResource =
  /^(?:(?:\.\.\/|\/){1,4}(?:\w{1,20}\/)?_(?:all_docs|users|all_dbs|config|node|session|replicate)\b|_(?:all_docs|all_dbs)$|_node\/_local\b|_design\/\w{1,40}\/_(?:view|show|list|update|rewrite)\b)/;

/** Query syntax of a search engine or document store in a value. */
export const searchQuery: ValueRule = {
  id: 'nosqli.search-query',
  score: confidence.strong,
  message: 'leaves its condition of a search query, or chooses another parser or resource',
  trigger: {
    literals: [
      [
        '{!',
        ...[') or', ') and', ') not', ')  ', ')\t', ')\n', ')\r', ') \t', ') \n'],
        ...wordList('_all_d _design/ _users _config _node _session _replicate'),
      ],
    ],
  },
  examples: [
    ...['*:* _query_:"{!join from=a to=b fromIndex=c}*:*"', '*) OR (_exists_:pin'],
    ...['"x") AND secret:[* TO *]', '*)\tOR\n(_exists_:pin'],
    ...['../_users/_all_docs?include_docs=true', '_all_docs', '_node/_local/_config'],
    ...['_design/people/_view/pins', '{! df=pin}a*', '{!v=$q2}'],
  ],
  lookalikes: [
    ...['(red OR blue) AND size:L', 'a) or b) see note: both'],
    ...['status:(open OR closed) AND (title:x)', 'red) OR title:blue'],
    ...['a)\tor\nb) see (note: both', '/my_users/list', '_design/logo.svg', '{!v.name}'],
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const local = text.includes('{!') ? localParameters.exec(text) : null;
    const closed = closesFirst(text) ? closedCondition.exec(text) : null;
    return foundBy(local ?? couchResource.exec(text) ?? closed);
  },
};

/** The first parenthesis of a text is a closing one: what the pattern finds out by going back. */
function closesFirst(text: string): boolean {
  const close = text.indexOf(')');
  return close >= 0 && text.lastIndexOf('(', close) < 0;
}

/** Members that hand a query of the store itself, with conditions or script, to the server. */
export const rawQuery: RequestRule = {
  id: 'nosqli.raw-query',
  score: confidence.likely,
  message: 'sends conditions or a script of a document store as fields',
  examples: [
    { body: { F: { pin: { ComparisonOperator: 'GT', AttributeValueList: [{ S: ' ' }] } } } },
    { body: { F: { pin: { AttributeValueList: [{ S: '*' }], ComparisonOperator: 'GT' } } } },
    { body: { query: { script: { script: { source: 'for (;;) {}' } } } } },
    { body: { update: { $max: { credit: 900 } } } },
    { body: { code: { $type: 2 } } },
    { body: { name: 'x', $set: { isRoot: '1' } } },
  ],
  lookalikes: [
    { body: { script: { source: 'main.js' } } },
    { body: { item: { $type: 'Shop.Models.Item, Shop' } } },
    { body: { comparison: 'GT' } },
    { body: { $token: 'a', $distinct_id: '7', $set: { plan: 'free', city: 'Bonn' } } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    /** What each member compares by, made where one does. */
    let comparisons: Map<unknown, string> | undefined;
    for (let field = 0; field < request.fields.length; field++) {
      const one = request.fields[field];
      if (one === undefined) continue;
      if (one.where === 'name') {
        let isList = false;
        if (comparedBy.includes(one.text)) {
          comparisons ??= new Map();
          const other = comparisons.get(one.node.parent) ?? one.text;
          isList = other !== one.text;
          comparisons.set(one.node.parent, other);
        }
        if (isList || isGrant(one) || isTypeOfNumber(one, request.fields[field + 1])) {
          return { field, start: 0, end: one.text.length };
        }
      } else if (one.node.key === 'source' && one.node.parent?.key === 'script') {
        const script = foundBy(storeScript.exec(one.text));
        if (script !== undefined) return { field, ...script };
      }
    }
    return undefined;
  },
};

/** An update of a document that raises what a user may do. */
function isGrant({ text, node }: Field): boolean {
  const update = node.parent?.key;
  return update === '$max' || update === '$min' || (update === '$set' && privilege.test(text));
}

/** `{"$type":2}`: a value that is text would follow as a field of its own. */
function isTypeOfNumber({ text, node }: Field, next: Field | undefined): boolean {
  return text === '$type' && node.parent !== undefined && next?.node !== node;
}

/** DynamoDB: an operator, and beside it what it compares with. */
const comparedBy: readonly string[] = ['ComparisonOperator', 'AttributeValueList'];

/** Fields that an update must not bring along. */
const privilege =
  /^(?:is_?)?(?:admin|root|superuser|staff)$|^(?:role|roles|permissions|password|balance|credits)$/i;

/** What a script of a search engine may not do. */
const storeScript = /\bjava\.lang\.|\b(?:while|for) ?\(/;

/**
 * Commands of Redis (RESP and inline) and of memcached (protocol.txt) that begin a line of their
 * own.
 */
const redisCommand =
  /\n(?:CONFIG\s{1,3}(?:SET|GET|REWRITE)\s|config\s{1,3}set\s{1,3}(?:dir|dbfilename)\s|FLUSH(?:ALL|DB)\b|flush(?:all|db)\s{0,4}\r?\n|(?:SLAVE|REPLICA)OF\s{1,3}\S|slaveof\s{1,3}\S{1,80}\s{1,3}\d|EVAL\s{1,3}["']|MODULE\s{1,3}LOAD\s|SCRIPT\s{1,3}(?:LOAD\s{1,3}["']|FLUSH\b)|MIGRATE\s{1,3}\S{1,80}\s\d|DEBUG\s{1,3}(?:SEGFAULT|SLEEP\s{1,3}\d)|ACL\s{1,3}SETUSER\s|CLIENT\s{1,3}KILL\s|FUNCTION\s{1,3}LOAD\s|flush_all\s{0,4}(?:\r?\n|$)|stats\s{1,3}(?:cachedump|slabs|items)\s{0,4}[\d\r])/;
/** Commands of Redis that are no words of English. */
const ownCommands: readonly string[] = wordList(
  'HSET HMSET HDEL HINCRBY LPUSH RPUSH LSET SADD SREM SMEMBERS ZADD ZREM ZRANGE XADD SETEX PSETEX',
  'SETNX GETSET MSET INCRBY DECRBY UNLINK RENAMENX PEXPIRE EVALSHA',
);
const respFrame = /\*\d{1,4}\r?\n\$\d{1,4}\r?\n\w/;
const memcachedStorage =
  /\n(?:set|add|replace|append|prepend|cas) {1,3}\S{1,250} \d{1,10} -?\d{1,10} \d{1,10}(?: noreply)?\r?\n/i;
/** How the lines of those begin that these patterns find. */
const lineStarts: readonly string[] = [
  ...['\nconfig', '\nflush', '\nslaveof', '\nreplicaof', '\neval', '\nmodule', '\nscript'],
  ...['\nmigrate', '\ndebug', '\n$', '\ndel ', '\nget ', '\nincr ', '\nkeys ', '\nhgetall '],
  ...['\nset ', '\nadd ', '\nreplace ', '\nappend ', '\nprepend ', '\ncas '],
  ...['\nacl', '\nclient', '\nfunction', '\nstats', '\nlrange '],
  ...ownCommands.map((name) => `\n${name} `),
];
/** One word, and a command of Redis with words for arguments up to the end of the value. */
const inlineCommand =
  /^[\w:.-]{1,60}\r\n(?:SET [\w:.-]{1,80} \S{1,80}|(?:DEL|GET|INCR|KEYS|LRANGE|HGETALL) [\w:.*-]{1,80})\r\n\s{0,4}$/;
const ownCommand = /^[\w:.-]{1,60}\r\n([A-Z]{3,9})(?: \S{1,80}){1,8}\r\n\s{0,4}$/;
/** The rest of a storage command, its data, and another command of memcached. */
const memcachedChain =
  /^\s{0,8}\S{1,250} {1,3}\d{1,10} {1,3}\d{1,10} {1,3}\d{1,10}\r\n\S{0,80}\r\n(?:get|gets|delete|set|flush_all)\b/i;
const commands: readonly RegExp[] = [
  redisCommand,
  respFrame,
  memcachedStorage,
  inlineCommand,
  memcachedChain,
];

/** A line break and a command of a key-value store, as values reach it through a line protocol. */
export const lineProtocol: ValueRule = {
  id: 'nosqli.line-protocol',
  cwe: 'CWE-93',
  score: confidence.strong,
  message: 'ends its line and adds a command of a key-value store',
  trigger: { literals: [lineStarts] },
  examples: [
    ...['a\r\nCONFIG SET dir /srv\r\n', 'k\nFLUSHALL\n', '*1\r\n$8\r\nFLUSHALL\r\n'],
    ...['k\r\nset admin 0 60 1\r\n1\r\n', 'x\nEVAL "return 1" 0\n'],
    ...['a\r\nSET session:1 root\r\n', 'a\r\nDEL session:1\r\n'],
    ...['a 0 0 1\r\nx\r\nget secret', 'a\r\nHSET user:1 role admin\r\n'],
    ...['a\r\nACL SETUSER ann on nopass ~* +@all\r\n', 'a\r\nDEBUG SLEEP 10\r\n'],
    ...['a\r\nstats cachedump 1 1\r\n', 'a\r\nflush_all\r\n'],
  ],
  lookalikes: [
    'To do:\nset the table\nadd 2 eggs',
    'Notes\nconfig settings are fine\nflush the pipes',
    ...['Steps:\n1. redis-cli> CONFIG SET maxmemory 1gb', 'replace 2 tyres\nappend the bill'],
    ...['Notes\r\nSET alarm clock\r\nGET milk\r\n', 'Monday\r\nget milk\r\n'],
    'Notes on Redis\r\nHSET user:1 name Anna sets a field\r\n',
    ...['SCRIPT\r\nSCRIPT LOAD failed', 'Client list\nclient killed the order\nstats: 5'],
    'Run\nconfig set registry https://a.test\neval "$(ssh-agent)"',
  ],
  judge(subject): Match | undefined {
    for (const command of commands) {
      const found = command.exec(subject.text);
      if (found !== null) return foundBy(found);
    }
    const own = ownCommand.exec(subject.text);
    return ownCommands.includes(own?.[1] ?? '') ? foundBy(own) : undefined;
  },
};
