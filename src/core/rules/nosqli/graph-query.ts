import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { closingQuotes } from '../../text/closing-quote.ts';
import { characterSet } from '../../text/runs.ts';
import type { Match, ValueRule } from '../rule.ts';

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
/** A lone literal is found several times faster. */
const filtering = /filtering/i;
const allowFiltering = /\bALLOW\s{1,4}FILTERING\s{0,4}(?:;|--|\/\*|$)/i;
/** Flux: a pipe behind a closed string and call. */
const fluxPipe = /\s{0,4}\)?\s{0,4}\|>\s{0,4}\w{1,30}\(/y;

/** A closed string and a clause of a graph, wide-column or time-series query language. */
export const graphQuery: ValueRule = {
  id: 'nosqli.query-clause',
  cwe: 'CWE-943',
  severity: 'high',
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
    "' CALL db.labels() YIELD label RETURN label //",
    "x' ALLOW FILTERING; --",
    '") |> yield() //',
    'x") |> filter(fn: (r) => r.a == "b") |> yield()',
    "x'}) SET n.role='root' //",
    '" FOR u IN people RETURN u //',
    "a' SET n:Root //",
    "' RETURN n//",
    "' UNION MATCH (u) RETURN u.pin//",
    "' LOAD CSV FROM 'http://a.test/' AS l RETURN l //",
    "'})-[:OWNS]->(m) DETACH DELETE m //",
    'a`) DETACH DELETE n //',
    "' FILTER 1==1 RETURN u //",
    '" LET a = (FOR u IN people RETURN u) RETURN a //',
    "' REMOVE u IN people //",
    "x' OR true //",
    "'\tCALL\tdb.labels()\tYIELD\tlabel\tRETURN\tlabel\t//",
    "'\nSET n:Root //",
    "x' OR NOT false //",
  ],
  lookalikes: [
    "Don't return 1 or 2 items with the 'match' label",
    '"return policy" with receipt, call us',
    "the teams' match (friendly) was a draw",
    "the teams' return n/a",
    "the workers' union match (friendly) was a draw",
    'Run `a` RETURN b //',
    "the boys' remove in summer //",
    "see 'a' or not at https://example.com/set",
    "She says 'let it be' // the Beatles, 'or true' // hers",
    'He said "call me" and left with Anna',
    "It's a match (of sorts)",
    "the dogs' set n.b. is sold out // closed",
    '"Wanted" for two in town return Friday',
    '    """\n    Return the process.\n    return _parent',
    'from(bucket: "tea") |> range(start: -1h) |> filter(fn: (r) => r.a == "b") |> mean()',
    "raise TypeError(f'{name} is none')\n    return name\n\ndef b():\n    return 1",
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const whole = filtering.test(text) ? allowFiltering.exec(text) : null;
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

/** By what `cypherClause` begins with: most closed quotations are told apart here. */
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
