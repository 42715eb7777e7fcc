import { confidence } from '../../placement/confidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';
import { compileSequences, findSequence } from './sequence.ts';

/**
 * `__import__('os').system('id')`, `eval(compile(…))`,
 * `().__class__.__base__.__subclasses__()`
 */
export const python: ValueRule = {
  id: 'code.python',
  cwe: 'CWE-95',
  severity: 'critical',
  score: confidence.certain,
  message: 'is Python that runs commands or walks to the interpreter',
  trigger: {
    literals: [
      [
        ...wordList(
          '__ os.system os.popen os.exec os.spawn os.startfile os.listdir os.environ',
          'os.getcwd os.getenv os.remove os.unlink posix. subprocess compile(',
        ),
        'compile (',
        'import os',
        'import sys',
        'import pty',
        'import sub',
        'import soc',
        'import com',
        'import pla',
        'pty.',
        'exec(',
        'exec (',
        'eval(',
        'eval (',
        'commands.get',
      ],
    ],
  },
  judge: (subject) => findSequence(subject, sequences),
  examples: [
    "__import__('os').system('id')",
    'import os; os.popen("id").read()',
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
    "pos.system('metric')",
    'import sys, os\nprint(sys.argv[1:], os.getcwd())',
    'names = os.listdir(os.path.join(folder, "dist"))\nos.remove(names[0])',
  ],
};

const processes =
  'system|popen|popen2|popen3|exec|execl|execle|execlp|execv|execve|execvp|spawnl|spawnv|startfile';

const sequences = compileSequences([
  { pattern: "__import__ ( '", score: confidence.certain },
  { pattern: '__import__ ( $', score: confidence.strong },
  { pattern: "__import__ ' ] ( '", score: confidence.certain },
  { pattern: `os . ${processes} ( '`, score: confidence.strong, inProse: confidence.hint },
  {
    pattern: `os . ${processes} ( request|input|sys|cmd`,
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: "posix . system|popen ( '", score: confidence.strong },
  {
    pattern: 'os . listdir|environ|getcwd|getenv ( )',
    score: confidence.likely,
    inProse: confidence.trace,
  },
  // `os.listdir(os.path.join(a, b))` is what programs say that somebody shows.
  {
    pattern: "os . listdir|getenv|remove|unlink ( '",
    score: confidence.likely,
    inProse: confidence.trace,
  },
  {
    pattern: "subprocess . call|run|popen|check_output|check_call|getoutput|getstatusoutput ( '",
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: 'subprocess . call|run|popen|check_output|check_call ( [',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: "commands . getoutput|getstatusoutput ( '", score: confidence.strong },
  { pattern: 'eval|exec ( compile (', score: confidence.certain },
  { pattern: 'eval|exec ( bytes . fromhex (', score: confidence.certain },
  { pattern: 'eval|exec ( __import__ (', score: confidence.certain },
  { pattern: "exec|eval ( ' import *", score: confidence.certain },
  { pattern: "exec|eval ( ' __import__", score: confidence.certain },
  { pattern: "exec|eval ( ' print", score: confidence.strong, inProse: confidence.hint },
  { pattern: 'eval|exec ( input|raw_input (', score: confidence.strong, inProse: confidence.hint },
  {
    pattern: 'import os|sys|pty|subprocess|socket|commands|platform ; *',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: '__subclasses__ ( ) [', score: confidence.certain },
  { pattern: '__subclasses__ ( ) if', score: confidence.certain },
  { pattern: '__base__ . __subclasses__ (', score: confidence.strong, inProse: confidence.hint },
  {
    pattern: '__class__ . __base__|__mro__|__bases__ . *',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  {
    pattern: '__class__ . __bases__|__mro__ [ *',
    score: confidence.strong,
    inProse: confidence.hint,
  },
  { pattern: '__globals__ [ *', score: confidence.certain },
  { pattern: '__globals__ . *', score: confidence.strong, inProse: confidence.hint },
  { pattern: '__builtins__ [ *', score: confidence.certain },
  { pattern: '__builtins__ . *', score: confidence.strong, inProse: confidence.hint },
  { pattern: "__builtins__ , '", score: confidence.strong },
  { pattern: '__init__ . __globals__', score: confidence.certain },
  { pattern: "pty . spawn ( '", score: confidence.certain },
  { pattern: "__builtins__ ' ]", score: confidence.strong },
  {
    pattern: 'import os|sys|pty|subprocess|socket , os|sys|pty|subprocess|socket',
    score: confidence.hint,
    inProse: confidence.trace,
  },
]);
