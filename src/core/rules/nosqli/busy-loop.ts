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
  trigger: { literals: [['while'], ['date']] },
  examples: [
    '0;var d=new Date();do{c=new Date();}while(c-d<4000);',
    "';s=Date.now();while(Date.now()-s<9000){};x='",
    'while((new Date())-t<5000){}',
    '0;var\td=new\tDate();do{c=new\nDate();}while\t(c-d<4000);',
  ],
  lookalikes: [
    'Wait a while: the new Date is in May.',
    'const d = new Date(); while (queue.length > 0) { run(queue.pop()); }',
    'while (end - start < 10) date()',
    'new Date() - start gives the time that passed, for a while',
  ],
  judge(subject): Match | undefined {
    const { text } = subject;
    return clock.test(text) ? foundBy(clockLoop.exec(text)) : undefined;
  },
};

const clock = /new\s{1,4}Date|Date\.now/;
const clockLoop =
  /while\s?\(\s?\(?(?:\w{1,20}|\(?new\sDate\(?\)?\)?|Date\.now\(\))\s?-\s?(?:\w{1,20}|\(?new\sDate\(?\)?\)?)\s?<=?\s?\d/;
