/** How much one search of events inspects before it ends with how far it got. */
export interface ScanBounds {
  /** Rows that one statement inspects: a statement on SQLite holds up its thread. */
  readonly sliceRows: number;
  /** Rows that are read before the search goes on in the index of facts. */
  readonly readRows: number;
  /** Rows that are read for a text. */
  readonly textRows: number;
  /** Entries of the index of facts. */
  readonly factEntries: number;
  /** An index of clients, of paths or of what people decided leads to no more: each is a row to read. */
  readonly ownRows: number;
}

/** The README of this folder has how long that takes with a million events. */
export const scanBounds: ScanBounds = {
  sliceRows: 1_000,
  readRows: 2_000,
  textRows: 25_000,
  factEntries: 75_000,
  ownRows: 20_000,
};
