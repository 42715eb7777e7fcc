import { confidence } from '../../placement/confidence.ts';
import { firstOf, foundBy, offsetsOf } from '../../placement/evidence.ts';
import { isProse } from '../../placement/prose.ts';
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
    ...['<?php system($_GET["c"]); ?>', '<?=`id`?>', '<? passthru("id"); ?>', '<?php echo 1;'],
    '```php\n<?php $f = "sys"."tem"; $f("id");\n```',
    { body: { message: 'Is it?\n\n```\n<?php\n$b = scandir($c);\nrequire $b[0];\n```\n' } },
    '```\n<?php echo shell_exec($_GET[0]);\n```',
    'Please have a look at <?php phpinfo(); ?> and tell me what you see',
    'hello there my dear <?php the_title($_GET[1]); ?> friend',
    ...['<script language="php">system("id");</script>', 'GIF89a<?php @eval($_POST[1]);'],
    ...['unlink("a.php");', 'copy("//e.test/x", "a.php");', 'echo implode(file("a.php"));'].map(
      inBlock,
    ),
    ...['$f = "sys"."tem"; $f     ("id");', '$f = "sys"."tem"; $f // x\n("id");'].map(inBlock),
    ...[
      'echo new SplFileObject("a.php");',
      "$a = '```'; unlink('a');",
      `unlink${' '.repeat(100)}('a');`,
      `$a = 1;${'\n'.repeat(4_100)}unlink('a');`,
      ...["$é = 'sys'.'tem'; $é('id');", "$a = 'id' |> $b;"],
      "$a = 1; // x\r $a = '\n```\n'; unlink('a');",
      "$f = new Fiber('sys'.'tem'); $f->start('id');",
      "class_alias('DOM'.'Document', 'A'); $a = new A; $a->load('x');",
      "$c = 'DOM'.'Document'; $a = new $c; $a->load('x');",
      "$a = new PDO('sq'.'lite:a.php'); $a->query($b);",
      "$c = 'Dom\\XMLDocument'; $a = $c::createFromFile('x');",
      "$a = \"'\"; $b = '\n```\n'; `id`;",
    ].map(inBlock),
    'This is what I have so far:\n\n<?php $a = "?>"; unlink ("a.php");',
    `${inBlock('echo 1;')}\n<script language="php">unlink("a");</script>`,
    'My page only has <?php virtual("/a.cgi"); ?> in the footer, how do I cache it?',
  ],
  lookalikes: [
    ...['<?xml version="1.0" encoding="UTF-8"?><a/>', 'is a <? b', 'The tag is <?php'],
    ...['PHP code starts with an opening tag', 'what is this <?> sign', '<?php tag is not closed'],
    {
      body: {
        messages: [{ content: 'Is it?\n\n```\n<?php\n$b = scandir($c);\nrequire $b[0];\n```\n' }],
      },
    },
    '```php\n<?php\n#[ScopedBy([Old::class])]\nclass User extends Model {}\n```',
    ...['<h1><?= $page->title ?></h1>', 'Use <?= $this->e($name) ?> in Plates templates'],
    '```php\n<?php\necho $a::class, "\n";\n```',
    '```php\n<?php\nnamespace App;\nclass Foo {\n  public function bar() { return 1; }\n}\n```',
    'It fails:\n\n```\n<?php\nforeach ($rows as $row) {\n  echo $row["name"];\n}\n```',
    'My page only has <?php echo date("Y"); ?> in the footer, how do I cache it?',
    'In WordPress put <?php the_title(); ?> into the file single.php',
    'the "<?php" line comes first',
    'My code:\n\n```php\n<?php\nget_header();\n$a = new PDO("mysql:host=localhost", "a", "");\n$b = $a->query($c);\n```',
    'Here is my PHP code:\n\n<?php\n$rows = $db->query("SELECT * FROM items WHERE name LIKE \'a%\'");\nwhile ($row = $rows->fetch_assoc()) { echo $row["name"]; }\n?>\n\nIt prints nothing, why is that?',
  ],
};

function inBlock(code: string): string {
  return `My code:\n\n\`\`\`php\n<?php ${code}\n\`\`\``;
}

function judgeTag(subject: Subject): Match | undefined {
  const text = subject.text;
  let best: Match | undefined;
  for (const at of firstOf(subject, offsetsOf(text, '<?'))) {
    const score = tagScore(text, at);
    if (score > (best?.score ?? 0)) best = { start: at, end: tagEnd(text, at), score };
    if (score === confidence.certain) break;
  }
  const isSure = best?.score === confidence.certain;
  return isSure ? best : (foundBy(scriptTag.exec(text)) ?? best);
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
        : isListed(text, at)
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
  if (found === null || powerful.test(found[0]) || !hasPlainCalls(found[0])) return false;
  const end = at + found[0].length;
  const before = text.slice(Math.max(0, at - nameMax), at);
  return sentence.test(`${before} ${text.slice(end, end + nameMax)}`);
}

/**
 * A listing in a block of code, or on lines of its own behind a sentence, that runs no command or other
 * code. PHP knows no fence: one in its code is an error, and one in a literal or comment is none.
 */
function isListed(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - saidMax), at);
  const isBlock = fence.test(before.slice(-nameMax));
  if (!isBlock && !(ownLine.test(before.slice(-nameMax)) && isProse(before))) return false;
  const [code = ''] = text.slice(at, at + listedMax).split(isBlock ? fencedEnd : '?>', 1);
  const isEnded = code.length < listedMax && !(isBlock && at + code.length === text.length);
  if (!isEnded || running.test(code) || madeClass.test(code) || reachingClass.test(code))
    return false;
  if (!wholeTokens.test(`${code.replaceAll(escapes, '')}\n`)) return false;
  return (
    hasPlainCalls(code) &&
    code
      .split('{$')
      .slice(1)
      .every((one) => interpolated.test(one))
  );
}

function hasPlainCalls(code: string): boolean {
  return code.split('(').slice(0, -1).every(isPlainCall);
}

/** What stands in front of a parenthesis calls nothing that reaches a file, a machine or other code. */
function isPlainCall(text: string): boolean {
  const code = text.trimEnd();
  const name = code.slice(-nameMax);
  return !lineEnd.test(text.slice(code.length)) && !madeName.test(name) && !reaching.test(name);
}

const fence = /```(?:php)?\r?\n\s{0,4}$/;
const ownLine = /\n\s{0,4}$/;
const fencedEnd = /\n```|\?>/;
const listedMax = 4_000;
const nameMax = 80;
const saidMax = 400;
const running =
  /exec|system|passthru|popen|proc_|eval|assert|phpinfo|_file|file_|open|readdir|scandir|glob|include|require|uname|getenv|source|dl\(|(?<!json_)decode|inflate|rot13|unserialize|create_function|call_|array_map|sort|filter|walk|reduce|register_|callback|reflection|extract|parse_str|ini_|\$GLOBALS|`|<<<|\$\{|\$\$|\bas\b(?! \$)|spl_|splf|splt|directory|iterator|soap|simplexml|xmlreader|xmlwriter|domdoc|ziparch|imagick|\bffi\b|phar|sqlite|finfo|infile/i;
const escapes = /\\['"\\]/g;
/** Literals and comments end where they should. */
const wholeTokens = /^(?:[^'"#/]|'[^']*'|"[^"]*"|\/\/[^\r\n]*\r?\n|#[^'"/\n]*\n|\/\*[^/]*\*\/)*$/;
const lineEnd = /[\r\n]/;
/** `{$row['name']}` in a literal: no quote that would end it elsewhere. */
const interpolated = /^[\w>[\]'-]{1,60}\}/;
/** `$f(…)`, `$_GET[0](…)`, `('a'.'b')(…)`: a name that is made as the program runs. */
const madeName = /(?:[\])}'"$]|\*\/)[\w\x80-\uffff]{0,80}$|^[\w\x80-\uffff]{80}$/;
/** `new $c`, `new ('a'.'b')`, `$c::of()`: a class that is chosen as the program runs. */
const madeClass =
  /\b(?:new|extends)\b(?:\s{0,4}[$(#/]|\s{5})|(?:[\s\])}'"/]|(?:\$|->)[\w\x80-\uffff]{1,40}|[\w\x80-\uffff]{41})::(?!class\b)/i;
/** Classes that reach a file, a machine or other code, and the environment. */
const reachingClass =
  /\b(?:new|extends)\s{1,4}\\?(?:com|dotnet|variant|java|tidy|g?magick|fiber|snmp)\b|\bxslt|\bextends\s{1,4}\\?pdo\b|\bpdo(?:\s{0,4}\((?!["'](?:mysql|pgsql|sqlsrv|odbc|oci|firebird):)|\s{5})|fetch_func|\|>|\bdom(?!ain)|registerphp|\$_env\b|\(\$_server\)/i;
const reaching =
  /(?<!\w)(?:(?:proc|posix|pcntl|curl|ftp|ssh2|f?socket|pfsock|stream|imap|highlight|show|php|apache|gz|bz|image|forward|session_sa|session_set|set_|ob_|array_u[di]|array_diff_u|array_intersect_u|array_a[ln]|array_find|class_al|libxml_set|readline|dns|gethost|getmx|get_headers|get_meta_|get_defined|get_cfg|get_current_u|exif|opcache|yaml|runkit|uopz|xdebug|event_|com_|snmp|session_mo|session_id|mb_send|mb_ereg)\w{0,40}|mail|file|readfile|readgzfile|tmpfile|unlink|copy|rename|rmdir|mkdir|dir|chdir|touch|chmod|chown|lchown|link|symlink|readlink|tempnam|getcwd|error_log|get_defined_vars|fromcallable|preg_replace|fread|virtual|putenv|checkdnsrr|getimagesize|mime_content_type|chroot|chgrp|lchgrp|dl|createfromfile|fromuri|cdef|wddx_deserialize)$/i;

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
    ...['<% eval request("x") %>', '<%execute(request("c"))%>', '<%@ page import="java.io.*" %>'],
    ...['<jsp:scriptlet>Runtime.getRuntime()</jsp:scriptlet>', '<% out.println(3*4); %>'],
    '<script runat="server">Sub Page_Load()</script>',
    '<cfexecute name="cmd.exe"></cfexecute>',
  ],
  lookalikes: [
    ...['<%= user.name %>', 'less than <% of people', 'Use <%- include("header") %> in EJS'],
    ...['a 5<%7 b', '<cfg name="x">'],
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
