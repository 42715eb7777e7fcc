import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';

export type Row = Record<string, SQLOutputValue>;

/** Told of the text of a statement, and of whether SQLite could run it. */
export type StatementListener = (text: string, ran: boolean) => void;

/** The database of the shop. It runs whatever text it is given. */
export interface Warehouse {
  /** The rows of one statement; SQLite ignores what stands behind its end. */
  rows(text: string, ...values: SQLInputValue[]): Row[];
  /** Runs one statement after the other. */
  script(text: string): void;
}

/** Opens a database in memory, filled anew at each start. */
export function openWarehouse(onStatement: StatementListener = () => undefined): Warehouse {
  const database = new DatabaseSync(':memory:');
  database.exec(content);
  const told = <T>(text: string, run: () => T): T => {
    try {
      const result = run();
      onStatement(text, true);
      return result;
    } catch (error) {
      onStatement(text, false);
      throw error;
    }
  };
  return {
    rows: (text, ...values) => told(text, () => database.prepare(text).all(...values)),
    script: (text) => told(text, () => database.exec(text)),
  };
}

const content = `
  CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, category INTEGER, price INTEGER,
    stock INTEGER);
  INSERT INTO products (name, category, price, stock) VALUES
    ('Desk lamp', 1, 40, 1), ('Floor lamp', 1, 90, 0), ('Candle, hand-made', 1, 8, 1),
    ('Union Jack mug', 2, 12, 0), ('Select teas from Assam', 2, 15, 1), ('Tea pot', 2, 30, 0),
    ('Drop-leaf table', 3, 240, 0), ('Order book', 3, 6, 1);
  CREATE TABLE users (name TEXT, password TEXT, mail TEXT);
  INSERT INTO users VALUES
    ('anna', 'correct horse battery staple', 'anna@example.com'),
    ('admin', 'kept-from-everybody', 'admin@example.com');
  CREATE TABLE baskets (id INTEGER PRIMARY KEY, product INTEGER);
  INSERT INTO baskets VALUES (7, 1), (8, 4);
  CREATE TABLE parcels (token TEXT, state TEXT);
  INSERT INTO parcels VALUES ('parcel-2041', 'on its way'), ('parcel-2042', 'delivered');
  CREATE TABLE partners (site TEXT, greeting TEXT);
  INSERT INTO partners VALUES ('https://tea.example/', 'Welcome, friends of tea');
  CREATE TABLE subscribers (mail TEXT);
  CREATE TABLE comments (author TEXT, text TEXT);
`;
