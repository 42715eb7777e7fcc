import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decoders } from '../../../src/core/normalise/registry.ts';
import { decodedTexts, viewsOf } from './views-of.ts';

/** A text, what a decoder makes of it, and why the row is here. */
type Row = readonly [input: string, results: readonly string[], why?: string];

/** What the named decoder gives, when the prefilter sends the text to it. */
function check(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    assert.ok(decoders.some((decoder) => decoder.name === name));
    for (const [input, results, why] of rows) {
      it(`${JSON.stringify(input)}${why === undefined ? '' : `: ${why}`}`, () => {
        const own = viewsOf(input).views.filter(
          ({ decoded }) => decoded.length === 1 && decoded[0]?.split(':')[0] === name,
        );
        assert.deepEqual(
          own.map((view) => view.text),
          results,
        );
      });
    }
  });
}

const none: readonly string[] = [];

check('percent', [
  ['%3Cscript%3e', ['<script>']],
  ['%E2%82%AC', ['€'], 'three bytes, one character'],
  ['%F0%9F%98%80', ['😀'], 'a pair of surrogates'],
  ['caf%E9', ['café'], 'Latin-1'],
  ['%bf%27', ['¿\u0027'], 'the quote behind half of a GBK character stays one'],
  ['%c0%ae%c0%ae%c0%af', ['../'], 'overlong, two bytes'],
  ['%e0%80%ae%e0%80%af', ['./'], 'overlong, three bytes'],
  ['%f0%80%80%ae', ['.'], 'overlong, four bytes'],
  ['%f8%80%80%80%af%fc%80%80%80%80%af', ['//'], 'overlong, five and six bytes'],
  ['%c0%2e%c0%2f%c1%1c', ['./\\'], 'second byte without its mark'],
  ['%c0.%c0/', ['./'], 'second byte sent as it is'],
  ['%u003cimg%u003e', ['<img>'], 'IIS'],
  ['%u0041%42%U0043', ['ABC'], 'both forms mixed'],
  ['%%33%63', ['%3c'], 'one layer at a time'],
  ['%253C', ['%3C'], 'one layer at a time'],
  ['a%0', none, 'cut short'],
  ['100 % sure, 50%off, 5%u', none, 'honest percent signs'],
  ['%zz%1g%-1%u12', none, 'no hex digits'],
  ['%ED%A0%BC%ED%BC%80', ['\ud83c\udf00'], 'surrogates in three bytes each'],
]);

check('plus', [
  ["1'+or+1=1", ["1' or 1=1"]],
  ['a + b+c', none, 'real spaces'],
  ['+49891234567', none, 'a sign'],
]);

check('url-break', [
  ['http://10.\n0.\t0.1/', ['http://10.0.0.1/']],
  ['h\nttps://a.test/', ['https://a.test/'], 'in the scheme'],
  ['\n../\r../etc/hos\tts', ['../../etc/hosts'], 'a path'],
  ['http://a\v.test/\fb', ['http://a.test/b'], 'vertical tab, form feed'],
  ['http://a.test/\n', none, 'the end of a line'],
  ['http://a.test/1\nhttp://b.test/2', ['http://a.test/1'], 'a list of addresses'],
  ['see http://a.test/\nand more', none, 'words'],
  ['one\ntwo', none, 'no address'],
  ['j\nava\tscript:"a b"', ['javascript:"a b"'], 'a scheme that runs script'],
]);

check('html-entity', [
  ['&lt;b&gt;&quot;&#39;&apos;', ["<b>\"''"]],
  ['&#x3c;&#X3C;&#60;', ['<<<']],
  ['&#0000060&#x000000000003c', ['<<'], 'leading zeros, no semicolon'],
  ['&ltscript&gt', ['<script>'], 'old names need no semicolon'],
  ['java&Tab;script&colon;alert&lpar;1&rpar;', ['java\tscript:alert(1)']],
  ['&NewLine;&sol;&bsol;&lbrace;&grave;', ['\n/\\{`']],
  ['?a=1&lt=2&gt=3', none, 'parameters of a query string'],
  ['?copy=1&amp;lang=2', ['?copy=1&lang=2']],
  ['AT&T; R&D; Q&A', none, 'no references'],
  ['a&nbsp;b', none, 'nothing but white space'],
  ['&#1114112;&#xffffffffff;', ['\ufffd\ufffd'], 'beyond Unicode'],
  ['<p>write &lt;b&gt; for <b>bold</b></p>', none, 'code that is shown in rich text'],
  [
    '<a href="&#106;avascript:&lt;&#39;">x</a>',
    ['<a href="javascript:&lt;\'">x</a>'],
    'an attribute of a tag',
  ],
]);

check('js-escape', [
  [
    'config["\\x0073ecre\\x0074"]',
    ['config["\u000073ecre\u000074"]', 'config["secret"]'],
    'FreeMarker',
  ],
  ['\\x3cimg\\x3E', ['<img>']],
  ['\\u003Cimg\\u003e', ['<img>']],
  ['\\u{3c}\\u{0000000003e}', ['<>']],
  ['\\u{110000}', ['\ufffd'], 'beyond Unicode'],
  ['\\74\\163\\x', ['<s\\x'], 'octal; an escape cut short stays'],
  ['\\0', ['\u0000']],
  ['a\\"b\\/c\\\\d', ['a"b/c\\d'], 'JSON'],
  ['\\r\\nSet-Cookie: a=b', ['\r\nSet-Cookie: a=b']],
  ['x\\nBcc: a@example.org', ['x\nBcc: a@example.org']],
  ['C:\\new\\table\\reports', none, 'a path'],
  ['\\alpha, \\nu and \\text{x}', none, 'TeX'],
  ['host\\nuname -a', ['host\nuname -a'], 'no other backslash'],
  ['\\\\host\\new', ['\\host\new'], 'pairs are escapes wherever they stand'],
  ['\\d+\\.\\w', none, 'a pattern'],
  ['s/(a)(b)/\\2\\1/', none, 'back references'],
]);

check('css-escape', [
  ['\\6a avascript\\3a x', ['javascript:x']],
  ['\\00006aavascript', ['javascript'], 'six digits need no space behind'],
  ['\\6a\r\nb', ['jb'], 'CRLF is one white space'],
  ['\\10FFFF\\41', ['\u{10ffff}A'], 'the whole code point, not its last byte'],
  ['\\01003c\\41', ['\u{1003c}A'], 'not an angle bracket either'],
  ['\\0\\41', ['\ufffdA'], 'zero is no character'],
  ['\\d800 \\41', ['\ufffdA'], 'nor is half a surrogate'],
  ['\\110000\\41', ['\ufffdA'], 'nor what is beyond Unicode'],
  ['x:e\\xpression(1)', ['x:expression(1)'], 'the character itself'],
  ['a:\\\nb(c\\\nd\\41', ['a:b(cdA'], 'an escaped line break is nothing'],
  ['\\41\\', ['A\\'], 'a backslash at the end'],
  ['C:\\docs\\face\\notes.txt', none, 'a path'],
]);

check('sql-comment', [
  ["x'/**/or/*it's*/1=1", ["x' or 1=1"]],
  ['0/*a/*/union/*/*/select', ['0 union select'], 'an end mark that shares its star'],
  ['1/*a/*b*/c*/2', ['1 c*/2', '1 2'], 'comments nest in PostgreSQL'],
  ["x'/*!R*/UNION/*!>*/SELECT", ["x' UNION SELECT", "x' R UNION > SELECT"], 'code or comment'],
  ['/*!50000union*/ /*M!100100select*/ 1', ['    1', ' union   select  1'], 'versions'],
  ['1/*!999999 drop*/2', ['1 2'], 'a version to come'],
  ['1/*!99990/*!or*/x*/2', ['1 x*/2', '1 2'], 'a version to come holds another comment'],
  ['/*! union /* a */ select */', ['  select */', ' ', '  union   select  '], 'all readings'],
  ['a/* b', none, 'the end is cut off'],
  ['src/*.ts, a */ b', ['src  b']],
  ['text/html, */*; q=1', none],
  ['a # b\r\nc -- d\r\n', none],
]);

check('sql-code', [
  ["x'-- it's\nor 1=1", ["x' \nor 1=1"], 'a quote in a comment'],
  [
    `${'data '.repeat(400)}x'-- ${'z'.repeat(600)} it's\nor 1=1`,
    [`${'data '.repeat(13).slice(3)}x' \nor 1=1`],
    'behind long data',
  ],
  ["x'#it's\nor 1=1", ["x' \nor 1=1"], 'a comment of MySQL'],
  ["1'rlike'a\\'b'-- ", ["1'rlike' '--"], 'an escaped quote in a literal of MySQL'],
  ["1 or 'a\\'b'", ["1 or ' '"], 'the same behind a number'],
  ["x' or 'a\\\\' -- ", [], 'an escaped backslash'],
  [`${'/**/'.repeat(60)}'a\\'b'`, [], 'many comments in front of no number'],
  ["if (a == '\\'' || b == '\\'') x();", [], 'characters of C'],
  ["print 'it\\'s' . 'x\\'y';", [], 'literals of a program'],
  ['1;drop--\ntable--\na', ['1;drop \ntable \na'], 'comments on most lines'],
  ['-- a note\nselect a\nfrom b', [], 'a comment here and there'],
  [
    "x'--a\n||'/*b'/*\"*/,1",
    ["x' \n||'/*b' ,1", "x'- -a\n||'/*b' ,1"],
    'marks in a literal are text; MySQL asks for a space behind dashes, and subtracts without one',
  ],
  ["x' or 1=1--\rabc", ["x' or 1=1--"], 'a line ends with its line feed'],
  ["4---\n2 or 'a#'", ["4 \n2 or 'a#'", "4-  \n2 or 'a#'"], 'one of three dashes subtracts'],
  ["/*'/*!1*/#", ["/*' #", "/*' 1 #"], 'the mark of a comment in the literal that is left'],
  ["x'--\ra\r\nor 1=1", ["x' \nor 1=1"], 'the same with more behind it'],
  ["it's # 1 of 2", none, 'the comment cuts off'],
  ['"a"#it\'s\nor 1=1', ['"a" \nor 1=1'], 'a comment behind a literal'],
  ['O\'Brien said "a" and "b" of #7 "c"\nto me', none, 'a number in a literal'],
  ['/* a */ b { c: d }', none, 'the same text as without comments'],
]);

check('template-comment', [
  ['${a<#-- } -->.b[#----].c}', ['${a.b.c}']],
  ['[#-- a -->${b}', ['${b}'], 'either end'],
  ['<#list<#-- -->b>[#----]c', ['<#list b>c'], 'behind the name of a directive'],
  ['#* a *#$b.c #[[#if(]]#d', ['$b.c d'], 'Velocity'],
  ['<#noparse><#if</#noparse>${b}[#noparse]x[/#noparse]', ['${b}'], 'verbatim text'],
  ['${b <#-- c}', none, 'the end is cut off'],
  ['${path#*/} and #*', none],
  ['## Title -- a *# b', none],
]);

check('unicode', [
  ['＜ｓcript＞', ['<script>']],
  ['․․/etc', ['../etc'], 'one dot leaders'],
  ['﹤b﹥', ['<b>'], 'small forms'],
  ['𝓈𝒸𝓇𝒾𝓅𝓉 𝟭', ['script 1'], 'mathematical letters'],
  ['1ʼ or 1=1', ["1' or 1=1"], 'best fit of the modifier letter'],
  ['1＇ or 1=1', ["1' or 1=1"]],
  ['..∕..∖x', ['../..\\x'], 'slashes of mathematics'],
  ['ſcript', ['script'], 'long s'],
  ['À®À®À¯Á¡', ['../a'], 'overlong UTF-8 read as Latin-1'],
  ['..Á\x9c..Áœ', ['..\\..\\'], 'and as Windows-1252'],
  ['à\x80¯ à€¯ ð€€¼ ø\x80\x80\x81¡', ['/ / < a'], 'of three bytes and more'],
  ['À.À.À/Á\\x', ['../\\x'], 'a lead byte in front of a plain one'],
  ['1À§ or 1', ["1' or 1"]],
  ['..\ufffd\ufffd..\ufffda', ['../../a'], 'a replaced separator'],
  ['..\uf025..\uefc8', ['../..\\'], 'private use'],
  ['À bientôt, déjà 5 €, Áéí … \ufffd', none, 'no sequence'],
  ['it’s “fine” – really…', none, 'typography'],
  ['你好，世界（测试）！', none, 'Chinese punctuation'],
  ['資料資料資料..／．．／etc', ['資料資料資料../../etc'], 'a step up in Chinese'],
  ['等等．．稍后／明天，../img', none, 'dots and slashes apart'],
  ['東京は１２月です。', none, 'fullwidth digits in Japanese'],
  ['мʼята й пʼять', none, 'Ukrainian apostrophe'],
  ['Straße, garçon, piñata, ısı', none],
]);

check('control', [
  ['scr\u0000ipt', ['script'], 'NUL'],
  ['\u0000<\u0000b\u0000>', ['<b>'], 'UTF-16 with its zero bytes'],
  ['union\u000bselect', ['union select'], 'vertical tab'],
  ['scr\u200bipt', ['script'], 'zero-width space'],
  ['scr\u00adipt', ['script'], 'soft hyphen'],
  ['\u00add allow_url_include=1', ['-d allow_url_include=1'], 'best fit of the soft hyphen'],
  ['\ufeffabc', ['abc'], 'byte order mark'],
  ['می\u200cخواهم', none, 'Persian needs its joiners'],
  ['👩\u200d💻 ok', none, 'emoji do, too'],
  ['❤\ufe0f!', none, 'variation selector'],
  ['a\tb\r\nc', none],
]);

check('base64', [
  ['PHNjcmlwdD4=', ['<script>']],
  ['PHNjcmlwdD4', ['<script>'], 'no padding'],
  ['4pyTPHNjcmlwdD8-Pw', ['✓<script?>?'], 'base64url'],
  ['4pyTPHNjcmlwdD8+Pw==', ['✓<script?>?'], 'the standard alphabet'],
  ['data:text/html;base64,PHNjcmlwdD4=', ['<script>']],
  ['/user/PHNjcmlwdD4/edit', ['<script>'], 'a segment of a path'],
  [
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiInIG9yIDE9MSJ9.',
    ['{"alg":"none"}', '{"sub":"\' or 1=1"}'],
    'a JWT',
  ],
  [
    'PHNjcmlwdD5hbGVydCgxKT\nwvc2NyaXB0Pg==',
    ['<script>alert(1)</script>', '<script>alert(1)'],
    'line ends: the whole, and what stands in a line',
  ],
  [
    'PHNjcmlwdD5hbG*VydCgxKTwvc2NyaXB0Pg',
    ['<script>alert(1)</script>', '<script>al'],
    'a foreign character',
  ],
  ['PABzAGMAcgBpAHAAdAA+AA==', ['<script>'], 'UTF-16'],
  ['/v0BgpP0hZZ4JyBPUiAxPTEgLS0g', ["x' OR 1=1 -- "], 'noise in front'],
  ['eCcgT1IgMT0xIC0tIP79AYKT9IWW', ["x' OR 1=1 -- "], 'noise behind'],
  ['rO0ABXNyAAFhCg==', ['\u00ac\u00ed\u0000\u0005sr\u0000\u0001a\n'], 'a Java object'],
  ['d42ae384a6dc225022c09a62525da89c', none, 'a hash'],
  ['550e8400-e29b-41d4-a716-446655440000', none, 'a UUID'],
  ['1688379626427', none, 'a time stamp'],
  ['zi31NUebqBXjrA_RX4NTSIaPJ', none, 'a token'],
  ['internationalisation', none, 'a word'],
  ['how-to-make-a-really-long-headline', none, 'a slug'],
]);

check('hex', [
  ['3c7363726970743e', ['<script>']],
  ['select 0x3c7363726970743e', ['select <script>']],
  ["x'3c7363726970743e'", ["x'<script>'"]],
  ['0x3c0062003e002f002f00', ['<b>//'], 'UTF-16'],
  ['a=3C7363726970743E;', ['a=<script>;']],
  ['d42ae384a6dc225022c09a62525da89c', none, 'a hash'],
  ['2753394337556822', none, 'a number'],
  ['20240128094042187', none, 'an odd number of digits'],
  ['xyz3c7363726970743e', none, 'the end of a word'],
]);

check('utf-7', [
  ['+ADw-script+AD4-', ['<script>']],
  ['+ADw-script+AD4', ['<script>'], 'no end mark'],
  ['+ADwAcwBjAHIAaQBwAHQAPg-', ['<script>'], 'one run'],
  ['+ADw+AD4', ['<>'], 'runs side by side'],
  ['C+A+B, Science+AAAS', none],
]);

check('utf-16', [
  ['㱳捲楰琾', ['<script>', 's<rcpi>t']],
  ['你好世界', none],
]);

check('json', [
  ['{"a":{"b":"<i>"},"c":["\\u003c\\""]}', ['<i>', '<"']],
  ['{"$where":"x","__proto__":{"plain_name":1}}', ['$where', '__proto__']],
  [' [ "it\'s" ] ', ["it's"], 'an array'],
  ['{"a":"word","b":"2024-01-28","c":"12"}', none, 'nothing that the whole does not show'],
  ['{"a":"PHNjcmlwdD4","b":"3c7363726970743e"}', ['PHNjcmlwdD4', '3c7363726970743e']],
  ['{"a":"1 order by 1--"}', ['1 order by 1--'], 'words can be code'],
  [' "http://a/" ', ['http://a/'], 'a string'],
  ['"a \\" b"', ['a \\" b']],
  ['"a" or "b"', none, 'two'],
  ['{"a":"<"', none, 'cut short'],
  ["{'a':'<'}", none, 'not JSON'],
]);

check('form', [
  ['name=Anna&comment=%3Cb%3E', ['%3Cb%3E']],
  ['user[$ne]=x&b=1', ['user[$ne]']],
  ['https://example.org/s?q=%27&page=2', ['%27']],
  ['/s?q=<i>', ['<i>']],
  ['Q & A = fun', none],
  ['what? a=b', none, 'a question'],
  ['if (a=1&b) c', none],
]);

check('cookie', [
  ["id=1'; theme=dark", ["1'"]],
  ['color: red; a=b', none, 'CSS'],
  ['x = 1; y = 2', none, 'a program'],
]);

check('path', [
  ['/items/4%20or%201=1/sizes?of=%20', ['4%20or%201=1']],
  ['/items/(select(1))', ['(select(1))']],
  ['/a%20b', ['a%20b']],
  ['/items/4/sizes', none, 'names only'],
  ['//cdn.example/a%20b', none, 'a host'],
  ['/me is (like) 5% sure', none, 'prose'],
]);

check('multipart', [
  [
    '--b\r\nContent-Disposition: form-data; name="f"; filename="../x.php"\r\n' +
      'Content-Type: text/plain\r\n\r\n<?php\r\n--b--\r\n',
    ['../x.php', '<?php'],
  ],
  [
    '--b\nContent-Disposition: form-data; name="q"\n' +
      'Content-Transfer-Encoding: quoted-printable\n\n=3Cb=\n=3E\n--b--\n',
    ['=3Cb=\n=3E', '<b>'],
  ],
  [
    `--b\nContent-Disposition: form-data; name="q"\nContent-Transfer-Encoding:\n${' '.repeat(1_500)}quoted-printable\n\n=3Cb\n--b--\n`,
    ['=3Cb', '<b'],
    'a header of many blanks in two lines, as Go reads it',
  ],
  ['--\nsignature: <x>', none],
]);

check('graphql', [
  ['{ user(name: "1\' or 1=1", note: "a<b>") { id } }', ["1' or 1=1", 'a<b>']],
  ['say "hello" (please) {now}', none, 'prose'],
]);

check('xml', [
  ['<?xml version="1.0"?><a b="x\'"><![CDATA[<i>]]>y;</a>', ["x'", '<i>', 'y;']],
  ["<s:Envelope><s:Body>1'</s:Body></s:Envelope>", ["1'"]],
  ['<p title="it\'s">it\'s</p>', none, 'HTML'],
]);

describe('chains', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['%2522%253E', '">'],
    ['%26lt%3B%5Cu0062', '<b'],
    ['&#37;3Cb', '<b'],
    ['\\u0025\\u0033\\u0043b', '<b'],
    ['％３Ｃb', '<b'],
    ['name=Anna&comment=1%2527%2Bor%2B1', "1' or 1"],
    ['{"a":"{\\"b\\":\\"%3Ci%3E\\"}"}', '<i>'],
    ['JTNDc2NyaXB0JTNF', '<script>'],
    ['UEhOamNtbHdkRDQ9', '<script>'],
    ['3c2537336372697074253365', '<script>'],
  ];
  for (const [input, wanted] of cases) {
    it(`${input} → ${wanted}`, () => {
      assert.ok(decodedTexts(input).includes(wanted), JSON.stringify(decodedTexts(input)));
    });
  }
});

describe('honest texts have no view but the raw one', () => {
  const texts = [
    'Union members select a new leader; drop by or call 1-800-555-0100.',
    "O'Brien & Sons, R&D; 100 % wool, 50%off; C:\\Users\\anna\\new.txt",
    'Il est arrivé à 20 % de réduction — « vraiment » ?',
    'Der Donaudampfschifffahrtsgesellschaftskapitän',
    'Привет, как дела? Всё хорошо!',
    '私は東京に住んでいます。（とても便利です）',
    'أهلاً وسهلاً بكم في موقعنا',
    'user@example.org, https://example.org/a/b.html#top, +49 30 1234567',
    'body { width: 50%; color: #fff }',
    '550e8400-e29b-41d4-a716-446655440000',
  ];
  for (const text of texts) {
    it(text, () => {
      assert.deepEqual(decodedTexts(text), []);
    });
  }
});
