import { confidence } from '../../placement/confidence.ts';
import { firstOf, foundBy, offsetsOf } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `<?php system($_GET[0]); ?>`, `<?=`, `<script language="php">` */
export const phpTag: ValueRule = {
  id: 'code.php-tag',
  score: confidence.certain,
  message: 'opens PHP code',
  trigger: {
    classes: charClass.less,
    literals: [['<?', 'language="php', "language='php", 'language=php']],
  },
  judge: judgeTag,
  examples: [
    '<?php system($_GET["c"]); ?>',
    '<?=`id`?>',
    '<? passthru("id"); ?>',
    '<?php echo 1;',
    '```php\n<?php $f = "sys"."tem"; $f("id");\n```',
    '```\n<?php echo shell_exec($_GET[0]);\n```',
    'Please have a look at <?php phpinfo(); ?> and tell me what you see',
    'hello there my dear <?php the_title($_GET[1]); ?> friend',
    '<script language="php">system("id");</script>',
    'GIF89a<?php @eval($_POST[1]);',
  ],
  lookalikes: [
    '<?xml version="1.0" encoding="UTF-8"?><a/>',
    'is a <? b',
    'PHP code starts with an opening tag',
    'what is this <?> sign',
    '<?php tag is not closed',
    'The tag is <?php',
    '<h1><?= $page->title ?></h1>',
    'Use <?= $this->e($name) ?> in Plates templates',
    '```php\n<?php\nnamespace App;\nclass Foo {\n  public function bar() { return 1; }\n}\n```',
    'It fails:\n\n```\n<?php\nforeach ($rows as $row) {\n  echo $row["name"];\n}\n```',
    'My page only has <?php echo date("Y"); ?> in the footer, how do I cache it?',
    'In WordPress put <?php the_title(); ?> into the file single.php',
    'the "<?php" line comes first',
  ],
};

function judgeTag(subject: Subject): Match | undefined {
  const text = subject.text;
  let best: Match | undefined;
  for (const at of firstOf(subject, offsetsOf(text, '<?'))) {
    const score = tagScore(text, at);
    if (score > (best?.score ?? 0)) best = { start: at, end: tagEnd(text, at), score };
    if (score === confidence.certain) break;
  }
  return best ?? foundBy(scriptTag.exec(text));
}

const scriptTag = /<script[^>]{1,40}language {0,3}= {0,3}["']?php["'\s>]/i;
const tagMax = 160;

function tagEnd(text: string, at: number): number {
  const close = text.slice(at, at + tagMax).indexOf('?>');
  return close < 0 ? Math.min(text.length, at + tagMax) : at + close + 2;
}

function tagScore(text: string, at: number): number {
  const body = text.slice(at + 2, at + tagMax);
  if (longTag.test(body)) {
    if (codeMark.test(body))
      return isShown(text, at)
        ? confidence.trace
        : isFenced(text, at)
          ? confidence.hint
          : confidence.certain;
    const isQuoted = quotedTag.test(body) || (at > 0 && bareTag.test(body));
    return isQuoted ? confidence.trace : confidence.likely;
  }
  if (body.startsWith('='))
    return variableEcho.test(body) ? confidence.hint : echoed.test(body) ? confidence.certain : 0;
  return shortTag.test(body) ? confidence.strong : 0;
}

/**
 * A sentence shows a line of a template: one call of a harmless function, or a text. What runs
 * commands has a variable, a backtick or a function of the other kind.
 */
function isShown(text: string, at: number): boolean {
  const found = templateLine.exec(text.slice(at, at + tagMax));
  if (found === null || powerful.test(found[0])) return false;
  const end = at + found[0].length;
  const before = text.slice(Math.max(0, at - aroundChars), at);
  return sentence.test(`${before} ${text.slice(end, end + aroundChars)}`);
}

/** A block of code in Markdown, with nothing in it that runs commands or other code. */
function isFenced(text: string, at: number): boolean {
  if (!fence.test(text.slice(Math.max(0, at - 12), at))) return false;
  const end = text.indexOf('```', at);
  if (end < 0 || end - at > fencedMax) return false;
  const block = text.slice(at, end);
  return !running.test(block) && !calledValue.test(block);
}

const fence = /```(?:php)?\r?\n\s{0,4}$/;
const fencedMax = 4_000;
const running =
  /exec|system|passthru|popen|proc_|eval|assert|phpinfo|_file|file_|open|readdir|scandir|glob|include|require|uname|getenv|source|dl\(|mail|decode|inflate|rot13|unserialize|create_function|call_|array_map|sort|filter|walk|reduce|register_|callback|reflection|extract|parse_str|ini_|\$GLOBALS|`/i;
/** `$f(…)`, `$_GET[0](…)`, `('a'.'b')(…)`: a function whose name is made as the program runs. */
const calledValue = /\$\w{1,60}\s{0,4}\(|[\])}'"]\s{0,4}\(|\$\{|\$\$/;

const aroundChars = 80;
const templateLine =
  /^<\?php\s{1,8}(?:echo\s{1,4})?(?:"[^"$]{0,60}"|'[^']{0,60}'|[a-z_]{2,40}\((?:"[^"$]{0,40}"|'[^']{0,40}')?\))\s{0,4};?\s{0,4}\?>/i;
const powerful =
  /exec|system|passthru|popen|proc_|eval|assert|info|file|open|read|dir|glob|include|require|uname|getenv|getcwd|_user|source|dl\(|mail|decode|md5|sha1|print|sleep|die|exit/i;
/** Four words in a row. */
const sentence = /(?:[A-Za-z]{1,20}[,.]?[ `]{1,2}){3}[A-Za-z]{2,20}/;

const longTag = /^php(?![a-z-])/i;
const codeMark = /[($`;]|echo/;
/** The last word of a sentence. */
const bareTag = /^php\s{0,4}$/;
/** The tag in a sentence, or in a question: `<?php tag`, `<?php ?>`. */
const quotedTag =
  /^php(?: {0,2}\?>|['"`)]| {1,2}(?:tags?|code|files?|opening|closing|short|block|and|or|is|in|at|not|vs|script|syntax)\b)/i;
/** `<?=` and something that PHP can print. */
const echoed = /^=\s{0,8}[$`'"@A-Za-z\d(\\]/;
/** `<?= $title ?>`, `<?= $user->name ?>`: a template prints a variable of its own. */
const variableEcho =
  /^=\s{0,8}\$(?!_|GLOBALS)[A-Za-z]\w{0,40}(?:->\w{1,40}(?:\(\$?\w{0,30}\))?|\[['"]?\w{1,40}['"]?\]){0,4}\s{0,8};?\s{0,8}\?>/;
/** `<?` and a statement: a call, a variable, a comment before one. */
const shortTag =
  /^\s{0,8}(?:[@$][A-Za-z_{]{2}|`[^`\n]{1,80}`|[a-z_]{3,24}\s{0,4}\(|(?:echo|print|include|require|die|exit)\b)/i;

/**
 * `<% eval request("x") %>`, `<%@ page import=…`, `<jsp:scriptlet>`: code of ASP, JSP and
 * ColdFusion.
 */
export const serverPage: ValueRule = {
  id: 'code.server-page',
  score: confidence.certain,
  message: 'is server-side code of ASP, JSP or ColdFusion',
  trigger: { literals: [['<%', '<jsp:', 'runat', '<cf']] },
  judge: judgePage,
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

function judgePage(subject: Subject): Match | undefined {
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
