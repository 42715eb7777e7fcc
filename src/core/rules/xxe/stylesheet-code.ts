import { xmlGrammar } from '../../grammars/xml/xml.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** XSLT that calls functions of the language it runs in, or reads documents. */
export const stylesheetCode: ValueRule = {
  id: 'xxe.stylesheet-code',
  category: 'xxe',
  cwe: 'CWE-91',
  severity: 'critical',
  score: confidence.certain,
  message: 'is a style sheet that runs code, reads files or asks the processor what it is',
  trigger: {
    literals: [
      ['xsl:', 'www.w3.org/1999/xsl'],
      [
        'php:function',
        'document(',
        'msxsl:script',
        'java:',
        'java.lang',
        'system-property(',
        'unparsed-text',
        'xsl/transform/java',
        'doc(',
        'saxon',
        'xalan',
        'exsl',
        'clitype',
        'user:',
        'redirect:',
        'result-document',
        'lxslt',
      ],
    ],
  },
  judge: (subject) => {
    const { elements } = subject.tokens(xmlGrammar);
    const text = subject.text;
    let weak = 0;
    for (const one of elements) {
      const tag = text.slice(one.start, one.end);
      if (one.prefix === 'xsl' && code.test(tag)) return { start: one.start, end: one.end };
      if (scripts.has(`${one.prefix}:${one.name}`)) return { start: one.start, end: one.end };
      if (one.prefix === 'xsl' && weakCode.test(tag)) {
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
    `<xsl:value-of select="system-property('xsl:vendor')"/><xsl:value-of select="system-property('xsl:version')"/>`,
  ],
  lookalikes: [
    '<xsl:value-of select="title"/>',
    `<xsl:apply-templates select="document('labels.xml')/labels"/>`,
    `<xsl:if test="system-property('xsl:version') &gt; 1">`,
  ],
};

const code =
  /php:function|(?:document|unparsed-text|doc)\s?\(\s?["'](?:[a-z][\w.+-]{1,20}:|\/|\\\\)|java[:./]|java\.lang|xalan|saxon\.sf\.net|runtime|clitype:|urn:schemas-microsoft-com:xslt|xmlns:php=|<xsl:result-document[^>]{1,200}href/i;
const weakCode = /system-property\s?\(|document\s?\(\s?["'']{2}/i;
const scripts: ReadonlySet<string> = new Set([
  'msxsl:script',
  'lxslt:script',
  'xalan:script',
  'redirect:write',
  'exsl:document',
]);
