import type { ValueRule } from '../rule.ts';
import { compileSequences, findSequence } from './sequence.ts';

/**
 * `__import__('os').system('id')`, `eval(compile(…))`,
 * `().__class__.__base__.__subclasses__()`
 */
export const python: ValueRule = {
  id: 'code.python',
  category: 'code',
  cwe: 'CWE-95',
  severity: 'critical',
  score: 90,
  message: 'is Python that runs commands or walks to the interpreter',
  trigger: {
    literals: [
      ['__', 'os.', 'subprocess', 'compile', 'import', 'pty', 'exec', 'popen', 'commands'],
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
    'Use subprocess.run() and not os.system() in new code',
    '`obj.__class__.__mro__` lists the bases',
    'from __future__ import annotations',
    'if __name__ == "__main__": main()',
    'the import os line is missing',
    "pos.system('metric')",
  ],
};

const processes =
  'system|popen|popen2|popen3|exec|execl|execle|execlp|execv|execve|execvp|spawnl|spawnv|startfile';

const sequences = compileSequences([
  { pattern: "__import__ ( '", score: 92 },
  { pattern: '__import__ ( $', score: 85 },
  { pattern: "__import__ ' ] ( '", score: 94 },
  { pattern: `os . ${processes} ( '`, score: 88, inProse: 62 },
  { pattern: `os . ${processes} ( request|input|sys|cmd`, score: 80, inProse: 55 },
  { pattern: "posix . system|popen ( '", score: 88 },
  { pattern: 'os . listdir|environ|getcwd|getenv|remove|unlink (', score: 74, inProse: 40 },
  {
    pattern: "subprocess . call|run|popen|check_output|check_call|getoutput|getstatusoutput ( '",
    score: 86,
    inProse: 55,
  },
  { pattern: 'subprocess . call|run|popen|check_output|check_call ( [', score: 84, inProse: 50 },
  { pattern: "commands . getoutput|getstatusoutput ( '", score: 88 },
  { pattern: 'eval|exec ( compile (', score: 92 },
  { pattern: 'eval|exec ( __import__ (', score: 95 },
  { pattern: "exec|eval ( ' import *", score: 90 },
  { pattern: "exec|eval ( ' __import__", score: 94 },
  { pattern: "exec|eval ( ' print", score: 80, inProse: 55 },
  { pattern: 'eval|exec ( input|raw_input (', score: 84, inProse: 55 },
  { pattern: 'import os|sys|pty|subprocess|socket|commands|platform ; *', score: 84, inProse: 60 },
  { pattern: '__subclasses__ ( ) [', score: 92 },
  { pattern: '__subclasses__ ( ) if', score: 92 },
  { pattern: '__base__ . __subclasses__ (', score: 88, inProse: 55 },
  { pattern: '__class__ . __base__|__mro__|__bases__ . *', score: 85, inProse: 50 },
  { pattern: '__class__ . __bases__|__mro__ [ *', score: 85, inProse: 60 },
  { pattern: '__globals__ [ *', score: 90 },
  { pattern: '__globals__ . *', score: 85, inProse: 50 },
  { pattern: '__builtins__ [ *', score: 90 },
  { pattern: '__builtins__ . *', score: 82, inProse: 50 },
  { pattern: "__builtins__ , '", score: 82 },
  { pattern: '__init__ . __globals__', score: 92 },
  { pattern: "pty . spawn ( '", score: 92 },
  { pattern: "__builtins__ ' ]", score: 88 },
  {
    pattern: 'import os|sys|pty|subprocess|socket , os|sys|pty|subprocess|socket',
    score: 82,
    inProse: 55,
  },
]);
