import { confidence } from '../../placement/confidence.ts';
import { isAlnum, isWord } from '../../text/char-class.ts';
import { wordSet } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** Methods of a MongoDB shell collection. */
const methods: ReadonlySet<string> = wordSet(
  'find findone findandmodify insert insertone insertmany update updateone updatemany remove',
  'deleteone deletemany drop aggregate mapreduce count distinct createindex renamecollection',
  'bulkwrite replaceone createuser dropuser dropdatabase getcollectionnames runcommand eval',
);

/** A call of the MongoDB shell that stands as a statement: `db.users.find(…)`. */
export const shellCall: ValueRule = {
  id: 'nosqli.shell-call',
  cwe: 'CWE-943',
  severity: 'high',
  score: confidence.likely,
  message: 'calls a method of the database shell',
  trigger: { literals: [['db.', 'object.keys(this)', 'g.v(', 'redis.call(', "').", '").']] },
  examples: [
    'db.accounts.find({}).toArray()',
    '1; db.users.insert({admin:true})',
    "');db.logs.drop();//",
    'db.dropDatabase()',
    "Object.keys(this)[0].match('^.{0}a.*')",
    'g.V().drop()',
    "').drop().V('",
    "ann').fold().unfold().inject('",
    `eval "return redis.call('keys','*')" 0`,
  ],
  lookalikes: [
    'You can list them with db.people.find() in the shell if you want to see all.',
    'see https://www.db.example/find(1)',
    'thumbs.db.old',
    'db.sqlite (a file)',
    "$('#a').drop().fold()",
    "ann').show().hide('",
    'g.V().has("name", "anna") finds her in Gremlin',
    'In Lua scripts use redis.call("get", KEYS[1]) for it.',
    'for (const key of Object.keys(this)) print(key);',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const other = otherStores.exec(text) ?? traversal.exec(text);
    if (other !== null) return { start: 0, end: other[0].length };
    for (let at = text.indexOf('db.'); at >= 0; at = text.indexOf('db.', at + 1)) {
      if (!startsStatement(text, at)) continue;
      const end = callEnd(text, at + 3);
      if (end > 0) return { start: at, end };
    }
    return undefined;
  },
};

/** A condition that reads names of fields, a Gremlin traversal that drops, a Redis script. */
const otherStores =
  /^\s{0,8}(?:Object\.keys\(this\)\[\d{1,3}\]|g\.[VE]\([^()]{0,40}\)\.drop\(\)|eval {1,3}["'](?:return {1,3})?redis\.call\()/i;

/** Gremlin: out of a text and its call, and a step of a traversal. */
const traversal =
  /^[^()'"]{0,60}['"]\)(?:\.\w{1,20}\([^()]{0,40}\)){0,3}\.(?:[VE]|drop|valueMap|elementMap|inject|unfold|hasLabel|(?:in|out|both)[VE])\(/;

/** At the start of the text, or behind `;` or another end of what came before. */
function startsStatement(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && at - before < 4 && text[before] === ' ') before--;
  return before < 0 || ';{}(&|='.includes(text[before] as string);
}

/** Offset after the `(` of a known method within four names of a chain, else -1. */
function callEnd(text: string, start: number): number {
  let at = start;
  for (let names = 0; names < 4; names++) {
    const nameStart = at;
    while (at < text.length && at - nameStart < 64 && isWord(text.charCodeAt(at))) at++;
    if (at === nameStart) return -1;
    const next = text[at];
    if (next === '(') return methods.has(text.slice(nameStart, at).toLowerCase()) ? at + 1 : -1;
    if (next !== '.' || !isAlnum(text.charCodeAt(at + 1))) return -1;
    at++;
  }
  return -1;
}
