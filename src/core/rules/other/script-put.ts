import { confidence } from '../../placement/confidence.ts';
import type { RequestRule } from '../rule.ts';

/** `PUT /x.jsp/`: a page of the server itself, under a name that its default servlet stores. */
export const scriptPut: RequestRule = {
  id: 'other.script-put',
  cwe: 'CWE-434',
  severity: 'critical',
  score: confidence.strong,
  message: 'stores a file under a name that the web server runs as a program',
  examples: [
    { body: { method: 'PUT', path: '/x.jsp/' } },
    { body: { method: 'PUT', path: '/x.jsp%20' } },
    {
      body: { method: 'PUT', path: '/files/x.jspx', 'body.a': '<jsp:scriptlet>x</jsp:scriptlet>' },
    },
    { body: { method: 'PUT', path: '/x.jsp', body: '<%@ page import="java.util.*" %>' } },
    { body: { method: 'PUT', path: '/x.jsp', body: '${header.host}' } },
    { body: { method: 'PUT', path: '/x.jsp::$DATA' } },
    { body: { method: 'PUT', path: '/x.php.' } },
    { body: { method: 'PUT', path: '/x.aspx%00' } },
  ],
  lookalikes: [
    { body: { method: 'PUT', path: '/api.php' } },
    { body: { method: 'PUT', path: '/index.jsp', 'body.title': 'Home' } },
    { body: { method: 'PUT', path: '/index.php/items/5' } },
    { body: { method: 'PUT', path: '/index.php/' } },
    { body: { method: 'GET', path: '/x.jsp/' } },
    { body: { method: 'PUT', path: '/photos/x.jpg' } },
    { body: { method: 'PUT', topic: 'x.jsp/' } },
  ],
  judgeRequest(request) {
    if (request.get('method') !== 'PUT') return undefined;
    const field = request.indexOf('path');
    const path = request.fields[field]?.text ?? '';
    const found = program.exec(path.slice(-pathCharsMax));
    if (found === null) return undefined;
    const isPlain = plainPage.test(found[0]) && !request.fields.some(({ text }) => page.test(text));
    const score = isPlain ? confidence.hint : confidence.strong;
    return { field, start: 0, end: path.length, score };
  },
};

const pathCharsMax = 200;
/**
 * Applications answer PUT at `/api.php` and `/index.php/`; other characters behind the name are there
 * to get past a check, as the slash is in Tomcat.
 */
const program =
  /\.(?:jspx?\/?|(?:jspx?|php\d?|phtml|phar|aspx?|ashx|asa|cer|cfm)(?:\.|%20|%00|%0a|::\$data))$/i;
/** Tomcat gives a name in small letters to the page that has it, and stores nothing. */
const plainPage = /^\.jsp$/;
/** Code or an expression of a page (Jakarta Server Pages, 1.3.3 and 2.1), or the name of its elements. */
const page = /<%|[$#]\{|<jsp:|\/jsp\/page/i;
