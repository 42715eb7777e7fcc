import type { Random } from '../../../lib/random.ts';
import type { Rewriter } from '../../contract.ts';
import { type Command, readFragment, replaced, type Word } from './lex.ts';

/** Undefined where there is nothing to rewrite. */
type Make<T> = (part: T, random: Random) => string | undefined;

/** Rewrites a part that one of the commands has; parts are tried in random order. */
function ofCommands<T extends { readonly start: number; readonly end: number }>(
  name: string,
  partsOf: (command: Command, value: string) => readonly T[],
  make: Make<T>,
): Rewriter {
  return {
    name,
    language: 'shell',
    rewrite: (value, random) => {
      const parts = readFragment(value, random)?.commands.flatMap((one) => partsOf(one, value));
      for (const part of random.shuffled(parts ?? [])) {
        const text = make(part, random);
        if (text !== undefined) return replaced(value, part, text);
      }
      return undefined;
    },
  };
}

/** Rewrites a word that means what it says: the name of a program or an argument. */
export function ofWords(name: string, make: Make<string>): Rewriter {
  return ofCommands<Word>(
    name,
    ({ words }) => words.filter((word) => word.isPlain),
    (word, random) => make(word.text, random),
  );
}

/** Rewrites the name of a program. */
export function ofNames(name: string, make: Make<string>): Rewriter {
  return ofCommands<Word>(
    name,
    ({ words }) => words.filter((word) => word.isPlain && word.isName),
    (word, random) => make(word.text, random),
  );
}

/** Rewrites a whole simple command. */
export function ofWholes(name: string, make: Make<Command>): Rewriter {
  return ofCommands(name, (command) => [command], make);
}

/** Rewrites a whole command in which each word means what it says. */
export function ofPlain(
  name: string,
  make: (words: readonly string[], random: Random) => string | undefined,
): Rewriter {
  return ofCommands(
    name,
    (command) => (command.words.every((word) => word.isPlain) ? [command] : []),
    ({ words }, random) =>
      make(
        words.map((word) => word.text),
        random,
      ),
  );
}

/** Rewrites the blanks between the words of a command. */
export function ofBlanks(name: string, make: Make<string>): Rewriter {
  return ofCommands(
    name,
    ({ words }, value) =>
      words.slice(1).flatMap((word, index) => {
        const start = words[index]?.end ?? word.start;
        const text = value.slice(start, word.start);
        return /^[ \t]+$/.test(text) ? [{ start, end: word.start, text }] : [];
      }),
    (blank, random) => make(blank.text, random),
  );
}

/** A short name for a variable, which is not set. */
export function variable(random: Random): string {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return random.times(1 + random.below(4), () => random.pick(letters)).join('') + random.below(100);
}

/** A place within a word: not before its first and not after its last character. */
export function cut(text: string, random: Random): readonly [string, string] {
  const at = text.length < 2 ? text.length : 1 + random.below(text.length - 1);
  return [text.slice(0, at), text.slice(at)];
}

/** In single quotes, whatever it holds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
