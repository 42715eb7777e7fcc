import type { Category } from '../../contract/category.ts';
import type { Scan } from '../match/prefilter.ts';

/** What the prefilter saw of a text: enough to tell which decoders have something to do. */
export type Marks = Readonly<Pick<Scan, 'classes' | 'wide' | 'longestRun'>>;

/**
 * A decoder undoes one layer of encoding of a text. Most have one result, the whole text decoded in
 * place; those that take a text apart (nested JSON, forms) have one for each part.
 */
export interface Decoder {
  /** The name in a finding's `decoded` list. */
  readonly name: string;
  /**
   * True when the decoder undoes its own escapes and leaves all else as it is. Of several such
   * decoders on a long text, only their chain is followed, not each alone.
   */
  readonly isAdditive?: true;
  /**
   * The category whose rules alone judge the results, which are not decoded further: the text as one
   * interpreter reads it is none that another is given.
   */
  readonly readBy?: Category;
  /** Categories whose interpreters would not read a text so: their rules judge no result. */
  readonly notReadBy?: readonly Category[];
  /** Class bits of `text/char-class.ts`: without a character of each the decoder is not asked. */
  readonly classes?: number;
  /** Cheap test; false means that `decode` would find nothing to do, or nothing worth a look. */
  applies(text: string, marks: Marks): boolean;
  /**
   * Emits each result that differs from the text. Never throws; linear in the length of the text.
   * Returns true when the text was taken apart for good, so that no other decoder need look at it.
   */
  decode(text: string, emit: Emit): boolean | undefined;
}

/**
 * Takes one result. `argument` tells the parts of one text apart (`json:/a/b`); `where` is `name`
 * when the part is a member name.
 */
export type Emit = (text: string, argument?: string, where?: 'value' | 'name') => void;

/** The entry of a finding's `decoded` list for one result of a decoder. */
export function stepLabel(decoder: Decoder, argument: string | undefined): string {
  return argument === undefined ? decoder.name : `${decoder.name}:${argument}`;
}
