import { type XmlDeclaration, xmlGrammar } from '../../grammars/xml/xml.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/**
 * Entities made of entities ("billion laughs"), and entities in a document that has no need of any.
 */
export const entityExpansion: ValueRule = {
  id: 'xxe.entity-expansion',
  cwe: 'CWE-776',
  severity: 'high',
  score: confidence.certain,
  message: 'declares entities that the XML parser must expand, over and over where they nest',
  trigger: { literals: [['<!entity']] },
  judge: (subject) => {
    const reading = subject.tokens(xmlGrammar);
    let plain: XmlDeclaration | undefined;
    for (const one of reading.declarations) {
      if (one.kind !== 'entity' || one.external !== undefined) continue;
      const references = countReferences(one.literal);
      if (references >= 2) return { start: one.start, end: one.end, score: confidence.certain };
      if (!isHarmless(one.literal)) plain ??= one;
    }
    if (plain === undefined || !hasSubset(reading.declarations)) return undefined;
    return { start: plain.start, end: plain.end, score: confidence.likely };
  },
  examples: [
    '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]><r>&c;</r>',
    '<!DOCTYPE r [<!ENTITY who "me">]><r>&who;</r>',
    '<!ENTITY b "&a;&a;&a;&a;">',
  ],
  lookalikes: [
    '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;"/>',
    '<!DOCTYPE xsl:stylesheet [<!ENTITY nbsp "&#160;">]>',
    'write <!ENTITY author "Anna"> once and &author; everywhere',
  ],
};

function countReferences(literal: string): number {
  let count = 0;
  for (let at = literal.indexOf('&'); at >= 0; at = literal.indexOf('&', at + 1)) {
    if (literal.charCodeAt(at + 1) !== 35) count++;
  }
  return count;
}

/** Character references and namespace names, what style sheets and drawings declare. */
function isHarmless(literal: string): boolean {
  return literal === '' || harmless.test(literal);
}

const harmless = /^(?:&(?:amp;)?#\w{1,8};|https?:\/\/|urn:|.$)/;

function hasSubset(declarations: readonly XmlDeclaration[]): boolean {
  return declarations.some((one) => one.kind === 'doctype' && one.hasSubset);
}
