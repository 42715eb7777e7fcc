import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/**
 * `() { :;}; …`: a function definition that old versions of bash run when they read an environment.
 */
export const shellshock: ValueRule = {
  id: 'other.shellshock',
  cwe: 'CWE-78',
  severity: 'critical',
  score: confidence.certain,
  message:
    'is a function definition with commands behind it, which old versions of bash run at once',
  trigger: {
    literals: [
      ['() {', '(){', '()  {', '()\t{'],
      ['};', '} ;', '}>', '} >', ';}', '; }'],
    ],
  },
  judge: (subject) => {
    const { text } = subject;
    const start = startOfDefinition(text);
    if (start < 0) return undefined;
    definition.lastIndex = start;
    if (!definition.test(text)) return undefined;
    return { start, end: Math.min(text.length, definition.lastIndex + 60) };
  },
  examples: [
    '() { :;}; /bin/bash -c "id"',
    '() { :; }; echo vulnerable',
    '() { _; } >_[$($())] { id; }',
    'User-Agent: () { ignored;};/usr/bin/id',
    'Hello, () { :;}; /bin/bash -c "id" and bye',
    '(){x;};ping -c 1 203.0.113.5',
  ],
  lookalikes: [
    'function go() { return 1; }; go();',
    'const f = () => { run(); };',
    'setTimeout(function () { done(); }, 10);',
    'say() { echo hi; }; say',
    '() { console.log(1) }',
  ],
};

/** The definition is the value, or the value of a header line. */
function startOfDefinition(text: string): number {
  if (beginning.test(text)) return text.indexOf('(');
  const quoted = withCommand.exec(text);
  if (quoted !== null) return quoted.index;
  const header = text.indexOf(': ()');
  return header > 0 && header < 60 && text.lastIndexOf('\n', header) < 0 ? header + 2 : -1;
}

/** In a sentence only with an empty body, and the path of a program behind it. */
const withCommand = /\(\)\s{0,4}\{\s{0,4}:\s{0,2};\s{0,2}\}\s{0,2};\s{0,4}\/(?:usr\/)?bin\//;
const beginning = /^\s{0,4}\(\)\s{0,4}\{/;
const definition =
  /\(\)\s{0,4}\{\s{0,4}(?:[:_\w]{0,20}\s{0,4};?\s{0,4}\}\s{0,4};\s{0,4}\S|_?\s{0,2};?\s{0,2}\}\s{0,2}>)/y;
