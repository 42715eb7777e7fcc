import { comments } from './sql/comments.ts';
import { encodings } from './sql/encodings.ts';
import { ends } from './sql/ends.ts';
import { literals } from './sql/literals.ts';
import { names } from './sql/names.ts';
import { operators } from './sql/operators.ts';
import type { SqlRewriter } from './sql/rewriter.ts';
import { spaces } from './sql/spaces.ts';
import { tamperRewriters } from './sql/sqlmap.ts';
import { structure } from './sql/structure.ts';

/** All rewriters of SQL. */
export const sqlRewriters: readonly SqlRewriter[] = [
  ...spaces,
  ...comments,
  ...literals,
  ...operators,
  ...names,
  ...structure,
  ...ends,
  ...encodings,
  ...tamperRewriters,
];
