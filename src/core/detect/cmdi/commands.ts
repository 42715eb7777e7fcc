import { createFinder } from '../../text/char-finder.ts';
import type { Grammar } from '../../tokenise/grammar.ts';
import { type CommandHead, introducer, readHeads } from '../../tokenise/shell.ts';
import { wordTrait } from '../../tokenise/shell-word.ts';
import { type Command, readCommand } from './command.ts';
import { goesOnAsSentence } from './sentence.ts';
import { commandNames } from './vocabulary.ts';

/** The commands of a text, judged once for all rules. */
export const commands: Grammar<Commands> = { name: 'commands', read };

export interface Commands {
  readonly list: readonly Command[];
  /** A head that is a variable with a value from the same text: `x=id;$x`. */
  readonly assembled: CommandHead | undefined;
  /** False when the text was not read to its end. */
  readonly complete: boolean;
}

/** An attack is among the first; more of them are a script, or meant to keep us busy. */
const commandsMax = 4_096;

function read(text: string): Commands {
  const list: Command[] = [];
  let assembled: CommandHead | undefined;
  let redirection = -1;
  const visit = (head: CommandHead): boolean => {
    if (assembled === undefined && isAssembled(text, head)) assembled = head;
    if (redirection < head.nameEnd) redirection = nextRedirection(text, head.nameEnd);
    if (goesOnAsSentence(text, head, redirection)) return true;
    const command = readCommand(text, head);
    return command === undefined || list.push(command) < commandsMax;
  };
  const complete = readHeads(text, { nameBetween: commandNames.wordBetween, visit });
  return { list, assembled, complete };
}

const nextRedirection = createFinder(/[<>]/g);

function isAssembled(text: string, head: CommandHead): boolean {
  if (head.introducer === introducer.start) return false;
  return text.charCodeAt(head.nameStart) === 36 && (head.traits & wordTrait.assembled) !== 0;
}
