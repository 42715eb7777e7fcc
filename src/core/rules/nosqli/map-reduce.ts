import { confidence } from '../../placement/confidence.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * A whole value that is a map function: what a view or a map-reduce job of the database would run.
 */
export const mapReduce: ValueRule = {
  id: 'nosqli.map-reduce',
  cwe: 'CWE-943',
  severity: 'high',
  score: confidence.strong,
  message: 'is a map function that the database would run over every document',
  trigger: { literals: [['function', '=>'], ['emit(']] },
  examples: [
    'function(){emit(this.a,this.b)}',
    'function (doc) { emit(doc._id, doc.pin); }',
    'mapReduce(function(){emit(1,this)},1)',
    'function m(d){if(d.x)emit(d.x,1)}',
  ],
  lookalikes: [
    'The map function calls emit(key, value) for each document.',
    'button.on("click", function () { this.emit("done"); })',
    'socket.emit(event)',
  ],
  judge(subject): Match | undefined {
    if (!mapFunction.test(subject.text.slice(0, 200))) return undefined;
    const emit = subject.text.indexOf('emit(');
    return { start: 0, end: emit + 5 };
  },
};

const mapFunction =
  /^\s{0,8}(?:(?:\w{1,20}\.){0,3}mapReduce\(\s{0,4})?function\s{0,4}\w{0,20}\s{0,4}\([\w, ]{0,20}\)\s{0,4}\{[\s\S]{0,80}\bemit\(/;
