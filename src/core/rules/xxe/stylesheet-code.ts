import { prefixesOf } from '../../grammars/xml/namespace.ts';
import { type XmlElement, xmlGrammar } from '../../grammars/xml/xml.ts';
import { confidence } from '../../placement/confidence.ts';
import { wordList, wordSet } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** XSLT that calls functions of the language it runs in, or reads documents. */
export const stylesheetCode: ValueRule = {
  id: 'xxe.stylesheet-code',
  cwe: 'CWE-91',
  score: confidence.certain,
  message: 'is a style sheet that runs code, reads files or asks the processor what it is',
  trigger: {
    literals: [
      ['xsl:', 'www.w3.org/1999/xsl'],
      wordList(
        'php:function php.net/xsl msxsl:script java: java.lang system-property(',
        'unparsed-text xsl/transform/java doc saxon xalan exsl collection clitype user:',
        'redirect: lxslt',
      ),
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    const transform = prefixesOf(text, transformNamespace);
    const writers = prefixesOf(text, writerNamespace);
    const { elements } = subject.tokens(xmlGrammar);
    const variables = new Variables(text, elements);
    let weak = 0;
    for (const one of elements) {
      const tag = text.slice(one.start, one.end);
      if (scripts.has(`${one.prefix}:${one.name}`)) return { start: one.start, end: one.end };
      if (writers.has(one.prefix) && writerNames.has(one.name))
        return { start: one.start, end: one.end };
      if (one.prefix !== 'xsl' && !transform.has(one.prefix)) continue;
      if (one.name === 'result-document' && target.test(tag))
        return { start: one.start, end: one.end };
      if (code.test(tag) || readsDocument(text, one.start, tag, variables))
        return { start: one.start, end: one.end };
      if (processor.test(tag)) return { start: one.start, end: one.end, score: confidence.likely };
      if (weakCode.test(tag)) {
        weak++;
        if (weak === 2) return { start: one.start, end: one.end, score: confidence.strong };
      }
    }
    return undefined;
  },
  examples: [
    `<xsl:value-of select="php:function('system','id')"/>`,
    `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><xsl:copy-of select="document('file:///etc/hosts')"/></xsl:template></xsl:stylesheet>`,
    `<xsl:stylesheet xmlns:rt="http://xml.apache.org/xalan/java/java.lang.Runtime" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>`,
    `<xsl:x/><msxsl:script language="C#" implements-prefix="user">x</msxsl:script>`,
    `<a:x xmlns:a="http://www.w3.org/1999/XSL/Transform"><a:copy-of select="document('/etc/hosts')"/></a:x>`,
    `<x xmlns="http://www.w3.org/1999/XSL/Transform"><copy-of select="document('/etc/hosts')"/></x>`,
    `<xsl:copy-of select="document(concat('fi','le:', '///srv/a.xml'))"/>`,
    `<xsl:x><xsl:variable name="u" select="'file:///srv/a.xml'"/><xsl:copy-of select="document( $u )"/></xsl:x>`,
    `<xsl:x><xsl:attribute name="u"/><xsl:variable select="'file:///srv/a.xml'" name = "u"/><xsl:copy-of select="document($u)"/></xsl:x>`,
    `<x xmlns="http://www.w3.org/1999/XSL/Transform"><param name="u" select="'/srv/a.xml'"/><copy-of select="document($u)"/></x>`,
    `<xsl:x><xsl:param name="u">http://203.0.113.5/</xsl:param><xsl:for-each select="doc($u)"/></xsl:x>`,
    `<stylesheet xmlns="http://www.w3.org/1999/XSL/Transform"><result-document href="file:///srv/a">x</result-document></stylesheet>`,
    `<a:x xmlns:a="http://www.w3.org/1999/XSL/Transform"><a:result-document href="../a.php">x</a:result-document></a:x>`,
    `<xsl:x xmlns:w="http://exslt.org/common" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><w:document href="a.php"/></xsl:x>`,
    `<xsl:x xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:p="http://php.net/xsl"/>`,
    `<r xsl:version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:value-of select="system-property('xsl:vendor')"/></r>`,
    `<xsl:copy-of select="doc('/db/../etc/hosts')"/>`,
    `<xsl:x xml:base="http://203.0.113.5/"><xsl:copy-of select="doc('/db/hosts')"/></xsl:x>`,
    `<xsl:copy-of select="document(concat('/db/','../etc/hosts'))"/>`,
    `<xsl:value-of select="system-property('xsl:vendor')"/><xsl:value-of select="system-property('xsl:version')"/>`,
  ],
  lookalikes: [
    ...['<xsl:value-of select="title"/>', `<xsl:if test="system-property('xsl:version') &gt; 1">`],
    `<xsl:apply-templates select="document('labels.xml')/labels"/>`,
    `<xsl:x xmlns:exsl="http://exslt.org/common"><xsl:value-of select="exsl:node-set($rows)/row"/></xsl:x>`,
    `<xsl:x><xsl:param name="lang" select="'en'"/><xsl:value-of select="document(concat('labels-', $lang, '.xml'))"/></xsl:x>`,
    `<a:x xmlns:a="http://www.w3.org/1999/XSL/Transform"><a:value-of select="document('labels.xml')/labels"/></a:x>`,
    `<xsl:x xmlns:w="http://www.example.org/common"><w:document href="a.html"/></xsl:x>`,
    `<xsl:variable name="books" select="collection('/db/books')//book"/>`,
    `<x xmlns="http://www.example.org/pages"><result-document href="file:///srv/a">x</result-document><note>no http://www.w3.org/1999/XSL/Transform</note></x>`,
  ],
};

/** XSL Transformations 1.0, 2.1; Xalan's and EXSLT's elements that write a file. */
const transformNamespace = /^http:\/\/www\.w3\.org\/1999\/XSL\/Transform$/;
const writerNamespace = /^http:\/\/(?:exslt\.org\/common|xml\.apache\.org\/xalan\/redirect)$/;
const writerNames: ReadonlySet<string> = new Set(['document', 'write', 'open']);

const code =
  /php:function|php\.net\/xsl|java[:./]|java\.lang|xalan|saxon\.sf\.net|runtime|clitype:|urn:schemas-microsoft-com:xslt|xmlns:php=/i;
/** `result-document` writes what it makes to a place (XSLT 2.0, 19.1). */
const target = /\shref\s{0,8}=/i;
/** What the processor is, in the output. */
const processor =
  /value-of[^<>]{0,40}system-property\s{0,4}\(\s{0,4}["'][\w-]{1,20}:(?:vendor|vendor-url|product-name|product-version)["']/i;
const weakCode = /system-property\s?\(|document\s?\(\s?["'']{2}/i;
const scripts: ReadonlySet<string> = wordSet(
  'msxsl:script lxslt:script xalan:script redirect:write exsl:document',
);

/** `document(concat('file:', '///x'))`, `doc($place)`: a file of the machine, or another host. */
function readsDocument(text: string, start: number, tag: string, variables: Variables): boolean {
  for (const call of tag.matchAll(documentCall)) {
    const from = start + call.index + call[0].length;
    if (foreign.test(foldedText(text, from, variables)) && !isOfDatabase(text, from)) return true;
  }
  return false;
}

/** `collection('/db/books')`: eXist keeps its documents there, where no base leads elsewhere. */
function isOfDatabase(text: string, from: number): boolean {
  return databasePath.test(text.slice(from, from + databaseCharsMax)) && !text.includes('xml:base');
}

const databaseCharsMax = 160;
const databasePath =
  /^\s{0,4}(?:'\/db(?:\/\w[\w.-]{0,40}){0,6}\/?'|"\/db(?:\/\w[\w.-]{0,40}){0,6}\/?")\s{0,4}\)/;

const documentCall =
  /(?<![\w-])(?:document|unparsed-text(?:-lines|-available)?|(?:json-)?doc(?:-available)?|(?:uri-)?collection)\s{0,8}\(/gi;
const foreign = /^\s{0,8}(?:[a-z][\w.+-]{1,20}:|\/|\\\\|(?:\.\.\/){3})/i;

/** The string that an expression of literals and variables begins with (XPath 1.0, 4.2). */
function foldedText(text: string, from: number, variables: Variables): string {
  let folded = '';
  stringPart.lastIndex = from;
  for (let i = 0; i < partsMax; i++) {
    const part = stringPart.exec(text);
    if (part === null) break;
    folded += part[1] ?? part[2] ?? variables.valueOf(part[3] ?? '');
  }
  stringPart.lastIndex = 0;
  return folded;
}

const partsMax = 8;
const stringPart =
  /[\s,(]{0,8}(?:(?:fn:)?(?:concat|string|string-join|normalize-space|xs:anyURI|resolve-uri|iri-to-uri)\s{0,4}[\s(]{1,8})?(?:'([^'<>]{0,200})'|"([^"<>]{0,200})"|\$([\w.-]{1,40}))/iy;

/** `<xsl:variable name="x" select="'…'"/>`, `<xsl:param name="x">…</xsl:param>` */
class Variables {
  private readonly text: string;
  private readonly elements: readonly XmlElement[];
  private values: ReadonlyMap<string, string> | undefined;

  constructor(text: string, elements: readonly XmlElement[]) {
    this.text = text;
    this.elements = elements;
  }

  /** Empty where it is not a literal. */
  valueOf(name: string): string {
    this.values ??= readVariables(this.text, this.elements);
    return this.values.get(name) ?? '';
  }
}

/** Of several variables of one name, in as many templates, the one that leads elsewhere. */
function readVariables(text: string, elements: readonly XmlElement[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { name, start, end } of elements) {
    if (!variableElements.has(name)) continue;
    const tag = text.slice(start, end);
    const key = nameAttribute.exec(tag)?.[1];
    const value =
      selectLiteral.exec(tag)?.[1] ?? content.exec(text.slice(end - 2, end + valueCharsMax))?.[1];
    if (key === undefined || value === undefined) continue;
    if (!values.has(key) || foreign.test(value)) values.set(key, value);
  }
  return values;
}

const valueCharsMax = 202;
const variableElements: ReadonlySet<string> = new Set(['variable', 'param', 'with-param']);
const nameAttribute = /\sname\s{0,4}=\s{0,4}["']([\w.-]{1,40})["']/;
const selectLiteral = /\sselect\s{0,4}=\s{0,4}["']\s{0,4}["']([^"'<>]{1,200})["']/;
/** Behind a tag that is not closed by itself. */
const content = /^[^/]>([^<>]{1,200})</;
