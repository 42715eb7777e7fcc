/** What the rest of a script says, as bits. */
export const said = {
  /** `this.x`, `db.x`, `doc.x`: documents and the database. */
  document: 1 << 0,
  /** A call of what only an operator of the database may call. */
  call: 1 << 1,
  /** RETURN, IF, a loop, a function. */
  statement: 1 << 2,
  /** Two constants are compared, or a constant is true or false by itself. */
  constant: 1 << 3,
  /** `||`, `&&`, `?` */
  logical: 1 << 4,
  compare: 1 << 5,
  number: 1 << 6,
  /** A name that nothing is known of. */
  name: 1 << 7,
  semicolon: 1 << 8,
  text: 1 << 9,
  /** What any script may use: `Object.keys`, `new Date`, `typeof`, a method of a constant. */
  host: 1 << 10,
  /** A value is returned, and what follows never runs. */
  answer: 1 << 11,
  /** A name behind it. */
  deadName: 1 << 12,
} as const;

/** How it ends: see `restEnd` of SQL for the same in statements. */
export const scriptEnd = { text: 0, literal: 1, cut: 2, brace: 3 } as const;

export interface ScriptRest {
  readonly said: number;
  readonly end: number;
  /** Offset where it ends; of a literal, where that begins. */
  readonly at: number;
  /** The quotation mark of an open literal, as a character; 0 without one. */
  readonly quote: number;
}
