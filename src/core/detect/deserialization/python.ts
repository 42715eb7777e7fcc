import type { Match, ValueRule } from '../rule.ts';

/** Protocol 2 to 5 behind their PROTO opcode, in base64 (pickletools, CPython). */
const base64Pickle = /(?:^|[^A-Za-z0-9+/])gA[JNRS][A-Za-z0-9+/]{12}/;
/** Protocol 0: GLOBAL with module and name on lines of their own, then what REDUCE calls it with. */
const globalOpcode = /(?:^|[^A-Za-z])c[a-z_][\w.]{0,60}\r?\n[A-Za-z_]\w{0,60}\r?\n/;
const reduceOpcode = /\n(?:p\d{1,4}\r?\n)?t(?:p\d{1,4}\r?\n)?R[.bpsa]/;
const rawProtocol = /\u0080[\u0002-\u0005](?:\u0095|[c(}\]X\u008c])/;

/** A pickled Python object. */
export const pickle: ValueRule = {
  id: 'deserialization.python-pickle',
  category: 'deserialization',
  cwe: 'CWE-502',
  severity: 'critical',
  score: 85,
  message: 'carries a pickled Python object, which calls functions when it is read',
  trigger: {
    literals: [['gAJ', 'gAN', 'gAR', 'gAS', '\n(', '\u0002', '\u0003', '\u0004', '\u0005']],
  },
  examples: [
    "cos\nsystem\n(S'ls'\ntR.",
    'c__builtin__\neval\n(Vprint(1)\ntR.',
    'gASVJQAAAAAAAACMBXBvc2l4lIwGc3lzdGVt',
    '\u0080\u0004\u0095\u0025\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u008c\u0005posix',
  ],
  lookalikes: [
    'const\nvalue\n(see R. Smith)',
    'magASIN',
    'gASTRO bar and grill',
    'calls\nnothing\n',
    'eyJnQVNWIjoxfQ.gAR.x',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const call = globalOpcode.exec(text);
    if (call !== null) {
      const rest = text.slice(call.index + call[0].length, call.index + call[0].length + 2000);
      if (rest.startsWith('(') && reduceOpcode.test(rest)) return matchOf(call);
    }
    return matchOf(base64Pickle.exec(text) ?? rawProtocol.exec(text));
  },
};

function matchOf(found: RegExpExecArray | null): Match | undefined {
  if (found === null) return undefined;
  return { start: found.index, end: found.index + found[0].length };
}
