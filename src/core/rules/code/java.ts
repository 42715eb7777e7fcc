import { compileSequences, findSequence, rated } from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/**
 * `Runtime.getRuntime().exec("id")`, OGNL's `@java.lang.Runtime@getRuntime()`, SpEL's
 * `T(java.lang…)`
 */
export const java: ValueRule = {
  id: 'code.java',
  cwe: 'CWE-917',
  score: confidence.certain,
  message: 'reaches from an expression of Java into classes that run commands or code',
  trigger: {
    literals: [
      wordList(
        'getruntime processbuilder scriptengine forname java.lang java.io java.util',
        'java.net javax @ognl memberaccess ognlcontext xwork struts2 #context ).(#',
        '#parameters #request classloader actioncontext urlclassloader groovyshell',
        'getmethod bcel.internal newinstance commandline thread.sleep',
      ),
    ],
  },
  judge: (subject) => findSequence(subject, sequences),
  examples: [
    'Runtime.getRuntime().exec("id")',
    'new java.lang.ProcessBuilder(new String[]{"id"}).start()',
    '%{(#a=@java.lang.Runtime@getRuntime()).exec("id")}',
    '#{T(java.lang.Runtime).getRuntime()}',
    '(#_memberAccess=@ognl.OgnlContext@DEFAULT_MEMBER_ACCESS)',
    'class.module.classLoader.resources.context.parent.pipeline.first.suffix=.jsp',
    "new javax.script.ScriptEngineManager().getEngineByName('js').eval('1')",
    'java.lang.Thread.sleep(9000)',
    'ProcessBuilder p = new ProcessBuilder("ls"); p.start();',
    'new java.net.URL("http://evil.example.com").openStream()',
    "#context['com.opensymphony.xwork2.dispatcher.HttpServletResponse'].addHeader('a','b')",
  ],
  lookalikes: [
    'The class java.lang.Runtime has a method getRuntime()',
    'at java.lang.Thread.run(Thread.java:748)',
    'java.lang.NullPointerException: null at com.example.Main.main(Main.java:5)',
    'Struts 2 and OGNL: what is #context for?',
    'import java.util.List;',
    'PostmanRuntime/7.39.0',
    'The ClassLoader loads classes',
    'java thread.sleep(1000)',
    'Why does Thread.sleep(1000); block the page?',
  ],
};

const sequences = compileSequences([
  ...rated(
    { score: confidence.certain },
    'getruntime ( ) . exec',
    'getruntime ( ) ) . exec',
    'runtime @ getruntime (',
    'runtime ) . getruntime',
    'processbuilder ( new',
    'new java . lang . processbuilder',
    'scriptenginemanager ( ) . getengineby*',
    'scriptenginemanager ( ) . getenginebyname|getenginebyextension|getenginebymimetype',
    'getclass ( ) . forname (',
    't ( java|javax|org|com . *',
    'java . lang . runtime|processbuilder|system|thread|class|reflect @ *',
    'ognl . ognlcontext @ *',
    '_memberaccess = *',
    "_memberaccess [ '",
    '_memberaccess ) ? *',
    '_memberaccess ? *',
    '_memberaccess . *',
    'servletactioncontext|actioncontext @ *',
    "context [ ' com . opensymphony",
    'class . module . classloader',
    'class . classloader . *',
    'groovyshell ( ) . evaluate',
    "getmethod ( ' exec|getruntime '",
    "context [ ' xwork . methodaccessor",
  ),
  ...rated(
    { score: confidence.strong },
    'processbuilder ( {',
    'classloader . resources|parent|urls .',
    'class . protectiondomain .',
    'urlclassloader ( new',
    'bcel . internal . util',
    'org . springframework . cglib . core',
    ') . ( # * = *',
  ),
  ...rated(
    { score: confidence.strong, inProse: confidence.hint },
    'runtime . getruntime ( )',
    "' getruntime '",
    "processbuilder ( '",
    'new java . io . file|fileinputstream|fileoutputstream|filewriter|printwriter|randomaccessfile (',
    "new java . net . url|urlclassloader|socket ( '",
    'new java . util . scanner',
    'scriptenginemanager ( )',
    "forname ( ' java|javax . lang|script|io|util|net|naming",
  ),
  {
    pattern: "processbuilder ( ' * ' ) ; * . start (",
    score: confidence.strong,
    inProse: confidence.likely,
  },
  {
    pattern: 'java . lang . thread . sleep ( #',
    score: confidence.strong,
    inProse: confidence.trace,
  },
  { pattern: 'opensymphony . xwork2 . *', score: confidence.likely, inProse: confidence.trace },
  { pattern: 'parameters . * [ # ]', score: confidence.hint },
  { pattern: 'thread . sleep ( # ) ;', score: confidence.likely, isWhole: true },
]);

/** `${script:javascript:…}`, `${dns:address|…}`, `${url:UTF-8:…}` of Apache Commons Text. */
export const stringLookup: ValueRule = {
  id: 'code.string-lookup',
  score: confidence.certain,
  message: 'is a lookup of Apache Commons that runs a script or connects to another machine',
  trigger: {
    classes: charClass.dollar | charClass.brace | charClass.colon,
    literals: [
      wordList(
        'script: dns: url: file: java: const: xml: resourcebundle: base64decoder:',
        'properties: urldecoder: exec:',
      ),
    ],
  },
  judge: ({ text }) => foundBy(lookup.exec(text)),
  examples: [
    '${script:javascript:java.lang.Runtime.getRuntime()}',
    '${dns:address|evil.example.com}',
    '${url:UTF-8:http://evil.example.com/}',
    '${file:UTF-8:/etc/hosts}',
    '${ script:groovy:1 }',
    '${xml:/etc/x.xml:/a}',
  ],
  lookalikes: [
    'the ${date:yyyy} of ${name}',
    'open ${file:name} in the editor',
    'url: ${url}',
    '${workspaceFolder}/src',
    'script: ${name}, dns: none',
  ],
};

/** Name, then the argument in the form that the lookup takes. */
const lookup =
  /\$\{ {0,4}(?:script:[a-z]{2,20}:|dns:(?:(?:address|name|canonical-name)\||[a-z0-9.-]{4,80}\})|url:[a-z0-9-]{2,20}:[a-z]|file:[a-z0-9-]{3,20}:|xml:[^:}]{1,80}:|const:[a-z_]{1,40}\.[a-z_.]{1,80}|java:(?:runtime|vm|os|hardware|version|locale)\}|properties:[^:}]{1,80}::|resourcebundle:[^:}]{1,80}:|base64decoder:|urldecoder:|exec:)[^}\n]{0,120}\}?/i;
