import { confidence } from '../../placement/confidence.ts';
import type { Match, ValueRule } from '../rule.ts';

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
