import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import type { Match, ValueRule } from '../rule.ts';

/** A loop that waits on the clock: how a script without `sleep` delays its answer. */
export const busyLoop: ValueRule = {
  id: 'nosqli.busy-loop',
  cwe: 'CWE-943',
  severity: 'high',
  score: confidence.strong,
  message: 'keeps the database busy by a loop on the clock',
  trigger: { literals: [['while'], ['new date', 'date.now']] },
  examples: [
    '0;var d=new Date();do{c=new Date();}while(c-d<4000);',
    "';s=Date.now();while(Date.now()-s<9000){};x='",
    'while((new Date())-t<5000){}',
  ],
  lookalikes: [
    'Wait a while: the new Date is in May.',
    'const d = new Date(); while (queue.length > 0) { run(queue.pop()); }',
    'new Date() - start gives the time that passed, for a while',
  ],
  judge(subject): Match | undefined {
    return foundBy(clockLoop.exec(subject.text));
  },
};

const clockLoop =
  /while ?\( ?\(?(?:\w{1,20}|\(?new Date\(?\)?\)?|Date\.now\(\)) ?- ?(?:\w{1,20}|\(?new Date\(?\)?\)?) ?<=? ?\d/;
