import type { ValueRule } from '../rule.ts';
import { type Break, type Breaks, connective, context } from './breaks.ts';
import { isEarlyQuote, strongestBreak } from './evidence.ts';
import { sqlTrigger } from './trigger.ts';

/** `admin'--`, `admin' #`, `root")/*`. */
export const commentCut: ValueRule = {
  id: 'sqli.comment-cut',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'high',
  score: 85,
  message: 'ends a literal and cuts the rest of the statement off with a comment',
  trigger: sqlTrigger,
  judge: (subject) => strongestBreak(subject, scoreOf),
  examples: [],
  lookalikes: [],
};

function scoreOf(one: Break, all: Breaks): number {
  if (one.connective !== connective.comment || one.context !== context.quote) return 0;
  const { tokens } = all;
  if ((tokens.jump[one.at] as number) >= 0) return 0;
  const isLast = tokens.count - one.at <= restTokensMax;
  if (!isLast) return one.isBalanced ? 0 : 30;
  if (one.isBalanced || (one.before === 0 && one.closers === 0)) return 50;
  if (!isEarlyQuote(one, all) || one.before > nameTokensMax) return 60;
  return 85;
}

/** The comment's mark itself, and one sign or word after it as some tools send: `--+`, `-- -`, `-- a`. */
const restTokensMax = 2;

/** What is looked up is a name or a number: one or two words. */
const nameTokensMax = 2;
