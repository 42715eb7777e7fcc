import { confidence } from '../../placement/confidence.ts';
import { isRequestPath } from '../../placement/path-place.ts';
import type { ValueRule } from '../rule.ts';

/** `/static../app.py`: nginx glues what follows a `location` without a final slash to its alias. */
export const aliasStep: ValueRule = {
  id: 'traversal.alias-step',
  score: confidence.likely,
  message: 'ends the name of a directory in two dots, which leads above it behind an nginx alias',
  trigger: { literals: [['../']] },
  judge: (subject) => {
    const found = gluedStep.exec(subject.text.slice(0, pathCharsMax));
    if (found === null) return undefined;
    return {
      start: 0,
      end: found[0].length,
      score: isRequestPath(subject) ? confidence.strong : confidence.likely,
    };
  },
  examples: [
    ...['/static../config/settings.py', '/assets/img../.env', '/files%2e%2e/app.ini'],
    { body: { method: 'GET', path: '/media../backup.tar' } },
  ],
  lookalikes: [
    ...['and so on../then', '/home/anna/... and more', '/usr/lib/x86../ is no directory of mine'],
    'see docs../README.md',
  ],
};

const pathCharsMax = 300;
/** The whole value: an ellipsis in prose has words around it. */
const gluedStep =
  /^\/(?:[\w-]{1,40}\/){0,4}[A-Za-z][\w-]{1,40}\.\.\/[\w.-][\w./-]{0,200}(?:$|[?#])/;
