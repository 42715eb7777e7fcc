import { confidence } from '../../placement/confidence.ts';
import { firstOf, foundBy, offsetsOf } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * `<% eval request("x") %>`, `<%@ page import=…`, `<jsp:scriptlet>`: code of ASP, JSP and
 * ColdFusion.
 */
export const serverPage: ValueRule = {
  id: 'code.server-page',
  cwe: 'CWE-94',
  severity: 'critical',
  score: confidence.certain,
  message: 'is server-side code of ASP, JSP or ColdFusion',
  trigger: { literals: [['<%', '<jsp:', 'runat', '<cf']] },
  judge,
  examples: [
    '<% eval request("x") %>',
    '<%execute(request("c"))%>',
    '<%@ page import="java.io.*" %>',
    '<jsp:scriptlet>Runtime.getRuntime()</jsp:scriptlet>',
    '<% out.println(3*4); %>',
    '<script runat="server">Sub Page_Load()</script>',
    '<cfexecute name="cmd.exe"></cfexecute>',
  ],
  lookalikes: [
    '<%= user.name %>',
    'less than <% of people',
    'Use <%- include("header") %> in EJS',
    'a 5<%7 b',
    '<cfg name="x">',
  ],
};

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  const element = serverElement.exec(text);
  if (element !== null) return foundBy(element);
  for (const at of firstOf(subject, offsetsOf(text, '<%'))) {
    const body = text.slice(at + 2, at + 2 + bodyMax);
    const close = body.search(nextMark);
    const inside = close < 0 ? body : body.slice(0, close);
    if (directive.test(inside) || serverCode.test(inside)) {
      return { start: at, end: at + 2 + inside.length + (close < 0 ? 0 : 2) };
    }
  }
  return undefined;
}

const bodyMax = 400;
/** The end of this code, or the start of the next. */
const nextMark = /%>|<%/;
const serverElement =
  /<jsp:(?:scriptlet|expression|declaration|include|usebean|forward|directive|root|plugin)\b|<script[^>]{0,60} runat {0,2}= {0,2}["']?server|<cf(?:execute|script|file|include|directory|query|output|set|http|registry)\b/i;
const directive =
  /^\s{0,8}@\s{0,8}(?:page|import|include|taglib|register|webservice|webhandler|language|control|assembly)\b/i;
/** Objects and functions that only a page on the server has. */
const serverCode =
  /\b(?:request\s{0,3}(?:\(|\.(?:item|form|querystring|getparameter|params))|execute(?:global)?\s{0,3}\(|eval\s{0,3}[( ]|createobject|wscript\.|runtime\.getruntime|processbuilder|out\.print|response\.(?:write|end|redirect)|server\.(?:createobject|mappath|execute)|new\s{1,3}java\.|java\.(?:io|lang|util)\.|system\.(?:diagnostics|io|reflection)|javax?\.)/i;
