import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import type { Match, ValueRule } from '../rule.ts';
import { isSpokenOf } from './operator.ts';

/** A call of the MongoDB shell that stands as a statement: `db.users.find(…)`. */
export const shellCall: ValueRule = {
  id: 'nosqli.shell-call',
  score: confidence.likely,
  message: 'calls a method of the database shell',
  trigger: { literals: [['db.', 'object.keys(this)', 'g.v(', 'redis.call(', "').", '").']] },
  examples: [
    ...['db.accounts.find({}).toArray()', '1; db.users.insert({admin:true})'],
    ...["');db.logs.drop();//", 'db.dropDatabase()'],
    ...["Object.keys(this)[0].match('^.{0}a.*')", 'g.V().drop()', "').drop().V('"],
    "ann').fold().unfold().inject('",
    `eval "return redis.call('keys','*')" 0`,
  ],
  lookalikes: [
    'You can list them with db.people.find() in the shell if you want to see all.',
    ...['see https://www.db.example/find(1)', 'thumbs.db.old', 'db.sqlite (a file)'],
    ...["$('#a').drop().fold()", "ann').show().hide('"],
    'g.V().has("name", "anna") finds her in Gremlin',
    'In Lua scripts use redis.call("get", KEYS[1]) for it.',
    'for (const key of Object.keys(this)) print(key);',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    if (isSpokenOf(text)) return undefined;
    return foundBy(otherStores.exec(text) ?? traversal.exec(text) ?? shellMethod.exec(text));
  },
};

/** A method of the MongoDB shell, at the start of the text or behind what ends what came before. */
const shellMethod =
  /(?<=(?:^|[;{}(&|=]) {0,3})db\.(?:\w{1,64}\.){0,3}(?:find|findone|findandmodify|insert|insertone|insertmany|update|updateone|updatemany|remove|deleteone|deletemany|drop|aggregate|mapreduce|count|distinct|createindex|renamecollection|bulkwrite|replaceone|createuser|dropuser|dropdatabase|getcollectionnames|runcommand|eval)\(/i;

/** A condition that reads names of fields, a Gremlin traversal that drops, a Redis script. */
const otherStores =
  /^\s{0,8}(?:Object\.keys\(this\)\[\d{1,3}\]|g\.[VE]\([^()]{0,40}\)\.drop\(\)|eval {1,3}["'](?:return {1,3})?redis\.call\()/i;

/** Gremlin: out of a text and its call, and a step of a traversal. */
const traversal =
  /^[^()'"]{0,60}['"]\)(?:\.\w{1,20}\([^()]{0,40}\)){0,3}\.(?:[VE]|drop|valueMap|elementMap|inject|unfold|hasLabel|(?:in|out|both)[VE])\(/;

/** A loop that waits on the clock: how a script without `sleep` delays its answer. */
export const busyLoop: ValueRule = {
  id: 'nosqli.busy-loop',
  score: confidence.strong,
  message: 'keeps the database busy by a loop on the clock',
  trigger: { literals: [['while'], ['date']] },
  examples: [
    '0;var d=new Date();do{c=new Date();}while(c-d<4000);',
    ...["';s=Date.now();while(Date.now()-s<9000){};x='", 'while((new Date())-t<5000){}'],
    '0;var\td=new\tDate();do{c=new\nDate();}while\t(c-d<4000);',
  ],
  lookalikes: [
    'Wait a while: the new Date is in May.',
    'const d = new Date(); while (queue.length > 0) { run(queue.pop()); }',
    'while (end - start < 10) date()',
    'new Date() - start gives the time that passed, for a while',
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    return clock.test(text) ? foundBy(clockLoop.exec(text)) : undefined;
  },
};

const clock = /new\s{1,4}Date|Date\.now/;
const clockLoop =
  /while\s?\(\s?\(?(?:\w{1,20}|\(?new\sDate\(?\)?\)?|Date\.now\(\))\s?-\s?(?:\w{1,20}|\(?new\sDate\(?\)?\)?)\s?<=?\s?\d/;

/**
 * A whole value that is a map function: what a view or a map-reduce job of the database would run.
 */
export const mapReduce: ValueRule = {
  id: 'nosqli.map-reduce',
  score: confidence.strong,
  message: 'is a map function that the database would run over every document',
  trigger: { literals: [['function', '=>'], ['emit(']] },
  examples: [
    ...['function(){emit(this.a,this.b)}', 'function (doc) { emit(doc._id, doc.pin); }'],
    ...['mapReduce(function(){emit(1,this)},1)', 'function m(d){if(d.x)emit(d.x,1)}'],
  ],
  lookalikes: [
    'The map function calls emit(key, value) for each document.',
    ...['button.on("click", function () { this.emit("done"); })', 'socket.emit(event)'],
  ],
  judge(subject): Match | undefined {
    if (!mapFunction.test(subject.text.slice(0, 200))) return undefined;
    const emit = subject.text.indexOf('emit(');
    return { start: 0, end: emit + 5 };
  },
};

const mapFunction =
  /^\s{0,8}(?:(?:\w{1,20}\.){0,3}mapReduce\(\s{0,4})?function\s{0,4}\w{0,20}\s{0,4}\([\w, ]{0,20}\)\s{0,4}\{[\s\S]{0,80}\bemit\(/;

/** A script of Elasticsearch or OpenSearch (Painless) that reads or writes documents. */
export const storeScript: ValueRule = {
  id: 'nosqli.store-script',
  score: confidence.likely,
  message: 'is a script with which a search engine would read or change documents',
  trigger: {
    isOfValues: true,
    literals: [['ctx._source', 'params._source', "params['_so", 'params["_so', "doc['", 'doc["']],
  },
  examples: [
    { body: { query: { script: { script: { source: "doc['x'].value > 1" } } } } },
    { body: { script: { inline: "ctx._source.role = 'root'", lang: 'painless' } } },
    { body: { script_fields: { a: { script: "params['_source']['pin']" } } } },
    { body: { aggs: { a: { scripted_metric: { map_script: "state.a.add(doc['pin'].value)" } } } } },
    '{"script":{"source":"ctx._source.credit += 900"}}',
  ],
  lookalikes: [
    { body: { text: 'I update with ctx._source.count += 1, but it fails.' } },
    { body: { script: "render(doc['title'])", source: 'doc["title"] is a field' } },
    '{"update":{"_id":"1"}}\n{"script":{"source":"ctx._source.visits += 1"}}',
    'In Elasticsearch send {"script":"ctx._source.count += 1"} to the index.',
  ],
  judge({ text, member }): Match | undefined {
    const found = painless.exec(text);
    if (found === null) return undefined;
    const isScript =
      scriptMember.test(member.slice(-40)) ||
      (document.test(text.slice(0, 8)) &&
        !text.slice(0, found.index).includes('}\n{') &&
        written.test(text.slice(Math.max(0, found.index - writtenMax), found.index)));
    return isScript ? foundBy(found) : undefined;
  },
};

const scriptMember = /(?:^|[._])(?:script|source|inline)$/;
/** One document; lines of them are what a client of the engine sends. */
const document = /^\s{0,7}[{[]/;
/** Documents as fields and as they are stored, and the document of an update. */
const painless =
  /\b(?:ctx\._source[.[]|params(?:\._source\b|\[['"]_source['"]\])|doc\[['"][\w.@-]{1,60}['"]\]\.(?:value|values|size|empty|length)\b)/;
/** A member of a document that holds a script, up to what the script says. */
const written = /"(?:\w{1,20}_)?(?:script|source|inline)"\s{0,4}:\s{0,4}"[^"]{0,200}$/;
const writtenMax = 260;
