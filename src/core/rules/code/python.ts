import { compileSequences, findSequence, rated } from '../../placement/code-sequence.ts';
import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/**
 * `__import__('os').system('id')`, `eval(compile(…))`,
 * `().__class__.__base__.__subclasses__()`
 */
export const python: ValueRule = {
  id: 'code.python',
  cwe: 'CWE-95',
  score: confidence.certain,
  message: 'is Python that runs commands or walks to the interpreter',
  trigger: {
    literals: [
      [
        ...wordList(
          '__ os.system os.popen os.exec os.spawn os.startfile os.listdir os.environ',
          'os.getcwd os.getenv os.remove os.unlink posix. subprocess compile(',
        ),
        ...wordList('pty. exec( eval( commands.get'),
        ...[
          'compile (',
          'import os',
          'import sys',
          'import pty',
          'import sub',
          'import soc',
          'import com',
          'import pla',
          'exec (',
          'eval (',
        ],
      ],
    ],
  },
  judge: (subject) => findSequence(subject, sequences),
  examples: [
    "__import__('os').system('id')",
    'import os; os.popen("id").read()',
    "__import__('doctest').os.system('id')",
    "__import__('doctest').testmod();__import__('pdb').os.popen('id')",
    "__import__('pytest').raises(Exception, exec, 'x')",
    "eval(compile('import os','','exec'))",
    '().__class__.__base__.__subclasses__()[59]',
    'subprocess.check_output("id", shell=True)',
    "getattr(__builtins__, 'eval')('1')",
    "exec('import os')",
  ],
  lookalikes: [
    '>>> import os\n>>> os.system("ls")',
    'Use subprocess.run() and not os.system() in new code',
    '`obj.__class__.__mro__` lists the bases',
    'from __future__ import annotations',
    'if __name__ == "__main__": main()',
    'the import os line is missing',
    'if __name__ == "__main__":\n    __import__("doctest").testmod()',
    "__import__('pkg_resources').declare_namespace(__name__)",
    "pos.system('metric')",
    'import sys, os\nprint(sys.argv[1:], os.getcwd())',
    'names = os.listdir(os.path.join(folder, "dist"))\nos.remove(names[0])',
  ],
};

const processes =
  'system|popen|popen2|popen3|exec|execl|execle|execlp|execv|execve|execvp|spawnl|spawnv|startfile';

/** What programs write in this way: tests of themselves, and packages that share a name. */
const usual =
  /^(?:doctest['"]\)\.testmod\(\)|pytest['"]\)\.raises\([\w.]{1,60}\)|pkg_resources['"]\)\.declare_namespace\(__name__\))/;

const sequences = compileSequences([
  { pattern: "__import__ ( '", score: confidence.certain, unless: usual },
  ...rated(
    { score: confidence.certain },
    "__import__ ' ] ( '",
    'eval|exec ( compile (',
    'eval|exec ( bytes . fromhex (',
    'eval|exec ( __import__ (',
    "exec|eval ( ' import *",
    "exec|eval ( ' __import__",
    '__subclasses__ ( ) [',
    '__subclasses__ ( ) if',
    '__globals__ [ *',
    '__builtins__ [ *',
    '__init__ . __globals__',
    "pty . spawn ( '",
  ),
  ...rated(
    { score: confidence.strong },
    '__import__ ( $',
    "posix . system|popen ( '",
    "commands . getoutput|getstatusoutput ( '",
    "__builtins__ , '",
    "__builtins__ ' ]",
  ),
  ...rated(
    { score: confidence.strong, inProse: confidence.hint },
    `os . ${processes} ( '`,
    `os . ${processes} ( request|input|sys|cmd`,
    "subprocess . call|run|popen|check_output|check_call|getoutput|getstatusoutput ( '",
    'subprocess . call|run|popen|check_output|check_call ( [',
    "exec|eval ( ' print",
    'eval|exec ( input|raw_input (',
    'import os|sys|pty|subprocess|socket|commands|platform ; *',
    '__base__ . __subclasses__ (',
    '__class__ . __base__|__mro__|__bases__ . *',
    '__class__ . __bases__|__mro__ [ *',
    '__globals__ . *',
    '__builtins__ . *',
  ),
  ...rated(
    { score: confidence.likely, inProse: confidence.trace },
    'os . listdir|environ|getcwd|getenv ( )',
    // `os.listdir(os.path.join(a, b))` stands in programs that are shown.
    "os . listdir|getenv|remove|unlink ( '",
  ),
  {
    pattern: 'import os|sys|pty|subprocess|socket , os|sys|pty|subprocess|socket',
    score: confidence.hint,
    inProse: confidence.trace,
  },
]);
