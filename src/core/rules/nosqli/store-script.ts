import { confidence } from '../../placement/confidence.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A script of Elasticsearch or OpenSearch (Painless) that reads or writes documents. */
export const storeScript: ValueRule = {
  id: 'nosqli.store-script',
  cwe: 'CWE-943',
  severity: 'high',
  score: confidence.likely,
  message: 'is a script with which a search engine would read or change documents',
  trigger: {
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
  judge({ text, member, where }): Match | undefined {
    if (where === 'name') return undefined;
    const found = painless.exec(text);
    if (found === null) return undefined;
    const isScript =
      scriptMember.test(member.slice(-40)) ||
      (document.test(text.slice(0, 8)) &&
        !text.slice(0, found.index).includes('}\n{') &&
        written.test(text.slice(Math.max(0, found.index - writtenMax), found.index)));
    return isScript ? { start: found.index, end: found.index + found[0].length } : undefined;
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
