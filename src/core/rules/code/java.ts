import { compileSequences, findSequence, rated } from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/**
 * `Runtime.getRuntime().exec("id")`, OGNL's `@java.lang.Runtime@getRuntime()`, SpEL's
 * `T(java.lang…)`
 */
export const java: ValueRule = {
  id: 'code.java',
  cwe: 'CWE-917',
  severity: 'critical',
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
    'servletactioncontext @ *',
    'actioncontext @ *',
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
