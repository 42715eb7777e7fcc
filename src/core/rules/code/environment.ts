import type { Capability } from '../../grammars/script/expression/capabilities.ts';
import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';
import { expressionMatch } from './expression.ts';

/** `[59,ENV.keys]`, `'+(ENV.to_h).to_s+'`: Ruby's settings of the process, as a whole. */
export const environment: ValueRule = {
  id: 'code.environment',
  cwe: 'CWE-95',
  severity: 'high',
  score: confidence.strong,
  message: 'is an expression of Ruby that shows the environment of the server',
  trigger: { literals: [['env']] },
  judge: (subject) => expressionMatch(subject, shown),
  examples: ['ENV.to_h', '[59,ENV.keys]', "'+(ENV.to_h).to_s+'", 'x#{ENV.inspect}'],
  lookalikes: [
    'ENV.keys shows all names',
    'ENV.fetch("HOME")',
    'env.example',
    'set ENV.to_h aside',
  ],
};

const shown: ReadonlySet<Capability> = new Set<Capability>(['environment']);
