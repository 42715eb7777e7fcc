import { beyondAscii } from '../../match/prefilter.ts';
import type { Trigger } from '../../rules/rule.ts';
import { wordList } from '../../text/words.ts';
import { sqlAnchor as anchor } from './anchor.ts';
import { sqlWord, wordsOf } from './sql-words.ts';
import { unionAnchor } from './union-anchor.ts';

/**
 * What stands after a quote that ends a literal: white space, a sign, or how a word of SQL begins.
 */
const afterQuote = [
  ...' \t\n\r\v\f\0)=<>!|&;#*/^%+-~\\(,',
  ...wordList(
    'or an xo as li il rl reg in is be di mo no ma gl si so co es ha gr pr wh wa un se ex',
    'mi up de dr cr al sh sl if ii of fr on tr',
  ),
];

const quotes = ["'", '"', '`'];

const blanks = [...' \t\n\r\v\f'];

/**
 * LIKE and its relatives before a number, whatever white space is between: prose has words there,
 * behind one space or at the end of a line.
 */
const comparedNumbers = ['like', 'glob', 'regexp', 'match'].flatMap((word) =>
  blanks.flatMap((blank) => [...blanks, ...'0123456789'].map((next) => word + blank + next)),
);

/**
 * How the arguments of a call begin that computes a constant. The names of all functions would be
 * states that prose goes through.
 */
const firstArguments = [...blanks, ...`0123456789'"+-~.`].map((next) => `(${next}`);

/** Signs that prose seldom has, and words that need no sign. */
const signs = [
  ...quotes.flatMap((quote) => afterQuote.map((text) => quote + text)),
  ...wordList('= < > -- # /* || && @@ () select between substr ascii concat isnull exists like('),
  ...[...wordsOf(sqlWord.sharedTimeCall), ...wordsOf(sqlWord.timeCall)],
  ...[...firstArguments, ...comparedNumbers],
];

/**
 * What an injected piece of SQL holds at least one of. Prose may hold some too: `anchor.ts` looks
 * closer.
 */
export const signTrigger: Trigger = { anchor, literals: [signs] };

/** An expression may also begin with CASE. */
export const expressionTrigger: Trigger = { anchor, literals: [[...signs, 'case']] };

/** The words of clauses that need no sign: `1 order by 5`. */
export const clauseTrigger: Trigger = {
  anchor,
  literals: [
    wordList(
      'order group having limit offset procedure waitfor where duplicate join conflict from',
    ),
  ],
};

/** The rest of a statement: a list or a clause, and a quote or comment that it leaves or ends in. */
export const continuationTrigger: Trigger = {
  literals: [
    wordList(
      ', ; from then where union or and join group having || && connect start fetch',
      'option output log model */ limit offset window indexed',
    ),
    [
      ...[...quotes, '\0', ' is', ' in'],
      ...wordList('-- # /* */ = < > ( ~ true false null union'),
      ...[...'0123456789'].flatMap((digit) => [`where ${digit}`, `by ${digit}`]),
      ...wordList('@@ case update share xml json first next deleted. limit'),
      ...wordsOf(sqlWord.like),
    ],
  ],
};

const connectives = wordList(
  'or and xor is in like glob rlike regexp between collate div mod not | & = < > ! + - * / % ^ #',
);

/** A parenthesis that closes, a connective, and what opens one again or cuts off the rest. */
export const parenthesisTrigger: Trigger = {
  literals: [
    [
      ...connectives.map((next) => `)${next}`),
      ...blanks.flatMap((blank) => [...connectives, ...blanks].map((next) => `)${blank}${next}`)),
    ],
    ['(', '--', '#', '/*', ';', '\0'],
  ],
};

/** SELECT … INTO OUTFILE. */
export const fileTrigger: Trigger = { literals: [['outfile', 'dumpfile']] };

const unions = wordsOf(sqlWord.union);

/** How a query, or ALL and its relatives in front of it, begin. */
const queryInitials = [
  ...new Set(
    [sqlWord.select, sqlWord.values, sqlWord.exec, sqlWord.table, sqlWord.quantifier].flatMap(
      (words) => wordsOf(words).map((word) => word.charAt(0)),
    ),
  ),
];

/** ASCII up to the blank. */
const spaces = Array.from({ length: 33 }, (_, code) => String.fromCharCode(code));
const afterUnion = [...'!#%&(*+-/^|~', ...spaces];

/**
 * UNION and its relatives with the query that they append. Prose has both words, seldom the one
 * before a letter that the other begins with; `union-anchor.ts` says what may stand between.
 */
export const unionTrigger: Trigger = {
  anchor: unionAnchor,
  literals: [
    unions,
    ['select', 'values', 'exec', 'table'],
    [
      ...unions.flatMap((word) =>
        afterUnion.filter((sign) => sign !== ' ').map((sign) => word + sign),
      ),
      ...unions.flatMap((word) =>
        [...afterUnion, ...queryInitials].map((next) => `${word} ${next}`),
      ),
      beyondAscii,
    ],
  ],
};

/** Verbs of SQL that prose and programs seldom begin a sentence with. */
export const tellingVerbs: readonly string[] = wordList(
  'select insert replace update delete drop create alter truncate exec declare begin',
  'waitfor shutdown grant revoke copy merge handler prepare backup infile bulk dbcc',
  'describe tables databases print kill rename attach detach pragma vacuum reconfigure',
  'restore raiserror iif explain flush optimize sleep benchmark dbms_ reindex savepoint',
  'discard reassign notify listen deny revert setuser purge flashback noaudit throw',
);

/** Verbs that are too common to wait for, but for right after a semicolon. */
export const commonVerbs: readonly string[] = [
  ...['call', 'desc', 'set', 'use', 'show', 'load', 'lock', 'if', 'do', 'with'],
  ...['table', 'values', 'reset', 'commit', 'rollback', 'end', 'analyze', 'repair', 'refresh'],
  ...['prepare', 'deallocate', 'unlock', 'checkpoint', 'install', 'uninstall', 'checksum'],
  ...['comment', 'check'],
  // Of PostgreSQL and MariaDB
  ...wordList('abort binlog cache change import perform release security signal start stop xa'),
];

/** The verbs of statements, and what some statements without a verb of their own hold. */
export const statementTrigger: Trigger = {
  literals: [
    tellingVerbs.concat(['\r', '\n', '*/'].flatMap((end) => commonVerbs.map((verb) => end + verb))),
  ],
};

/** A verb, or a comment, before which a verb of any dialect may stand. */
export const stackedSigns: readonly string[] = [...tellingVerbs, '--', '#', '/*'];

export const stackedTrigger: Trigger = {
  anchor,
  literals: [
    [
      ...stackedSigns,
      ...commonVerbs.flatMap((verb) => ['', ...blanks].map((blank) => `;${blank}${verb}`)),
      ...[...'\r\n'].flatMap((line) =>
        commonVerbs.flatMap((verb) => blanks.map((blank) => `;${line}${blank}${verb}`)),
      ),
      // Prose and programs have one blank there.
      ...blanks.flatMap((blank) => [`; ${blank}`, `;\t${blank}`]),
    ],
  ],
};

/** Functions that wait, by name. */
export const timeTrigger: Trigger = {
  anchor,
  literals: [
    [...wordsOf(sqlWord.timeCall), ...wordsOf(sqlWord.sharedTimeCall), ...wordsOf(sqlWord.package)],
  ],
};

/** Functions whose errors carry data, by name. */
export const errorTrigger: Trigger = { anchor, literals: [wordsOf(sqlWord.errorCall)] };

/** Functions and procedures that reach out of the database, by name. */
export const outsideTrigger: Trigger = {
  anchor,
  literals: [[...wordsOf(sqlWord.outsideCall), ...wordsOf(sqlWord.serverProcedure)]],
};

/** CHAR and CHR with something to call them on. */
export const characterTrigger: Trigger = {
  anchor,
  literals: [['char', 'chr'], ['('], ['+', '||', ',']],
};
