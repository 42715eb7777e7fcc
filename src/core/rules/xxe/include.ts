import { pathGrammar, plainPath } from '../../grammars/path/path.ts';
import { hostKindOf } from '../../grammars/url/host.ts';
import { prefixesOf } from '../../grammars/xml/namespace.ts';
import { referenceKindOf } from '../../grammars/xml/reference.ts';
import { type XmlElement, xmlGrammar } from '../../grammars/xml/xml.ts';
import { sensitivity, sensitivityOf } from '../../knowledge/sensitive-path.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `<xi:include href="file:///etc/passwd"/>`: an inclusion that needs no document type. */
export const include: ValueRule = {
  id: 'xxe.include',
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
    ...['<xsl:import href="common.xsl"/>', '<xop:Include href="cid:photo@example.org"/>'],
    '<stylesheet xmlns="http://www.w3.org/1999/XSL/Transform"><import href="common.xsl"/></stylesheet>',
    ...['<c:import url="footer.html"/>', '<ui:include src="menu.xhtml"/>'],
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

/** `xsi:schemaLocation="urn:x http://203.0.113.5/"`: a validating parser fetches what is named. */
export const schemaLocation: ValueRule = {
  id: 'xxe.schema-location',
  severity: 'high',
  score: confidence.strong,
  message: 'has a validating XML parser fetch its schema from a file or an address of the client',
  trigger: { literals: [['schemalocation'], ['xmlschema-instance']] },
  judge: (subject) => {
    const { text } = subject;
    const prefixes = prefixesOf(text, instanceNamespace);
    let count = 0;
    for (const match of text.matchAll(attribute)) {
      if (++count > attributesMax) break;
      const [whole, prefix = '', isSingle, value = ''] = match;
      if (!prefixes.has(prefix.toLowerCase())) continue;
      const uris = value.trim().split(blanks);
      // Pairs of a namespace and a place, or one place.
      const places = isSingle === undefined ? uris.filter((_, index) => index % 2 === 1) : uris;
      const score = Math.max(0, ...places.map(schemaScore));
      if (score > 0) return { start: match.index, end: match.index + whole.length, score };
    }
    return undefined;
  },
  examples: [
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x http://203.0.113.5/a.xsd"/>',
    '<a xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:noNamespaceSchemaLocation="file:///etc/hostname"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation=\'http://x.oastify.com/\'/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x a.xsd urn:y ftp://ftp.example.com/a"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://0x7f.1:8080/a.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x http://192.168.1.7:8080/wfs?service=WFS"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="/dev/random"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x file://203.0.113.5/s/a.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x url:http://203.0.113.5/a.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x jar:http://203.0.113.5/a.jar!/a.xsd"/>',
  ],
  lookalikes: [
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.example.org/a http://www.example.org/a.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="order.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="file:///C:/schemas/order.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://localhost:8080/order.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://203.0.113.5/a a.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://tempuri.org/ http://localhost:8080/service?xsd=1"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x http://192.168.1.7:8080/wfs?service=WFS&amp;request=DescribeFeatureType&amp;typeName=a:b"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="/schemas/a"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="../../../../schemas/a.dtd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a jar:file:/C:/lib/a.jar!/a.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a file:///C:/a%20b/c.xsd"/>',
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a file://fileserver/schemas/c.xsd"/>',
    '<a xmlns:i="urn:x" i:schemaLocation="urn:x http://203.0.113.5/a.xsd"/> is no XMLSchema-instance',
  ],
};

/** XML Schema 1.1, part 1, 4.3.2. */
const instanceNamespace = /^http:\/\/www\.w3\.org\/2001\/XMLSchema-instance$/;
const attribute =
  /([a-z_][\w.-]{0,40}):(noNamespace)?schemaLocation\s{0,8}=\s{0,8}["']([^"'<>]{1,2000})/gi;
const attributesMax = 256;
const blanks = /\s{1,16}/;

/** Publishers have names, and editors leave the path of the schema on their author's disk. */
function schemaScore(place: string): number {
  const kind = referenceKindOf(place);
  if (kind !== 'local' && kind !== 'network') return 0;
  const isSchema = schemaFile.test(place);
  const host = hostName.exec(place)?.[1] ?? '';
  if (host === '') return isSchema || !isWorthReading(place) ? confidence.trace : confidence.strong;
  const isShare = kind === 'local';
  switch (hostKindOf(host)) {
    case 'public':
      // No schema is published on a share, where Windows signs in; editors leave that of the own machine.
      if (isShare && (host.includes('.') || !isSchema)) return confidence.strong;
      return address.test(host) ? confidence.likely : 0;
    case 'loopback':
    case 'private':
    case 'internal':
      return isSchema || schemaQuery.test(place) ? confidence.trace : confidence.likely;
    default:
      return confidence.strong;
  }
}

/** Of a file the parser says no more than where it is no schema: a device hangs, a secret is shown. */
function isWorthReading(place: string): boolean {
  if (!localFile.test(place)) return true;
  const { words } = pathGrammar.read(place);
  return words.some((word) => {
    const plain = plainPath(place, word, word.start);
    return device.test(plain) || sensitivityOf(plain) >= sensitivity.system;
  });
}

const localFile = /^(?:(?:jar:)?file:|[/.\\]|[a-z]:[\\/])/i;
const device = /^\/?(?:dev|proc|sys)\//;
const schemaFile = /^(?:jar:file:|(?!ftp|jar|php|gopher|netdoc|dict)).{1,400}\.xsd$/i;
/** What services of SOAP and of maps write into their answers (OGC 04-094, 8). */
const schemaQuery = /^https?:[^?]{1,400}\?(?:xsd(?:=|$)|.{0,300}\brequest=DescribeFeatureType\b)/i;
/** Behind two slashes; in the URL of a file also behind four, and no drive. */
const hostName =
  /^(?:url:)?(?:(?:https?:)?[\\/]{2}|(?:jar:)?file:(?:[\\/]{2}|[\\/]{4,8})(?![\\/]|[a-z][:|]))(?:[^/\\?#@]{0,80}@)?(\[[^\]]{1,60}\]|[^/\\?#:]{1,120})/i;
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.{1,60}\])$/;
