import { referenceKindOf } from '../../grammars/xml/reference.ts';
import { type XmlDeclaration, xmlGrammar } from '../../grammars/xml/xml.ts';
import { confidence } from '../../placement/confidence.ts';
import { strongest } from '../../placement/evidence.ts';
import type { ValueRule } from '../rule.ts';

/** `<!DOCTYPE r SYSTEM "http://…">` */
export const externalDoctype: ValueRule = {
  id: 'xxe.external-doctype',
  cwe: 'CWE-611',
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
