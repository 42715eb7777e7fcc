import { confidence } from '../../placement/confidence.ts';
import { strongestPath } from '../../placement/path-place.ts';
import type { ValueRule } from '../rule.ts';

/** `/app/..;/manager/`: the proxy sees a name, the servlet container a step up. */
export const servletParameter: ValueRule = {
  id: 'traversal.servlet-parameter',
  score: confidence.strong,
  message: 'hides a step up behind a path parameter, which only the servlet container cuts off',
  trigger: { literals: [['..;', '%2e;', '.%2e;']] },
  judge: (subject) =>
    strongestPath(subject, (word, place) =>
      word.params ? (place === 'prose' ? confidence.hint : confidence.strong) : 0,
    ),
  examples: ['/app/..;/manager/html', '/api/v1/..;x=1/internal', '/a/..;/..;/b'],
  lookalikes: ['to be continued..; or not', 'a..;b', 'and so on..;\n/new line'],
};
