/**
 * A way to read a text into tokens. The result is kept with the subject, so that all rules of a
 * grammar share one reading. `read` never throws and is linear in the length of the text.
 */
export interface Grammar<Tokens> {
  readonly name: string;
  read(text: string): Tokens;
}
