import type { Detector } from '../rule.ts';
import { chainedCommand } from './chained-command.ts';
import { commandLine } from './command-line.ts';
import { fieldSeparator } from './field-separator.ts';
import { lineBreak } from './line-break.ts';
import { optionInjection } from './option-injection.ts';
import { reverseShell } from './reverse-shell.ts';
import { shellSyntax } from './shell-syntax.ts';
import { substitution } from './substitution.ts';
import { variableCommand } from './variable-command.ts';
import { windowsShell } from './windows-shell.ts';
import { windowsStatement } from './windows-statement.ts';

/** Rules of the category `cmdi`. */
export const cmdi: Detector = {
  category: 'cmdi',
  rules: [
    chainedCommand,
    substitution,
    lineBreak,
    commandLine,
    variableCommand,
    fieldSeparator,
    reverseShell,
    windowsShell,
    windowsStatement,
    optionInjection,
    shellSyntax,
  ],
};
