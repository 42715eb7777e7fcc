import { isDigit } from '../../text/char-class.ts';
import type { Grammar } from '../grammar.ts';
import {
  isIgnored,
  isName,
  lineEnd,
  nameEnd,
  opensArguments,
  skipIgnored,
  stringEnd,
} from './graphql-lexical.ts';

/** A text that closes the argument or the selection of a document around it and goes on behind. */
interface GraphqlFragment {
  /** Offset of the bracket that closes what the text did not open; -1 where it is no such text. */
  readonly closesAt: number;
}

/**
 * Reads a text as a piece of a GraphQL document (October 2021, section 2) that begins within an
 * argument or a selection: what stands behind the first bracket too many must be tokens of the
 * language to the end, with a selection, and leave something open or commented out.
 */
export const graphqlFragment: Grammar<GraphqlFragment> = {
  name: 'graphql-fragment',
  read: (text) => ({ closesAt: breakAt(text) }),
};

function breakAt(text: string): number {
  // The name of an operation, with its selection, and all that follows as a comment.
  const name = skipIgnored(text, 0);
  const selection = skipIgnored(text, nameEnd(text, name));
  if (selection > name && text.charCodeAt(selection) === 123) {
    return new FragmentReader(text, selection).read('commented') ? 0 : -1;
  }
  let parens = 0;
  for (let at = 0, tries = 0; at < text.length && tries < triesMax; at++) {
    const code = text.charCodeAt(at);
    if (code === 40) parens++;
    else if (code === 41 && --parens < 0) {
      if (new FragmentReader(text, at + 1).read('selection')) return at;
      parens = 0;
      tries++;
    } else if (code === 125 && at <= namesMax && isNames(text, at)) {
      return new FragmentReader(text, at + 1).read('fields') ? at : -1;
    }
  }
  return -1;
}

/** Brackets too many that are tried: one may stand in a comment or in the text of a string. */
const triesMax = 4;
const namesMax = 400;

/** Names of fields in front of a `}` too many. */
function isNames(text: string, end: number): boolean {
  let at = skipIgnored(text, 0);
  while (at < end) {
    const next = nameEnd(text, at);
    if (next === at) return false;
    at = skipIgnored(text, next);
  }
  return at === end;
}

const opening = '({[';
const closing = ')}]';
/** Punctuators without a partner. */
const single = ':!$@&|';
const numberPart = /-?\d[\d.eE+-]{0,40}/y;

class FragmentReader {
  private readonly text: string;
  private at: number;
  private readonly open: string[] = [];
  private selections = 0;
  /** Nothing but closing brackets has been read. */
  private isAtValue = true;
  /** Arguments by name, or a field of introspection: what no other notation with braces has. */
  private marks = 0;

  constructor(text: string, from: number) {
    this.text = text;
    this.at = from;
  }

  /** `start`: what stands at the beginning. */
  read(start: 'selection' | 'fields' | 'commented'): boolean {
    let isFirst = start === 'selection';
    let hasComment = false;
    while (this.at < this.text.length) {
      const code = this.text.charCodeAt(this.at);
      if (code === 35) {
        this.at = lineEnd(this.text, this.at);
        hasComment = this.at === this.text.length && this.open.length === 0;
        continue;
      }
      const isSpace = isIgnored(code);
      if (isFirst && !isSpace && code !== 123 && code !== 64) return false;
      isFirst &&= isSpace;
      if (isSpace) this.at++;
      else if (!this.pass(code)) return false;
    }
    const isCut = hasComment || (this.open.length > 0 && start !== 'commented');
    return isCut && this.selections > 0 && (this.marks > 0 || this.selections > 1);
  }

  private pass(code: number): boolean {
    const character = this.text.charAt(this.at);
    this.isAtValue &&= closing.includes(character);
    if (isDigit(code) || code === 45) return this.passNumber();
    if (isName(code)) this.passName();
    else if (code === 34) this.at = stringEnd(this.text, this.at);
    else if (this.text.startsWith('...', this.at)) this.at += 3;
    else if (opening.includes(character)) return this.enter(character);
    else if (closing.includes(character)) return this.leave(character);
    else if (single.includes(character)) this.at++;
    else return false;
    return true;
  }

  /** Numbers are values: they stand in arguments only. */
  private passNumber(): boolean {
    numberPart.lastIndex = this.at;
    if (!this.open.includes('(') || !numberPart.test(this.text)) return false;
    this.at = numberPart.lastIndex;
    return true;
  }

  private passName(): void {
    if (this.text.startsWith('__', this.at)) this.marks++;
    this.at = nameEnd(this.text, this.at);
  }

  /** A selection and an object begin with a name: `{{name}}` is of a template. */
  private enter(character: string): boolean {
    if (character === '[' && !this.open.includes('(')) return false;
    if (opensArguments(this.text, this.at)) this.marks++;
    this.at++;
    this.open.push(character);
    if (character !== '{') return true;
    this.selections++;
    return this.text.charAt(skipIgnored(this.text, this.at)) !== '{';
  }

  /** More may be closed than was opened, but nothing else than was opened last. */
  private leave(character: string): boolean {
    this.at++;
    const last = this.open.pop();
    // `ASC}]) {`. Behind the arguments stand selections, which are in no list.
    if (last === undefined) return character === '}' || this.isAtValue;
    return opening.indexOf(last) === closing.indexOf(character);
  }
}
