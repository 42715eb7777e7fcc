import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';
import { compileSequences, findSequence } from './sequence.ts';

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
  { pattern: 'getruntime ( ) . exec', score: confidence.certain },
  { pattern: 'getruntime ( ) ) . exec', score: confidence.certain },
  { pattern: 'runtime @ getruntime (', score: confidence.certain },
  { pattern: 'runtime . getruntime ( )', score: confidence.strong, inProse: confidence.hint },
  { pattern: 'runtime ) . getruntime', score: confidence.certain },
  {
    pattern: 'java . lang . thread . sleep ( #',
    score: confidence.strong,
    inProse: confidence.trace,
  },
  { pattern: 'thread . sleep ( # ) ;', score: confidence.likely, isWhole: true },
  { pattern: "' getruntime '", score: confidence.strong, inProse: confidence.hint },
  { pattern: 'processbuilder ( new', score: confidence.certain },
  { pattern: "processbuilder ( '", score: confidence.strong, inProse: confidence.hint },
  { pattern: 'processbuilder ( {', score: confidence.strong },
  {
    pattern: "processbuilder ( ' * ' ) ; * . start (",
    score: confidence.strong,
    inProse: confidence.likely,
  },
  { pattern: 'new java . lang . processbuilder', score: confidence.certain },
  {
    pattern:
      'new java . io . file|fileinputstream|fileoutputstream|filewriter|printwriter|randomaccessfile (',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: "new java . net . url|urlclassloader|socket ( '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: 'new java . util . scanner', score: confidence.strong, inProse: confidence.hint },
  { pattern: 'scriptenginemanager ( ) . getengineby*', score: confidence.certain },
  {
    pattern: 'scriptenginemanager ( ) . getenginebyname|getenginebyextension|getenginebymimetype',
    score: confidence.certain,
  },
  { pattern: 'scriptenginemanager ( )', score: confidence.strong, inProse: confidence.hint },
  { pattern: 'getclass ( ) . forname (', score: confidence.certain },
  {
    pattern: "forname ( ' java|javax . lang|script|io|util|net|naming",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: 't ( java|javax|org|com . *', score: confidence.certain },
  {
    pattern: 'java . lang . runtime|processbuilder|system|thread|class|reflect @ *',
    score: confidence.certain,
  },
  { pattern: 'ognl . ognlcontext @ *', score: confidence.certain },
  { pattern: '_memberaccess = *', score: confidence.certain },
  { pattern: "_memberaccess [ '", score: confidence.certain },
  { pattern: '_memberaccess ) ? *', score: confidence.certain },
  { pattern: '_memberaccess ? *', score: confidence.certain },
  { pattern: '_memberaccess . *', score: confidence.certain },
  { pattern: 'servletactioncontext @ *', score: confidence.certain },
  { pattern: 'actioncontext @ *', score: confidence.certain },
  { pattern: "context [ ' com . opensymphony", score: confidence.certain },
  { pattern: 'opensymphony . xwork2 . *', score: confidence.likely, inProse: confidence.trace },
  { pattern: 'parameters . * [ # ]', score: confidence.hint },
  { pattern: 'class . module . classloader', score: confidence.certain },
  { pattern: 'class . classloader . *', score: confidence.certain },
  { pattern: 'classloader . resources|parent|urls .', score: confidence.strong },
  { pattern: 'class . protectiondomain .', score: confidence.strong },
  { pattern: 'urlclassloader ( new', score: confidence.strong },
  { pattern: 'groovyshell ( ) . evaluate', score: confidence.certain },
  { pattern: 'bcel . internal . util', score: confidence.strong },
  { pattern: "getmethod ( ' exec|getruntime '", score: confidence.certain },
  { pattern: 'org . springframework . cglib . core', score: confidence.strong },
  { pattern: "context [ ' xwork . methodaccessor", score: confidence.certain },
  { pattern: ') . ( # * = *', score: confidence.strong },
]);
