import type { Rewriter } from '../contract.ts';
import { sqlRewriters } from './sql.ts';

/** All rewriters; a name is unique within its language. */
export const rewriters: readonly Rewriter[] = [...sqlRewriters];
